/** Checks of many links at once, on both interfaces (docs/decisions/matching.md, "Many links at once"). */
import { z } from "@hono/zod-openapi";
import { listFiles } from "../identity/list_files.ts";
import { manager, viewer } from "../identity/route_access.ts";
import { dataPageOf, jsonAnswer, jsonBody, pageOf, room, route } from "../platform/http/http.ts";
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
  StartedLinkCheck,
} from "./link_checks/link_check.ts";
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

const tags = ["Link checks"];
const Path = z.object({ jobId: z.string() });
const IN_APP = "/api/link-checks";
const PUBLIC = "/api/public/v1/link-checks";
const writing = { by: "key", scopes: ["matches:write"] } as const;
const reading = { by: "key", scopes: [] } as const;
const data = <T extends z.ZodType>(schema: T) => z.object({ data: schema });
const WORDS = {
  start: "The lines are looked at in the background, politely",
  check: "The check",
  checks: "The newest first",
  lines: "Lines that were looked at, by outcome and number",
  table: "All lines that were looked at, as a table",
  accept: "What became of the lines; the rest of many is linked in the background",
  drop: "How many lines are put aside, or back",
  cancel: "The check; what was looked at stays",
};
const publicTable = { 200: { description: WORDS.table, content: CSV_CONTENT } };
const starting = {
  takesText: true,
  bodyBytesMax: CHECK_BYTES_MAX,
  description: `${WORDS.start}. As \`text/csv\` or \`text/plain\` the body is the \`text\``,
  tags,
  request: { body: jsonBody(LinkCheckRequest) },
} as const;

const start = route({
  method: "post",
  path: IN_APP,
  access: manager,
  ...starting,
  responses: { 202: jsonAnswer(StartedLinkCheck, WORDS.start) },
});

const publicStart = route({
  method: "post",
  path: PUBLIC,
  access: writing,
  ...starting,
  responses: { 202: jsonAnswer(data(StartedLinkCheck), WORDS.start) },
});

const list = route({
  method: "get",
  path: IN_APP,
  access: viewer,
  tags,
  request: { query: ChecksQuery },
  responses: { 200: jsonAnswer(pageOf(LinkCheck), WORDS.checks) },
});

const publicList = route({
  method: "get",
  path: PUBLIC,
  access: reading,
  tags,
  request: { query: ChecksQuery },
  responses: { 200: jsonAnswer(dataPageOf(LinkCheck), WORDS.checks) },
});

const read = route({
  method: "get",
  path: `${IN_APP}/{jobId}`,
  access: viewer,
  tags,
  request: { params: Path },
  responses: { 200: jsonAnswer(LinkCheck, WORDS.check) },
});

const publicRead = route({
  method: "get",
  path: `${PUBLIC}/{jobId}`,
  access: reading,
  tags,
  request: { params: Path },
  responses: { 200: jsonAnswer(data(LinkCheck), WORDS.check) },
});

const lines = route({
  method: "get",
  path: `${IN_APP}/{jobId}/lines`,
  access: viewer,
  tags,
  request: { params: Path, query: CheckLinesQuery },
  responses: { 200: jsonAnswer(pageOf(CheckLine), WORDS.lines) },
});

const publicLines = route({
  method: "get",
  path: `${PUBLIC}/{jobId}/lines`,
  access: reading,
  tags,
  request: { params: Path, query: CheckLinesQuery },
  responses: { 200: jsonAnswer(dataPageOf(CheckLine), WORDS.lines) },
});

const files = listFiles({
  path: `${IN_APP}/{jobId}/lines`,
  access: viewer,
  tags,
  params: Path,
  query: CheckTableFilter,
  describes: WORDS.table,
  open: (ctx, { outcome }, { jobId }) => linesTable(ctx, jobId, outcome || null),
});

const publicCsv = route({
  method: "get",
  path: `${PUBLIC}/{jobId}/lines.csv`,
  access: reading,
  tags,
  request: { params: Path, query: CheckTableQuery },
  responses: publicTable,
});

const accept = route({
  method: "post",
  path: `${IN_APP}/{jobId}/accept`,
  access: manager,
  waitsForOthers: true,
  tags,
  request: { params: Path, body: jsonBody(AcceptLines) },
  responses: { 200: jsonAnswer(AcceptedLines, WORDS.accept) },
});

const publicAccept = route({
  method: "post",
  path: `${PUBLIC}/{jobId}/accept`,
  access: writing,
  waitsForOthers: true,
  tags,
  request: { params: Path, body: jsonBody(AcceptLines) },
  responses: { 200: jsonAnswer(data(AcceptedLines), WORDS.accept) },
});

const drop = route({
  method: "post",
  path: `${IN_APP}/{jobId}/drop`,
  access: manager,
  tags,
  request: { params: Path, body: jsonBody(DropLines) },
  responses: { 200: jsonAnswer(DroppedLines, WORDS.drop) },
});

