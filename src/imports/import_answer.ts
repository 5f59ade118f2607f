/** How an import is answered: with its final status when it ends soon, else with its address. */
import type { z } from "@hono/zod-openapi";
import type { AppContext } from "../platform/http/app_context.ts";
import type { Context } from "../platform/store/context.ts";
import { hasEnded } from "../platform/jobs/job.ts";
import { waitForJob } from "../platform/jobs/wait_for_job.ts";
import { answerStreamOnce, requireKeyForm } from "../platform/http/idempotency.ts";
import { discardBlob } from "../platform/spool/spool.ts";
import { requireImport } from "./jobs/apply_import.ts";
import { documentOf } from "./jobs/import_document.ts";
import type { ImportDeps } from "./apply/import_deps.ts";
import { IMPORT_KIND, type ImportJob } from "./state/import_job.ts";
import type { ListQuery } from "./import_query.ts";
import { pageOfImports } from "./jobs/read_imports.ts";
import { receiveUpload } from "./receive/receive_upload.ts";
import { type ImportOptions, requireKnownProfile, startImport } from "./jobs/start_import.ts";

/** Which interface answers: its paths, and whether documents stand in an envelope. */
export interface ImportFace {
  pathOf(jobId: string): string;
  readonly isEnveloped: boolean;
}

/** Takes the upload in, makes the job and waits for it a little. */
export async function answerUpload(
  c: AppContext,
  deps: ImportDeps,
  face: ImportFace,
  options: ImportOptions,
): Promise<Response> {
  requireKeyForm(c.req.header("Idempotency-Key"));
  await requireKnownProfile(c.var.ctx, options.profile);
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
        const jobId = await startImport(ctx, upload, options, face.pathOf);
        isBegun = true;
        return await answerJob(c, { ctx, deps, face }, jobId);
      },
      again: (path) =>
        answerJob(c, { ctx: c.var.ctx, deps, face }, path.slice(path.lastIndexOf("/") + 1)),
    });
  } finally {
    // Refused, or sent again under its Idempotency-Key: no job will read these bytes.
    if (!isBegun) await discardBlob(c.var.ctx, upload.blobId);
  }
}

/** 200 with the final status when the job ends soon, else 202 with where to look. */
export async function answerJob(
  c: AppContext,
  { ctx, deps, face }: {
    readonly ctx: Context;
    readonly deps: ImportDeps;
    readonly face: ImportFace;
  },
  jobId: string,
): Promise<Response> {
  deps.wake(IMPORT_KIND);
  const waitMs = prefersAsync(c.req.header("Prefer")) ? 0 : deps.answerMs;
  const job = waitMs === 0
    ? await requireImport(ctx, jobId)
    : await waitForJob<ImportJob>(ctx, IMPORT_KIND, jobId, waitMs);
  const known = job ?? await requireImport(ctx, jobId);
  const isOver = waitMs > 0 && hasEnded(known);
  const body = await bodyOf(ctx, face, known);
  const headers = { "X-Job-Status": known.status };
  return isOver
    ? c.json(body, 200, headers)
    : c.json(body, 202, { ...headers, Location: face.pathOf(jobId) });
}

/** The job as it stands. */
export async function answerImport(
  c: AppContext,
  face: ImportFace,
  jobId: string,
): Promise<Response> {
  const job = await requireImport(c.var.ctx, jobId);
  const body = await bodyOf(c.var.ctx, face, job);
  return c.json(body, 200, { "X-Job-Status": job.status });
}

/** A page of imports. */
export async function answerImports(
  c: AppContext,
  { isEnveloped }: ImportFace,
  query: z.output<typeof ListQuery>,
): Promise<Response> {
  const { items, ...page } = await pageOfImports(c.var.ctx, query);
  return c.json(isEnveloped ? { data: items, ...page } : { items, ...page }, 200);
}

async function bodyOf(ctx: Context, face: ImportFace, job: ImportJob) {
  const document = await documentOf(ctx, job);
  return face.isEnveloped ? { data: document, count: document.count } : document;
}

/** RFC 7240. */
function prefersAsync(header: string | undefined): boolean {
  return header?.split(",").some((part) => /^\s*respond-async\s*(;|$)/i.test(part)) ?? false;
}
