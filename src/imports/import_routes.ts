/**
 * Declares the routes of imports. The answer to an upload is the result of the import. If the
 * import takes long, the answer is its state and URL.
 */
import { requireWorkspace } from "../accounts/workspace.ts";
import { Failure } from "../base/failure.ts";
import { languageOf } from "../base/codes.ts";
import { custom, page, type Surface } from "../platform/http/answer.ts";
import {
  type AppContext,
  dataPageOf,
  jsonAnswer,
  pageOf,
  pageQuery,
} from "../platform/http/http.ts";
import { answerOnce, requireKeyForm } from "../platform/http/idempotency_store.ts";
import {
  attachmentOf,
  CSV_CONTENT,
  headed,
  HeadingQuery,
  tableResponse,
  worded,
  XLSX_CONTENT,
} from "../platform/tables/table_answer.ts";
import { waitForJob } from "../platform/jobs/job_store.ts";
import { hasEnded, type JobKind } from "../platform/jobs/job.ts";
import type { Context } from "../platform/store/context.ts";
import { discardBlob } from "../platform/store/spool.ts";
import type { ImportDeps } from "./apply/span.ts";
import {
  documentOf,
  ImportDocument,
  ImportSummary,
  pageOfFindings,
  pageOfImports,
} from "./jobs/import_document.ts";
import { findingTable, refusedTable, streamRefusedXml } from "./jobs/refused_rows.ts";
import {
  ApplyBody,
  applyImport,
  ApplyQuery,
  cancelImport,
  discardUpload,
  ImportQuery,
  optionalText,
  requireImport,
  settledOptions,
  startImport,
  undoImport,
  UndoQuery,
} from "./jobs/start_import.ts";
import { IMPORT_KIND, type QueuedImport } from "./state/import_job.ts";
import { receiveUpload } from "./upload/receive_upload.ts";
import { z } from "@hono/zod-openapi";
import { keyWith, manager, viewer } from "../accounts/roles.ts";
import { type Callers, resource } from "../platform/http/resource.ts";
import { Finding } from "./files/source_file.ts";

function importPathOn({ base, isEnveloped }: Surface): (jobId: string) => string {
  return (jobId) => `${base}${isEnveloped ? "/products/import" : "/imports"}/${jobId}`;
}

async function answerUpload(
  c: AppContext,
  deps: ImportDeps,
  surface: Surface,
  request: z.output<typeof ImportQuery>,
): Promise<Response> {
  requireKeyForm(c.req.header("Idempotency-Key"));
  const { options, isStrict } = await settledOptions(c.var.ctx, request);
  const upload = await receiveUpload(c, deps.limits);
  let isBegun = false;
  try {
    return await answerOnce(c, upload.sha256, {
      async begin(ctx) {
        const jobId = await startImport(ctx, upload, options, importPathOn(surface));
        isBegun = true;
        return await answerJob(c, deps, surface, jobId, isStrict);
      },
      again(path) {
        const jobId = path.slice(path.lastIndexOf("/") + 1);
        return answerJob(c, deps, surface, jobId, isStrict);
      },
    });
  } finally {
    if (!isBegun) await discardBlob(c.var.ctx, upload.blobId);
  }
}

async function answerJob(
  c: AppContext,
  deps: ImportDeps,
  surface: Surface,
  jobId: string,
  isStrict = false,
): Promise<Response> {
  const { ctx } = c.var;
  deps.wake(IMPORT_KIND);
  const waitMs = prefersAsync(c.req.header("Prefer"))
    ? 0
    : isStrict
    ? Math.max(60_000, deps.answerMs)
    : deps.answerMs;
  const waited = waitMs > 0 && await waitForJob<QueuedImport>(ctx, IMPORT_KIND, jobId, waitMs);
  const job = waited || await requireImport(ctx, jobId);
  const isOver = waitMs > 0 && hasEnded(job);
  if (isStrict && isOver) requireTaken(job);
  const body = await bodyOf(ctx, surface, job);
  const headers = { "X-Job-Status": job.status };
  return isOver
    ? c.json(body, 200, headers)
    : c.json(body, 202, { ...headers, Location: importPathOn(surface)(jobId) });
}

