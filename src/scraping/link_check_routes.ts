/** Checks of many links at once, on both interfaces (docs/decisions/matching.md, "Many links at once"). */

import { anyKey, keyWith, listFiles, manager, viewer } from "../accounts/route_access.ts";
import { bothFaces, documentIn, pageIn, told, toldPage } from "../platform/http/face.ts";
import { jsonAnswer, jsonBody, optionalJsonBody, room, route } from "../platform/http/http.ts";
import type { JobKind } from "../platform/jobs/job.ts";
import { CSV_CONTENT, tableResponse } from "../platform/tables/table_answer.ts";
import { acceptLines } from "./link_checks/accept_lines.ts";
import { cancelCheck } from "./link_checks/cancel_check.ts";
import { dropLines } from "./link_checks/drop_lines.ts";
import {
  AcceptedLines,
  AcceptLines,
  CHECK_BYTES_MAX,
  type CheckJob,
  CheckLine,
  DropLines,
  DroppedLines,
  LinkCheck,
  LinkCheckRequest,
  MadeShops,
  MissingShops,
  NewShops,
  StartedLinkCheck,
} from "./link_checks/link_check.ts";
import { makeShops, readMissingShops } from "./link_checks/make_shops.ts";
import {
  CheckLinesQuery,
  ChecksQuery,
  CheckTableFilter,
  CheckTableQuery,
  linesTable,
  pageOfChecks,
  pageOfLines,
  readCheck,
} from "./link_checks/read_check.ts";
import { startCheck } from "./link_checks/start_check.ts";
import type { ScrapeDeps } from "./page/scrape_deps.ts";
import { z } from "@hono/zod-openapi";

const tags = ["Link checks"];
const params = z.object({ jobId: z.string() });
const START_WORDS = "The lines are looked at in the background, politely";
const TABLE_WORDS = "All lines that were looked at, as a table";

const files = listFiles({
  path: "/api/link-checks/{jobId}/lines",
  access: viewer,
  tags,
  params,
  query: CheckTableFilter,
  describes: TABLE_WORDS,
  open: (ctx, { outcome }, { jobId }) => linesTable(ctx, jobId, outcome || null),
});

const publicCsv = route({
  method: "get",
  path: "/api/public/v1/link-checks/{jobId}/lines.csv",
  access: anyKey,
  tags,
  request: { params, query: CheckTableQuery },
  responses: { 200: { description: TABLE_WORDS, content: CSV_CONTENT } },
});

const publicFile = room().openapi(publicCsv, async (c) => {
  const { outcome, dialect } = c.req.valid("query");
  const table = await linesTable(c.var.ctx, c.req.valid("param").jobId, outcome || null);
  return tableResponse(table, { format: "csv", dialect });
});

const FACES = bothFaces(
  { look: viewer, change: manager, files },
  { look: anyKey, change: keyWith("matches:write"), files: publicFile },
);

type CheckFace = (typeof FACES)[number];

