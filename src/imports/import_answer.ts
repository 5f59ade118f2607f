/** How an import is answered: with its final status when it ends soon, else with its address. */
import type { z } from "@hono/zod-openapi";
import { requireWorkspace } from "../accounts/workspace_store.ts";
import { Failure } from "../base/failure.ts";
import type { AppContext } from "../platform/http/app_context.ts";
import { answerStreamOnce, requireKeyForm } from "../platform/http/idempotency.ts";
import { hasEnded } from "../platform/jobs/job.ts";
import { waitForJob } from "../platform/jobs/add_job.ts";
import type { Surface } from "../platform/http/answer.ts";
import type { Context } from "../platform/store/context.ts";
import { discardBlob } from "../platform/store/spool.ts";
import { attachmentOf, headed, tableResponse, worded } from "../platform/tables/table_answer.ts";
import type { ImportDeps } from "./apply/import_deps.ts";
import type { FindingQuery } from "./import_query.ts";
import { requireImport } from "./jobs/apply_import.ts";
import { documentOf } from "./jobs/import_document.ts";
import { pageOfFindings } from "./jobs/read_imports.ts";
import { findingTable, refusedTable, streamRefusedXml } from "./jobs/refused_rows.ts";
import { type ImportRequest, settledOptions, startImport } from "./jobs/start_import.ts";
import { IMPORT_KIND, type QueuedImport } from "./state/import_job.ts";
import { receiveUpload } from "./upload/receive_upload.ts";

/** The paths of imports on an interface. */
export function importPathOn({ base, isEnveloped }: Surface): (jobId: string) => string {
  return (jobId) => `${base}${isEnveloped ? "/products/import" : "/imports"}/${jobId}`;
}

/** Takes the upload in, makes the job and waits for it a little. */
export async function answerUpload(
  c: AppContext,
  deps: ImportDeps,
  surface: Surface,
  request: ImportRequest,
): Promise<Response> {
  requireKeyForm(c.req.header("Idempotency-Key"));
  const { options, isStrict } = await settledOptions(c.var.ctx, request);
  const upload = await receiveUpload(c.var.ctx, {
    request: c.req.raw,
    limits: deps.limits,
    gate: c.var.gate,
    fieldNames: [],
  });
  let isBegun = false;
  try {
    return await answerStreamOnce(c, upload.sha256, {
      async begin(ctx) {
        const jobId = await startImport(ctx, upload, options, importPathOn(surface));
        isBegun = true;
        return await answerJob(c, { ctx, deps, surface, isStrict }, jobId);
      },
      again(path) {
        const jobId = path.slice(path.lastIndexOf("/") + 1);
        return answerJob(c, { ctx: c.var.ctx, deps, surface, isStrict }, jobId);
      },
    });
  } finally {
    // Refused, or sent again under its Idempotency-Key: no job will read these bytes.
    if (!isBegun) await discardBlob(c.var.ctx, upload.blobId);
  }
}

/** So long a strict request waits for the end of its import. */
const STRICT_MS = 60_000;

/**
 * 200 with the final status when the job ends soon, else 202 with where to look. A strict request is
 * refused with `import_refused` when the import has failed or is held.
 */
export async function answerJob(
  c: AppContext,
  { ctx, deps, surface, isStrict = false }: {
    readonly ctx: Context;
    readonly deps: ImportDeps;
    readonly surface: Surface;
    readonly isStrict?: boolean;
  },
  jobId: string,
): Promise<Response> {
  deps.wake(IMPORT_KIND);
  const waitMs = prefersAsync(c.req.header("Prefer"))
    ? 0
    : isStrict
    ? Math.max(STRICT_MS, deps.answerMs)
    : deps.answerMs;
  const job = waitMs === 0
    ? await requireImport(ctx, jobId)
    : await waitForJob<QueuedImport>(ctx, IMPORT_KIND, jobId, waitMs);
  const known = job ?? await requireImport(ctx, jobId);
  const isOver = waitMs > 0 && hasEnded(known);
  if (isStrict && isOver) requireTaken(known);
  const body = await bodyOf(ctx, surface, known);
  const headers = { "X-Job-Status": known.status };
  return isOver
    ? c.json(body, 200, headers)
    : c.json(body, 202, { ...headers, Location: importPathOn(surface)(jobId) });
}

/** Refuses with `import_refused` what failed or was held. */
function requireTaken({ jobId, status, error }: QueuedImport): void {
  if (status !== "failed" || error === null) return;
  const { file = null, line = null } = error.details ?? {};
  const details = { jobId, code: error.code, file, line };
  throw new Failure("import_refused", `Nothing was imported: ${error.message}`, details);
}

/** The job as it stands. */
export async function answerImport(
  c: AppContext,
  surface: Surface,
  jobId: string,
): Promise<Response> {
  const job = await requireImport(c.var.ctx, jobId);
  const body = await bodyOf(c.var.ctx, surface, job);
  return c.json(body, 200, { "X-Job-Status": job.status });
}

async function bodyOf(ctx: Context, surface: Surface, job: QueuedImport) {
  const document = await documentOf(ctx, job);
  return surface.isEnveloped ? { data: document, count: document.count } : document;
}

/** RFC 7240. */
function prefersAsync(header: string | undefined): boolean {
  return header?.split(",").some((part) => /^\s*respond-async\s*(;|$)/i.test(part)) ?? false;
}

/** The findings as a page or a table of all of them, or the refused records to be sent again. */
export async function answerFindings(
  c: AppContext,
  surface: Surface,
  jobId: string,
  query: z.output<typeof FindingQuery>,
): Promise<Response> {
  const { ctx } = c.var;
  const { format, severity = null, lang, ...page } = query;
  if (format === "json") {
    const { items, ...rest } = await pageOfFindings(ctx, jobId, { ...page, severity });
    return c.json(surface.isEnveloped ? { data: items, ...rest } : { items, ...rest }, 200);
  }
  const file = stemOf((await requireImport(ctx, jobId)).args.label);
  const { timeZone } = await requireWorkspace(ctx);
  if (format === "csv" || format === "xlsx") {
    const form = { format, dialect: "excel", timeZone } as const;
    // Codes of files by key are what programs compare.
    const inLanguage = surface.isEnveloped ? headed : worded;
    const table = { ...findingTable(ctx, jobId, severity), name: `findings-${file}` };
    return tableResponse(inLanguage(table, lang), form);
  }
  if (format === "rows") {
    const table = { ...await refusedTable(ctx, jobId), name: `refused-${file}` };
    return tableResponse(table, { format: "csv", dialect: "excel" });
  }
  return new Response(streamRefusedXml(ctx, jobId), {
    headers: {
      "Content-Type": "application/xml; charset=utf-8",
      "Content-Disposition": attachmentOf(`refused-${file}.xml`),
    },
  });
}

/** What the file is called, without its ending and what no file may be called. */
function stemOf(label: string): string {
  return label.replace(/\.[^.]+$/, "").replace(/[/\\:*?<>|]/g, "_");
}