function requireTaken({ jobId, status, error }: QueuedImport): void {
  if (status !== "failed" || error === null) return;
  const { file = null, line = null } = error.details ?? {};
  const details = { jobId, code: error.code, file, line };
  throw new Failure("import_refused", `Nothing was imported: ${error.message}`, details);
}

async function answerImport(c: AppContext, surface: Surface, jobId: string): Promise<Response> {
  const job = await requireImport(c.var.ctx, jobId);
  const body = await bodyOf(c.var.ctx, surface, job);
  return c.json(body, 200, { "X-Job-Status": job.status });
}

async function bodyOf(ctx: Context, surface: Surface, job: QueuedImport) {
  const document = await documentOf(ctx, job);
  return surface.isEnveloped ? { data: document, count: document.count } : document;
}

function prefersAsync(header: string | undefined): boolean {
  return header?.split(",").some((part) => /^\s*respond-async\s*(;|$)/i.test(part)) ?? false;
}

async function answerFindings(
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
  const { label } = (await requireImport(ctx, jobId)).args;
  const file = label.replace(/\.[^.]+$/, "").replace(/[/\\:*?<>|]/g, "_");
  const { timeZone, locale } = await requireWorkspace(ctx);
  if (format === "csv" || format === "xlsx") {
    const form = { format, dialect: "excel", timeZone } as const;
    const table = { ...findingTable(ctx, jobId, severity), name: `findings-${file}` };
    return tableResponse(
      surface.isEnveloped ? headed(table, lang) : worded(table, lang, null),
      form,
    );
  }
  if (format === "rows") {
    const language = surface.isEnveloped ? null : lang ?? languageOf(locale);
    const table = { ...await refusedTable(ctx, jobId, language), name: `refused-${file}` };
    return tableResponse(table, { format: "csv", dialect: "excel" });
  }
  return new Response(streamRefusedXml(ctx, jobId), {
    headers: {
      "Content-Type": "application/xml; charset=utf-8",
      "Content-Disposition": attachmentOf(`refused-${file}.xml`),
    },
  });
}

/**
 * This plain schema only documents the body, because a zod schema would load the whole body into
 * memory.
 */
const binary = { type: "string", format: "binary" } as const;

export const UPLOAD_BODY = {
  required: true,
  description:
    "XML, CSV, XLSX, JSON or NDJSON, any of them in gzip or ZIP, or a form with any number of " +
    "files (`multipart/form-data`). Formats are detected from the content, not the file name; a file " +
    "with the type `application/xml` or `text/xml` must be XML. `Content-Disposition` names a file " +
    'that is the whole body (`attachment; filename="products.csv"`)',
  content: { "application/octet-stream": { schema: binary } },
} as const;

export const ImportFilter = z.strictObject({
  source: optionalText(64)
    .describe("Id of an import source: lists only its imports and their undos; default: all"),
});

export const ListQuery = z.strictObject({ ...pageQuery(50, 200), ...ImportFilter.shape });

const FindingQuery = z.strictObject({
  ...pageQuery(100, 1_000),
  severity: z.enum(["error", "warning"]).optional(),
  format: z.enum(["json", "csv", "xlsx", "xml", "rows"]).default("json").describe(
    "`csv` and `xlsx` contain all findings. `rows` is a CSV of the refused records: the rows of " +
      "tables, to be corrected and sent again, or the elements of XML. It has the line in " +
      "`Fehler in Zeile` and the errors in `Fehler`. `xml` contains the refused records of any " +
      "file, to be corrected and sent again",
  ),
  lang: HeadingQuery,
});

const ImportData = z.object({ data: ImportDocument, count: z.int() }).meta({ id: "ImportData" });
const FindingPage = pageOf(Finding).meta({ id: "ImportFindingPage" });
const FindingData = dataPageOf(Finding).meta({ id: "ImportFindingData" });

const document = (words: string, later?: string) =>
  custom(({ isEnveloped }) => {
    const schema = isEnveloped ? ImportData : ImportDocument;
    return { 200: jsonAnswer(schema, words), ...(later && { 202: jsonAnswer(schema, later) }) };
  });

