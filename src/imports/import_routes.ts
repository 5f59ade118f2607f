/**
 * Imports, the same on both interfaces; on the external one (docs/decisions/imports.md) in an
 * envelope.
 */
import { z } from "@hono/zod-openapi";
import { keyWith, manager, viewer } from "../accounts/route_access.ts";
import type { AppContext } from "../platform/http/app_context.ts";
import { bothFaces } from "../platform/http/face.ts";
import {
  dataPageOf,
  jsonAnswer,
  optionalJsonBody,
  pageOf,
  room,
  route,
} from "../platform/http/http.ts";
import type { JobKind } from "../platform/jobs/job.ts";
import { CSV_CONTENT, XLSX_CONTENT } from "../platform/tables/table_answer.ts";
import type { ImportDeps } from "./apply/import_deps.ts";
import { Finding } from "./files/finding.ts";
import {
  answerFindings,
  answerImport,
  answerImports,
  answerJob,
  answerUpload,
} from "./import_answer.ts";
import {
  ApplyBody,
  ApplyQuery,
  FindingQuery,
  ImportQuery,
  ListQuery,
  requestOf,
  UndoQuery,
  UPLOAD_BODY,
} from "./import_query.ts";
import { applyImport, cancelImport, discardUpload } from "./jobs/apply_import.ts";
import { ImportDocument, ImportSummary } from "./jobs/import_document.ts";
import { undoImport } from "./jobs/undo_import.ts";
import type { QueuedImport } from "./state/import_job.ts";

const IN_APP = "/api/imports";
const EXTERNAL = "/api/public/v1/products/import";
const key = keyWith("products:write");

const FACES = bothFaces({
  pathOf: (jobId: string) => `${IN_APP}/${jobId}`,
  imports: IN_APP,
  look: viewer,
  change: manager,
  document: ImportDocument,
  findings: pageOf(Finding).meta({ id: "ImportFindingPage" }),
  list: pageOf(ImportSummary).meta({ id: "ImportPage" }),
}, {
  pathOf: (jobId: string) => `${EXTERNAL}/${jobId}`,
  imports: EXTERNAL,
  look: key,
  change: key,
  document: z.object({ data: ImportDocument, count: z.int() }).meta({ id: "ImportData" }),
  findings: dataPageOf(Finding).meta({ id: "ImportFindingData" }),
  list: dataPageOf(ImportSummary).meta({ id: "ImportPageData" }),
});

type Interface = (typeof FACES)[number];

const tags = ["Imports"];
const params = z.object({ jobId: z.string() });