const publicDrop = route({
  method: "post",
  path: `${PUBLIC}/{jobId}/drop`,
  access: writing,
  tags,
  request: { params: Path, body: jsonBody(DropLines) },
  responses: { 200: jsonAnswer(data(DroppedLines), WORDS.drop) },
});

const cancel = route({
  method: "post",
  path: `${IN_APP}/{jobId}/cancel`,
  access: manager,
  waitsForOthers: true,
  tags,
  request: { params: Path },
  responses: { 200: jsonAnswer(LinkCheck, WORDS.cancel) },
});

const publicCancel = route({
  method: "post",
  path: `${PUBLIC}/{jobId}/cancel`,
  access: writing,
  waitsForOthers: true,
  tags,
  request: { params: Path },
  responses: { 200: jsonAnswer(data(LinkCheck), WORDS.cancel) },
});

/** Reading for viewers and any key, the rest for managers and keys that may write links. */
export function linkCheckRoutes({ delayMs }: ScrapeDeps, kind: JobKind<CheckJob>) {
  return [inAppRoutes(delayMs, kind), publicRoutes(delayMs, kind)];
}

function inAppRoutes(delayMs: number, kind: JobKind<CheckJob>) {
  return room()
    .openapi(start, async (c) => {
      const jobId = await startCheck(c.var.ctx, c.req.valid("json"));
      return c.json({ jobId }, 202, { Location: `${IN_APP}/${jobId}` });
    })
    .openapi(list, async (c) => {
      return c.json(await pageOfChecks(c.var.ctx, c.req.valid("query"), delayMs), 200);
    })
    .openapi(read, async (c) => {
      return c.json(await readCheck(c.var.ctx, c.req.valid("param").jobId, delayMs), 200);
    })
    .openapi(lines, async (c) => {
      const { jobId } = c.req.valid("param");
      return c.json(await pageOfLines(c.var.ctx, jobId, c.req.valid("query")), 200);
    })
    .route("/", files)
    .openapi(accept, async (c) => {
      const { jobId } = c.req.valid("param");
      return c.json(await acceptLines(c.var.ctx, jobId, c.req.valid("json")), 200);
    })
    .openapi(drop, async (c) => {
      const { jobId } = c.req.valid("param");
      return c.json({ changed: await dropLines(c.var.ctx, jobId, c.req.valid("json")) }, 200);
    })
    .openapi(cancel, async (c) => {
      const { jobId } = c.req.valid("param");
      await cancelCheck(c.var.ctx, kind, jobId);
      return c.json(await readCheck(c.var.ctx, jobId, delayMs), 200);
    });
}

function publicRoutes(delayMs: number, kind: JobKind<CheckJob>) {
  return room()
    .openapi(publicStart, async (c) => {
      const jobId = await startCheck(c.var.ctx, c.req.valid("json"));
      return c.json({ data: { jobId } }, 202, { Location: `${PUBLIC}/${jobId}` });
    })
    .openapi(publicList, async (c) => {
      const page = await pageOfChecks(c.var.ctx, c.req.valid("query"), delayMs);
      const { items, nextCursor, count } = page;
      return c.json({ data: items, nextCursor, count }, 200);
    })
    .openapi(publicRead, async (c) => {
      const { jobId } = c.req.valid("param");
      return c.json({ data: await readCheck(c.var.ctx, jobId, delayMs) }, 200);
    })
    .openapi(publicLines, async (c) => {
      const { jobId } = c.req.valid("param");
      const page = await pageOfLines(c.var.ctx, jobId, c.req.valid("query"));
      const { items, nextCursor, count } = page;
      return c.json({ data: items, nextCursor, count }, 200);
    })
    .openapi(publicCsv, async (c) => {
      const { outcome, dialect } = c.req.valid("query");
      const { jobId } = c.req.valid("param");
      const table = await linesTable(c.var.ctx, jobId, outcome || null);
      return tableResponse(table, { format: "csv", dialect });
    })
    .openapi(publicAccept, async (c) => {
      const { jobId } = c.req.valid("param");
      return c.json({ data: await acceptLines(c.var.ctx, jobId, c.req.valid("json")) }, 200);
    })
    .openapi(publicDrop, async (c) => {
      const { jobId } = c.req.valid("param");
      const changed = await dropLines(c.var.ctx, jobId, c.req.valid("json"));
      return c.json({ data: { changed } }, 200);
    })
    .openapi(publicCancel, async (c) => {
      const { jobId } = c.req.valid("param");
      await cancelCheck(c.var.ctx, kind, jobId);
      return c.json({ data: await readCheck(c.var.ctx, jobId, delayMs) }, 200);
    });
}
