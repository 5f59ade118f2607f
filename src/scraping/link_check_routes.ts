/** Checks of many links at once, on both interfaces (docs/decisions/matching.md, "Many links at once"). */
import { z } from "@hono/zod-openapi";
import { answerCsv, answerWorkbook } from "../identity/answer_table.ts";
import { jsonAnswer, jsonBody, room, route } from "../platform/http/http.ts";
import type { JobKind } from "../platform/jobs/job.ts";
import { fileRoutes } from "../platform/http/list_file.ts";
import { CSV_CONTENT } from "../platform/tables/table_answer.ts";
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
import {
  type Face,
  FACES,
  oneAnswer,
  pageAnswer,
  READERS,
  tellingOn,
  twinRoutes,
  WRITERS,
} from "./route_twins.ts";

const tags = ["Link checks"];
const params = z.object({ jobId: z.string() });
const IN_APP = "/api/link-checks";
const PUBLIC = "/api/public/v1/link-checks";
const START_WORDS = "The lines are looked at in the background, politely";
const TABLE_WORDS = "All lines that were looked at, as a table";
const starting = {
  takesText: true,
  bodyBytesMax: CHECK_BYTES_MAX,
  description: `${START_WORDS}. As \`text/csv\` or \`text/plain\` the body is the \`text\``,
  tags,
  request: { body: jsonBody(LinkCheckRequest) },
} as const;

const start = {
  inApp: route({
    method: "post",
    path: IN_APP,
    access: WRITERS.inApp,
    ...starting,
    responses: { 202: jsonAnswer(StartedLinkCheck, START_WORDS) },
  }),
  byKey: route({
    method: "post",
    path: PUBLIC,
    access: WRITERS.byKey,
    ...starting,
    responses: { 202: jsonAnswer(z.object({ data: StartedLinkCheck }), START_WORDS) },
  }),
};

const list = twinRoutes(
  READERS,
  "/link-checks",
  { method: "get", tags, request: { query: ChecksQuery } },
  pageAnswer(LinkCheck, "The newest first"),
);

const read = twinRoutes(
  READERS,
  "/link-checks/{jobId}",
  { method: "get", tags, request: { params } },
  oneAnswer(LinkCheck, "The check"),
);

const lines = twinRoutes(
  READERS,
  "/link-checks/{jobId}/lines",
  { method: "get", tags, request: { params, query: CheckLinesQuery } },
  pageAnswer(CheckLine, "Lines that were looked at, by outcome and number"),
);

const files = fileRoutes({
  path: `${IN_APP}/{jobId}/lines`,
  access: READERS.inApp,
  tags,
  params,
  query: CheckTableFilter,
  describes: TABLE_WORDS,
});

const publicCsv = route({
  method: "get",
  path: `${PUBLIC}/{jobId}/lines.csv`,
  access: READERS.byKey,
  tags,
  request: { params, query: CheckTableQuery },
  responses: { 200: { description: TABLE_WORDS, content: CSV_CONTENT } },
});

const accept = twinRoutes(
  WRITERS,
  "/link-checks/{jobId}/accept",
  { method: "post", waitsForOthers: true, tags, request: { params, body: jsonBody(AcceptLines) } },
  oneAnswer(
    AcceptedLines,
    "What became of the lines; the rest of many is linked in the background",
  ),
);

const drop = twinRoutes(
  WRITERS,
  "/link-checks/{jobId}/drop",
  { method: "post", tags, request: { params, body: jsonBody(DropLines) } },
  oneAnswer(DroppedLines, "How many lines are put aside, or back"),
);

const cancel = twinRoutes(
  WRITERS,
  "/link-checks/{jobId}/cancel",
  { method: "post", waitsForOthers: true, tags, request: { params } },
  oneAnswer(LinkCheck, "The check; what was looked at stays"),
);

/** Reading for viewers and any key, the rest for managers and keys that may write links. */
export function linkCheckRoutes({ delayMs }: ScrapeDeps, kind: JobKind<CheckJob>) {
  // The documents have the operations in this order.
  return [
    ...FACES.map((face) => lookingRoutes(face, delayMs)),
    tableRoutes(),
    ...FACES.map((face) => decidingRoutes(face, delayMs, kind)),
  ];
}

function lookingRoutes(face: Face, delayMs: number) {
  const { tellOne, tellPage } = tellingOn(face);
  return room()
    .openapi(start[face], async (c) => {
      const jobId = await startCheck(c.var.ctx, c.req.valid("json"));
      return face === "inApp"
        ? c.json({ jobId }, 202, { Location: `${IN_APP}/${jobId}` })
        : c.json({ data: { jobId } }, 202, { Location: `${PUBLIC}/${jobId}` });
    })
    .openapi(list[face], async (c) => {
      return tellPage(c, await pageOfChecks(c.var.ctx, c.req.valid("query"), delayMs));
    })
    .openapi(read[face], async (c) => {
      return tellOne(c, await readCheck(c.var.ctx, c.req.valid("param").jobId, delayMs));
    })
    .openapi(lines[face], async (c) => {
      const { jobId } = c.req.valid("param");
      return tellPage(c, await pageOfLines(c.var.ctx, jobId, c.req.valid("query")));
    });
}

function decidingRoutes(face: Face, delayMs: number, kind: JobKind<CheckJob>) {
  const { tellOne } = tellingOn(face);
  return room()
    .openapi(accept[face], async (c) => {
      const { jobId } = c.req.valid("param");
      return tellOne(c, await acceptLines(c.var.ctx, jobId, c.req.valid("json")));
    })
    .openapi(drop[face], async (c) => {
      const { jobId } = c.req.valid("param");
      return tellOne(c, { changed: await dropLines(c.var.ctx, jobId, c.req.valid("json")) });
    })
    .openapi(cancel[face], async (c) => {
      const { jobId } = c.req.valid("param");
      await cancelCheck(c.var.ctx, kind, jobId);
      return tellOne(c, await readCheck(c.var.ctx, jobId, delayMs));
    });
}

function tableRoutes() {
  return room()
    .openapi(files.csv, async (c) => {
      const { outcome, ...form } = c.req.valid("query");
      return answerCsv(await linesTable(c.var.ctx, c.req.param("jobId"), outcome || null), form);
    })
    .openapi(files.xlsx, async (c) => {
      const { outcome, lang } = c.req.valid("query");
      const wanted = await linesTable(c.var.ctx, c.req.param("jobId"), outcome || null);
      return await answerWorkbook(c.var.ctx, wanted, lang);
    })
    .openapi(publicCsv, async (c) => {
      const { outcome, ...form } = c.req.valid("query");
      const { jobId } = c.req.valid("param");
      return answerCsv(await linesTable(c.var.ctx, jobId, outcome || null), form);
    });
}