function declared(face: CheckFace) {
  const { look, change } = face;
  const base = `${face.base}/link-checks` as const;
  return {
    start: route({
      method: "post",
      path: base,
      access: change,
      takesText: true,
      bodyBytesMax: CHECK_BYTES_MAX,
      description: `${START_WORDS}. As \`text/csv\` or \`text/plain\` the body is the \`text\``,
      tags,
      request: { body: jsonBody(LinkCheckRequest) },
      responses: { 202: jsonAnswer(documentIn(face, StartedLinkCheck), START_WORDS) },
    }),
    list: route({
      method: "get",
      path: base,
      access: look,
      tags,
      request: { query: ChecksQuery },
      responses: { 200: jsonAnswer(pageIn(face, LinkCheck), "The newest first") },
    }),
    read: route({
      method: "get",
      path: `${base}/{jobId}`,
      access: look,
      tags,
      request: { params },
      responses: { 200: jsonAnswer(documentIn(face, LinkCheck), "The check") },
    }),
    lines: route({
      method: "get",
      path: `${base}/{jobId}/lines`,
      access: look,
      tags,
      request: { params, query: CheckLinesQuery },
      responses: {
        200: jsonAnswer(
          pageIn(face, CheckLine),
          "Lines that were looked at, by outcome and number",
        ),
      },
    }),
    accept: route({
      method: "post",
      path: `${base}/{jobId}/accept`,
      access: change,
      waitsForOthers: true,
      tags,
      request: { params, body: jsonBody(AcceptLines) },
      responses: {
        200: jsonAnswer(
          documentIn(face, AcceptedLines),
          "What became of the lines; the rest of many is linked in the background",
        ),
      },
    }),
    drop: route({
      method: "post",
      path: `${base}/{jobId}/drop`,
      access: change,
      tags,
      request: { params, body: jsonBody(DropLines) },
      responses: {
        200: jsonAnswer(
          documentIn(face, DroppedLines),
          "How many lines are put aside, or back",
        ),
      },
    }),
    missing: route({
      method: "get",
      path: `${base}/{jobId}/shops`,
      access: look,
      tags,
      request: { params },
      responses: {
        200: jsonAnswer(
          documentIn(face, MissingShops),
          "Shops of open lines that are none of ours",
        ),
      },
    }),
    shops: route({
      method: "post",
      path: `${base}/{jobId}/shops`,
      access: change,
      tags,
      request: { params, body: optionalJsonBody(NewShops) },
      responses: {
        202: jsonAnswer(
          documentIn(face, MadeShops),
          "The shops are made, their lines checked anew",
        ),
      },
    }),
    cancel: route({
      method: "post",
      path: `${base}/{jobId}/cancel`,
      access: change,
      waitsForOthers: true,
      tags,
      request: { params },
      responses: {
        200: jsonAnswer(documentIn(face, LinkCheck), "The check; what was looked at stays"),
      },
    }),
  };
}

/** Reading for viewers and any key, the rest for managers and keys that may write links. */
export function linkCheckRoutes({ delayMs }: ScrapeDeps, kind: JobKind<CheckJob>) {
  return FACES.map((face) => routesOf(face, delayMs, kind));
}

function routesOf(face: CheckFace, delayMs: number, kind: JobKind<CheckJob>) {
  const { start, list, read, lines, accept, drop, missing, shops, cancel } = declared(face);
  return room()
    .openapi(start, async (c) => {
      const jobId = await startCheck(c.var.ctx, c.req.valid("json"));
      const headers = { Location: `${face.base}/link-checks/${jobId}` };
      return c.json(told(face, { jobId }), 202, headers);
    })
    .openapi(list, async (c) => {
      return c.json(
        toldPage(face, await pageOfChecks(c.var.ctx, c.req.valid("query"), delayMs)),
        200,
      );
    })
    .openapi(read, async (c) => {
      const { jobId } = c.req.valid("param");
      return c.json(told(face, await readCheck(c.var.ctx, jobId, delayMs)), 200);
    })
    .openapi(lines, async (c) => {
      const { jobId } = c.req.valid("param");
      return c.json(toldPage(face, await pageOfLines(c.var.ctx, jobId, c.req.valid("query"))), 200);
    })
    .route("/", face.files)
    .openapi(accept, async (c) => {
      const { jobId } = c.req.valid("param");
      return c.json(told(face, await acceptLines(c.var.ctx, jobId, c.req.valid("json"))), 200);
    })
    .openapi(drop, async (c) => {
      const { jobId } = c.req.valid("param");
      const changed = await dropLines(c.var.ctx, jobId, c.req.valid("json"));
      return c.json(told(face, { changed }), 200);
    })
    .openapi(missing, async (c) => {
      const { jobId } = c.req.valid("param");
      return c.json(told(face, await readMissingShops(c.var.ctx, jobId)), 200);
    })
    .openapi(shops, async (c) => {
      const made = await makeShops(c.var.ctx, c.req.valid("param").jobId, c.req.valid("json"));
      const headers = { Location: `${face.base}/link-checks/${made.jobId}` };
      return c.json(told(face, made), 202, headers);
    })
    .openapi(cancel, async (c) => {
      const { jobId } = c.req.valid("param");
      await cancelCheck(c.var.ctx, kind, jobId);
      return c.json(told(face, await readCheck(c.var.ctx, jobId, delayMs)), 200);
    });
}