function declared({ base, imports, change, look, document, findings, list }: Interface) {
  return {
    send: route({
      method: "post",
      path: imports,
      access: change,
      readsJson: false,
      takesHeaders: ["Idempotency-Key", "Prefer"],
      tags,
      request: { query: ImportQuery, body: UPLOAD_BODY },
      responses: {
        200: jsonAnswer(document, "The import has ended; see its status"),
        202: jsonAnswer(document, "The import goes on; see `Location`"),
      },
    }),
    read: route({
      method: "get",
      path: `${imports}/{jobId}`,
      access: look,
      tags,
      request: { params },
      responses: { 200: jsonAnswer(document, "The import as it stands") },
    }),
    findings: route({
      method: "get",
      path: `${imports}/{jobId}/errors`,
      access: look,
      tags,
      request: { params, query: FindingQuery },
      responses: {
        200: {
          description: "What was wrong with records and files, errors first",
          content: {
            "application/json": { schema: findings },
            ...CSV_CONTENT,
            ...XLSX_CONTENT,
            "application/xml": { schema: z.string() },
          },
        },
      },
    }),
    apply: route({
      method: "post",
      path: `${imports}/{jobId}/apply`,
      access: change,
      waitsForOthers: true,
      takesHeaders: ["Prefer"],
      tags,
      request: { params, query: ApplyQuery, body: optionalJsonBody(ApplyBody) },
      responses: {
        200: jsonAnswer(document, "The new import has ended"),
        202: jsonAnswer(document, "The new import goes on; see `Location`"),
      },
    }),
    cancel: route({
      method: "post",
      path: `${imports}/{jobId}/cancel`,
      access: change,
      tags,
      request: { params },
      responses: { 200: jsonAnswer(document, "The import; what it has committed stays") },
    }),
    undo: route({
      method: "post",
      path: `${imports}/{jobId}/undo`,
      access: change,
      waitsForOthers: true,
      takesHeaders: ["Prefer"],
      tags,
      request: { params, query: UndoQuery },
      responses: {
        200: jsonAnswer(document, "The job that takes the import back has ended"),
        202: jsonAnswer(document, "The job that takes the import back goes on; see `Location`"),
      },
    }),
    discard: route({
      method: "post",
      path: `${imports}/{jobId}/discard`,
      access: change,
      tags,
      request: { params },
      responses: {
        200: jsonAnswer(document, "The held or rehearsed import, which can no longer be applied"),
      },
    }),
    deleteUpload: route({
      method: "delete",
      path: `${imports}/{jobId}/upload`,
      access: change,
      tags,
      request: { params },
      responses: {
        200: jsonAnswer(document, "The import; the file that it kept to be applied is deleted"),
      },
    }),
    list: route({
      method: "get",
      path: `${base}/imports`,
      access: look,
      tags,
      request: { query: ListQuery },
      responses: { 200: jsonAnswer(list, "Newest first") },
    }),
  };
}

function routesOf(face: Interface, deps: ImportDeps, kind: JobKind<QueuedImport>) {
  const { send, read, findings, apply, cancel, undo, discard, deleteUpload, list } = declared(face);
  const discarded = async (c: AppContext, jobId: string) => {
    await discardUpload(c.var.ctx, jobId);
    return await answerImport(c, face, jobId);
  };
  return room()
    .openapi(send, (c) => answerUpload(c, deps, face, requestOf(c.req.valid("query"))))
    .openapi(read, (c) => answerImport(c, face, c.req.valid("param").jobId))
    .openapi(
      findings,
      (c) => answerFindings(c, face, c.req.valid("param").jobId, c.req.valid("query")),
    )
    .openapi(apply, async (c) => {
      const { jobId } = c.req.valid("param");
      const { force, allowNoPrices, exclude, reason = null } = c.req.valid("json");
      const query = c.req.valid("query");
      const options = {
        isForced: force || query.force,
        allowsNoPrices: allowNoPrices || query.allowNoPrices,
        exclude,
        reason,
      };
      const applied = await applyImport(c.var.ctx, jobId, options, face.pathOf);
      return await answerJob(c, { ctx: c.var.ctx, deps, face }, applied);
    })
    .openapi(cancel, async (c) => {
      const { jobId } = c.req.valid("param");
      await cancelImport(c.var.ctx, kind, jobId);
      return await answerImport(c, face, jobId);
    })
    .openapi(undo, async (c) => {
      const { jobId } = c.req.valid("param");
      const { dryRun: isDryRun, pause, reason = null } = c.req.valid("query");
      const asked = { isDryRun, pause, reason };
      const undoer = await undoImport(c.var.ctx, jobId, asked, face.pathOf);
      return await answerJob(c, { ctx: c.var.ctx, deps, face }, undoer);
    })
    .openapi(discard, (c) => discarded(c, c.req.valid("param").jobId))
    .openapi(deleteUpload, (c) => discarded(c, c.req.valid("param").jobId))
    .openapi(list, (c) => answerImports(c, face, c.req.valid("query")));
}

/** The routes of both interfaces. */
export function importRoutes(deps: ImportDeps, kind: JobKind<QueuedImport>) {
  return FACES.map((face) => routesOf(face, deps, kind));
}
