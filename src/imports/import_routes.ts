/**
 * Imports, the same on both interfaces (docs/decisions/imports.md); on the external one they are
 * below `/products/import`, and the list of them is at `/imports`.
 */

import { keyWith, manager, viewer } from "../accounts/route_access.ts";
import { custom, page, type Surface } from "../platform/http/answer.ts";
import type { AppContext } from "../platform/http/app_context.ts";
import { dataPageOf, jsonAnswer, pageOf } from "../platform/http/http.ts";
import { type Callers, resource } from "../platform/http/resource.ts";
import type { JobKind } from "../platform/jobs/job.ts";
import { CSV_CONTENT, XLSX_CONTENT } from "../platform/tables/table_answer.ts";
import type { ImportDeps } from "./apply/batch.ts";
import { Finding } from "./files/finding.ts";
import {
  answerFindings,
  answerImport,
  answerJob,
  answerUpload,
  ApplyBody,
  applyOptionsOf,
  ApplyQuery,
  FindingQuery,
  importPathOn,
  ImportQuery,
  ListQuery,
  requestOf,
  UndoQuery,
  UPLOAD_BODY,
} from "./import_answer.ts";
import { ImportDocument, ImportSummary, pageOfImports } from "./jobs/import_document.ts";
import { applyImport, cancelImport, discardUpload } from "./jobs/start_import.ts";
import { undoImport } from "./jobs/undo_import.ts";
import type { QueuedImport } from "./state/import_job.ts";
import { z } from "@hono/zod-openapi";

const ImportData = z.object({ data: ImportDocument, count: z.int() }).meta({ id: "ImportData" });
const FindingPage = pageOf(Finding).meta({ id: "ImportFindingPage" });
const FindingData = dataPageOf(Finding).meta({ id: "ImportFindingData" });

/** The import; `later` are the words of 202, where a job may go on. */
const document = (words: string, later?: string) =>
  custom(({ isEnveloped }) => {
    const schema = isEnveloped ? ImportData : ImportDocument;
    return { 200: jsonAnswer(schema, words), ...(later && { 202: jsonAnswer(schema, later) }) };
  });

const findings = custom(({ isEnveloped }) => ({
  200: {
    description: "What was wrong with records and files, errors first",
    content: {
      "application/json": { schema: isEnveloped ? FindingData : FindingPage },
      ...CSV_CONTENT,
      ...XLSX_CONTENT,
      "application/xml": { schema: z.string() },
    },
  },
}));

const keys = keyWith("products:write");
const tags = ["Imports"];
/** Waits a moment for the end of a job, unless the request prefers not to. */
const waiting = { waitsForOthers: true, takesHeaders: ["Prefer"] } as const;

export function importRoutes(deps: ImportDeps, kind: JobKind<QueuedImport>) {
  const list = resource("/imports", { look: { people: viewer, keys }, tags })
    .list({
      query: ListQuery,
      answer: page(ImportSummary, "Newest first", {
        inApp: "ImportPage",
        external: "ImportPageData",
      }),
    }, ({ ctx, query }) => pageOfImports(ctx, query));
  const people = { look: { people: viewer }, change: { people: manager } };
  const [inAppList, externalList] = list.routes;
  return [
    ...jobRoutes("/imports", people, deps, kind),
    inAppList,
    ...jobRoutes("/products/import", { look: { keys }, change: { keys } }, deps, kind),
    externalList,
  ];
}

function jobRoutes(
  path: "/imports" | "/products/import",
  callers: { readonly look: Callers; readonly change: Callers },
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
        "The import goes on; see `Location`",
      ),
    }, ({ c, surface, query }) => answerUpload(c, deps, surface, requestOf(query)))
    .get("/{jobId}", {
      answer: document("The import as it stands"),
    }, ({ c, surface, jobId }) => answerImport(c, surface, jobId))
    .get("/{jobId}/errors", {
      query: FindingQuery,
      answer: findings,
    }, ({ c, surface, jobId, query }) => answerFindings(c, surface, jobId, query))
    .post("/{jobId}/apply", {
      ...waiting,
      query: ApplyQuery,
      optionalBody: ApplyBody,
      answer: document("The new import has ended", "The new import goes on; see `Location`"),
    }, async ({ c, ctx, surface, jobId, query, body }) => {
      const options = applyOptionsOf(query, body);
      const applied = await applyImport(ctx, jobId, options, importPathOn(surface));
      return await answerJob(c, { ctx, deps, surface }, applied);
    })
    .post("/{jobId}/cancel", {
      answer: document("The import; what it has committed stays"),
    }, async ({ c, ctx, surface, jobId }) => {
      await cancelImport(ctx, kind, jobId);
      return await answerImport(c, surface, jobId);
    })
    .post("/{jobId}/undo", {
      ...waiting,
      query: UndoQuery,
      answer: document(
        "The job that takes the import back has ended",
        "The job that takes the import back goes on; see `Location`",
      ),
    }, async ({ c, ctx, surface, jobId, query }) => {
      const { dryRun: isDryRun, reason = null, pause } = query;
      const asked = { isDryRun, pause, reason };
      const undoer = await undoImport(ctx, jobId, asked, importPathOn(surface));
      return await answerJob(c, { ctx, deps, surface }, undoer);
    })
    .post("/{jobId}/discard", {
      answer: document("The held or rehearsed import, which can no longer be applied"),
    }, ({ c, surface, jobId }) => discard(c, surface, jobId))
    .delete("/{jobId}/upload", {
      answer: document("The import; the file that it kept to be applied is deleted"),
    }, ({ c, surface, jobId }) => discard(c, surface, jobId)).routes;
}

async function discard(c: AppContext, surface: Surface, jobId: string): Promise<Response> {
  await discardUpload(c.var.ctx, jobId);
  return await answerImport(c, surface, jobId);
}