const findings = custom(({ isEnveloped }) => ({
  200: {
    description: "Findings about records and files, errors first",
    content: {
      "application/json": { schema: isEnveloped ? FindingData : FindingPage },
      ...CSV_CONTENT,
      ...XLSX_CONTENT,
      "application/xml": { schema: z.string() },
    },
  },
}));

const keys = keyWith("products:write");
export const tags = ["Imports"];
const waiting = { waitsForOthers: true, takesHeaders: ["Prefer"] } as const;

export function importRoutes(deps: ImportDeps, kind: JobKind<QueuedImport>) {
  const list = resource("/imports", { read: { people: viewer, keys }, tags })
    .list({
      query: ListQuery,
      answer: page(ImportSummary, "Imports, newest first", {
        inApp: "ImportPage",
        external: "ImportPageData",
      }),
    }, ({ ctx, query }) => pageOfImports(ctx, query));
  const people = { read: { people: viewer }, change: { people: manager } };
  return [
    ...jobRoutes("/imports", people, deps, kind),
    ...list.routes.slice(0, 1),
    ...jobRoutes("/products/import", { read: { keys }, change: { keys } }, deps, kind),
    ...list.routes.slice(1),
  ];
}

function jobRoutes(
  path: "/imports" | "/products/import",
  callers: { readonly read: Callers; readonly change: Callers },
  deps: ImportDeps,
  kind: JobKind<QueuedImport>,
) {
  return resource(path, { ...callers, tags })
    .post("", {
      upload: UPLOAD_BODY,
      takesHeaders: ["Idempotency-Key", "Prefer"],
      query: ImportQuery,
      answer: document(
        "The import has ended; see its status",
        "The import is still running; see `Location`",
      ),
    }, ({ c, surface, query }) => answerUpload(c, deps, surface, query))
    .get("/{jobId}", {
      answer: document("The current state of the import"),
    }, ({ c, surface, jobId }) => answerImport(c, surface, jobId))
    .get("/{jobId}/errors", {
      query: FindingQuery,
      answer: findings,
    }, ({ c, surface, jobId, query }) => answerFindings(c, surface, jobId, query))
    .post("/{jobId}/apply", {
      ...waiting,
      query: ApplyQuery,
      optionalBody: ApplyBody,
      answer: document(
        "The new import has ended",
        "The new import is still running; see `Location`",
      ),
    }, async ({ c, ctx, surface, jobId, query, body }) => {
      const force = body.force || query.force;
      const allowNoPrices = body.allowNoPrices || query.allowNoPrices;
      const asked = { ...body, force, allowNoPrices };
      return await answerNew(c, deps, surface, (path) => applyImport(ctx, jobId, asked, path));
    })
    .post("/{jobId}/cancel", {
      answer: document("The import; its committed changes stay"),
    }, async ({ c, ctx, surface, jobId }) => {
      await cancelImport(ctx, kind, jobId);
      return await answerImport(c, surface, jobId);
    })
    .post("/{jobId}/undo", {
      ...waiting,
      query: UndoQuery,
      answer: document(
        "The undo of the import has ended",
        "The undo of the import is still running; see `Location`",
      ),
    }, ({ c, ctx, surface, jobId, query }) => {
      return answerNew(c, deps, surface, (path) => undoImport(ctx, jobId, query, path));
    })
    .post("/{jobId}/discard", {
      answer: document("The held import or dry run, which can no longer be applied"),
    }, ({ c, surface, jobId }) => discard(c, surface, jobId))
    .delete("/{jobId}/upload", {
      answer: document("The import; its stored file is deleted"),
    }, ({ c, surface, jobId }) => discard(c, surface, jobId)).routes;
}

async function discard(c: AppContext, surface: Surface, jobId: string): Promise<Response> {
  await discardUpload(c.var.ctx, jobId);
  return await answerImport(c, surface, jobId);
}

async function answerNew(
  c: AppContext,
  deps: ImportDeps,
  surface: Surface,
  begin: (path: (jobId: string) => string) => Promise<string>,
): Promise<Response> {
  return await answerJob(c, deps, surface, await begin(importPathOn(surface)));
}
