/**
 * Imports, the same on both interfaces; on the external one (docs/decisions/imports.md) in an
 * envelope.
 */
import { z } from "@hono/zod-openapi";
import type { JobKind } from "../platform/jobs/job.ts";
import type { Access, AppContext } from "../platform/http/app_context.ts";
import {
  dataPageOf,
  jsonAnswer,
  optionalJsonBody,
  pageOf,
  room,
  route,
} from "../platform/http/http.ts";
import { applyImport } from "./jobs/apply_import.ts";
import { cancelImport } from "./jobs/cancel_import.ts";
import { discardUpload } from "./jobs/discard_upload.ts";
import { answerFindings } from "./finding_answer.ts";
import { Finding } from "./findings/finding.ts";
import { answerImport, answerImports, answerJob, answerUpload } from "./import_answer.ts";
import type { ImportFace } from "./import_answer.ts";
import type { ImportDeps } from "./apply/import_deps.ts";
import { ImportDocument, ImportSummary } from "./jobs/import_document.ts";
import { undoImport } from "./jobs/undo_import.ts";
import type { QueuedImport } from "./state/import_job.ts";
import {
  ApplyBody,
  ApplyQuery,
  FindingQuery,
  ImportQuery,
  ListQuery,
  requestOf,
  UndoQuery,
} from "./import_query.ts";
import { UPLOAD_BODY } from "./receive/upload_body.ts";
import { CSV_CONTENT, XLSX_CONTENT } from "../platform/tables/table_answer.ts";
import { EXTERNAL, IN_APP } from "./import_face.ts";

/** What the declarations of an interface differ in. */
interface ImportInterface extends ImportFace {
  readonly base: string;
  readonly listPath: string;
  readonly document: z.ZodType;
  readonly findings: z.ZodType;
  readonly list: z.ZodType;
}

const IN_APP_IMPORTS: ImportInterface = {
  ...IN_APP,
  ...pathsBelow("/api/imports"),
  listPath: "/api/imports",
  document: ImportDocument,
  findings: pageOf(Finding).meta({ id: "ImportFindingPage" }),
  list: pageOf(ImportSummary).meta({ id: "ImportPage" }),
};

const EXTERNAL_IMPORTS: ImportInterface = {
  ...EXTERNAL,
  ...pathsBelow("/api/public/v1/products/import"),
  listPath: "/api/public/v1/imports",
  document: z.object({ data: ImportDocument, count: z.int() }).meta({ id: "ImportData" }),
  findings: dataPageOf(Finding).meta({ id: "ImportFindingData" }),
  list: dataPageOf(ImportSummary).meta({ id: "ImportPageData" }),
};

function pathsBelow(base: string) {
  return { base, pathOf: (jobId: string) => `${base}/${jobId}` };
}

const tags = ["Imports"];
const params = z.object({ jobId: z.string() });

function declared({ base, listPath, change, look, document, findings, list }: ImportInterface) {
  /** What is asked of one import without any options, and answered with it. */
  const ofJob = (
    method: "get" | "post" | "delete",
    path: string,
    access: Access,
    description: string,
  ) =>
    route({
      method,
      path: `${base}/{jobId}${path}`,
      access,
      tags,
      request: { params },
      responses: { 200: jsonAnswer(document, description) },
    });
  return {
    send: route({
      method: "post",
      path: base,
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
    read: ofJob("get", "", look, "The import as it stands"),
    findings: route({
      method: "get",
      path: `${base}/{jobId}/errors`,
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
      path: `${base}/{jobId}/apply`,
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
    cancel: ofJob("post", "/cancel", change, "The import; what it has committed stays"),
    undo: route({
      method: "post",
      path: `${base}/{jobId}/undo`,
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
    discard: ofJob(
      "post",
      "/discard",
      change,
      "The held or rehearsed import, which can no longer be applied",
    ),
    deleteUpload: ofJob(
      "delete",
      "/upload",
      change,
      "The import; the file that it kept to be applied is deleted",
    ),
    list: route({
      method: "get",
      path: listPath,
      access: look,
      tags,
      request: { query: ListQuery },
      responses: { 200: jsonAnswer(list, "Newest first") },
    }),
  };
}

function routesOf(face: ImportInterface, deps: ImportDeps, kind: JobKind<QueuedImport>) {
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
      const { force, exclude, reason = null } = c.req.valid("json");
      const options = { isForced: force || c.req.valid("query").force, exclude, reason };
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
      const isDryRun = c.req.valid("query").dryRun;
      const undoer = await undoImport(c.var.ctx, jobId, { isDryRun }, face.pathOf);
      return await answerJob(c, { ctx: c.var.ctx, deps, face }, undoer);
    })
    .openapi(discard, (c) => discarded(c, c.req.valid("param").jobId))
    .openapi(deleteUpload, (c) => discarded(c, c.req.valid("param").jobId))
    .openapi(list, (c) => answerImports(c, face, c.req.valid("query")));
}

/** The routes of both interfaces. */
export function importRoutes(deps: ImportDeps, kind: JobKind<QueuedImport>) {
  return [IN_APP_IMPORTS, EXTERNAL_IMPORTS].map((face) => routesOf(face, deps, kind));
}
