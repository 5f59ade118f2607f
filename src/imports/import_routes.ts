/** Imports on the in-app interface: the same as on the external one, without an envelope. */
import { z } from "@hono/zod-openapi";
import type { JobKind } from "../platform/job.ts";
import { jsonAnswer, pageOf, room, route } from "../platform/http.ts";
import { applyImport } from "./apply_import.ts";
import { cancelImport } from "./cancel_import.ts";
import { answerFindings } from "./finding_answer.ts";
import { Finding } from "./finding.ts";
import { answerImport, answerJob, answerUpload, type ImportFace } from "./import_answer.ts";
import type { ImportDeps } from "./import_deps.ts";
import { ImportDocument, ImportSummary } from "./import_document.ts";
import type { ImportJob } from "./import_job.ts";
import { ApplyQuery, FindingQuery, ImportQuery, ListQuery, optionsOf } from "./import_query.ts";
import { pageOfImports } from "./read_imports.ts";
import { UPLOAD_BODY } from "./upload_body.ts";

const BASE = "/api/imports";
const manager = { by: "session", role: "manager" } as const;
const viewer = { by: "session", role: "viewer" } as const;
const tags = ["Imports"];
const params = z.object({ jobId: z.string() });

const FACE: ImportFace = { pathOf: (jobId) => `${BASE}/${jobId}`, isEnveloped: false };

const send = route({
  method: "post",
  path: BASE,
  access: manager,
  readsJson: false,
  tags,
  request: { query: ImportQuery, body: UPLOAD_BODY },
  responses: {
    200: jsonAnswer(ImportDocument, "The import has ended; see `status`"),
    202: jsonAnswer(ImportDocument, "The import goes on; see `Location`"),
  },
});

const read = route({
  method: "get",
  path: `${BASE}/{jobId}`,
  access: viewer,
  tags,
  request: { params },
  responses: { 200: jsonAnswer(ImportDocument, "The import as it stands") },
});

const findings = route({
  method: "get",
  path: `${BASE}/{jobId}/errors`,
  access: viewer,
  tags,
  request: { params, query: FindingQuery },
  responses: {
    200: {
      description: "What was wrong with records and files, errors first",
      content: {
        "application/json": { schema: pageOf(Finding).meta({ id: "ImportFindingPage" }) },
        "text/csv": { schema: z.string() },
        "application/xml": { schema: z.string() },
      },
    },
  },
});

const apply = route({
  method: "post",
  path: `${BASE}/{jobId}/apply`,
  access: manager,
  tags,
  request: { params, query: ApplyQuery },
  responses: {
    200: jsonAnswer(ImportDocument, "The new import has ended"),
    202: jsonAnswer(ImportDocument, "The new import goes on; see `Location`"),
  },
});

const cancel = route({
  method: "post",
  path: `${BASE}/{jobId}/cancel`,
  access: manager,
  tags,
  request: { params },
  responses: { 200: jsonAnswer(ImportDocument, "The import; what it has committed stays") },
});

const list = route({
  method: "get",
  path: BASE,
  access: viewer,
  tags,
  request: { query: ListQuery },
  responses: {
    200: jsonAnswer(pageOf(ImportSummary).meta({ id: "ImportPage" }), "Newest first"),
  },
});

export function importRoutes(deps: ImportDeps, kind: JobKind<ImportJob>) {
  return room()
    .openapi(send, (c) => answerUpload(c, deps, FACE, optionsOf(c.req.valid("query"))))
    .openapi(read, (c) => answerImport(c, FACE, c.req.valid("param").jobId))
    .openapi(
      findings,
      (c) => answerFindings(c, FACE, c.req.valid("param").jobId, c.req.valid("query")),
    )
    .openapi(apply, async (c) => {
      const { jobId } = c.req.valid("param");
      const isForced = c.req.valid("query").force;
      const applied = await applyImport(c.var.ctx, jobId, { isForced }, FACE.pathOf);
      return await answerJob(c, { ctx: c.var.ctx, deps, face: FACE }, applied);
    })
    .openapi(cancel, async (c) => {
      const { jobId } = c.req.valid("param");
      await cancelImport(c.var.ctx, kind, jobId);
      return await answerImport(c, FACE, jobId);
    })
    .openapi(list, async (c) => c.json(await pageOfImports(c.var.ctx, c.req.valid("query")), 200));
}
