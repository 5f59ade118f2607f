/** Checks of many links at once, on both interfaces (docs/decisions/matching.md, "Many links at once"). */
import { anyKey, keyWith, manager, viewer } from "../accounts/route_access.ts";
import { one, page } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import type { JobKind } from "../platform/jobs/job.ts";
import {
  acceptLines,
  cancelCheck,
  dropLines,
  makeShops,
  readMissingShops,
  startCheck,
} from "./link_checks/start_check.ts";
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
import {
  CheckLinesQuery,
  ChecksQuery,
  CheckTableFilter,
  linesTable,
  pageOfChecks,
  pageOfLines,
  readCheck,
} from "./link_checks/read_check.ts";
import type { ScrapeDeps } from "./page/scrape_deps.ts";

const START_WORDS = "The lines are looked at in the background, politely";
const ACCEPT_WORDS = "What became of the lines; the rest of many is linked in the background";
const TABLE_WORDS = "All lines that were looked at, as a table";

export function linkCheckRoutes({ delayMs }: ScrapeDeps, kind: JobKind<CheckJob>) {
  const tags = ["Link checks"];
  const location = ({ jobId }: { readonly jobId: string }) => `/link-checks/${jobId}`;
  return resource("/link-checks", {
    look: { people: viewer, keys: anyKey },
    change: { people: manager, keys: keyWith("matches:write") },
    tags,
  })
    .post("", {
      takesText: true,
      bodyBytesMax: CHECK_BYTES_MAX,
      description:
        `${START_WORDS}. As \`text/csv\` or \`text/plain\` the body is the value of \`text\``,
      body: LinkCheckRequest,
      answer: one(StartedLinkCheck, START_WORDS),
      status: 202,
      location,
    }, async ({ ctx, body }) => ({ jobId: await startCheck(ctx, body) }))
    .list({
      query: ChecksQuery,
      answer: page(LinkCheck, "Checks, newest first"),
    }, ({ ctx, query }) => pageOfChecks(ctx, query, delayMs))
    .get("/{jobId}", {
      answer: one(LinkCheck, "The check"),
    }, ({ ctx, jobId }) => readCheck(ctx, jobId, delayMs))
    .get("/{jobId}/lines", {
      query: CheckLinesQuery,
      answer: page(CheckLine, "Checked lines, by outcome and number"),
    }, ({ ctx, jobId, query }) => pageOfLines(ctx, jobId, query))
    .files("/{jobId}/lines", {
      tags,
      query: CheckTableFilter,
      words: TABLE_WORDS,
      external: TABLE_WORDS,
      open: (ctx, filter, { jobId }) => linesTable(ctx, jobId, filter),
    })
    .post("/{jobId}/accept", {
      waitsForOthers: true,
      body: AcceptLines,
      answer: one(AcceptedLines, ACCEPT_WORDS),
    }, ({ ctx, jobId, body }) => acceptLines(ctx, jobId, body))
    .post("/{jobId}/drop", {
      body: DropLines,
      answer: one(DroppedLines, "Number of dropped or restored lines"),
    }, async ({ ctx, jobId, body }) => ({ changed: await dropLines(ctx, jobId, body) }))
    .get("/{jobId}/shops", {
      answer: one(MissingShops, "Unknown shops of open lines"),
    }, ({ ctx, jobId }) => readMissingShops(ctx, jobId))
    .post("/{jobId}/shops", {
      optionalBody: NewShops,
      answer: one(MadeShops, "The new shops, and the new check of their lines"),
      status: 202,
      location,
    }, ({ ctx, jobId, body }) => makeShops(ctx, jobId, body))
    .post("/{jobId}/cancel", {
      waitsForOthers: true,
      answer: one(LinkCheck, "The check; its results so far stay"),
    }, ({ ctx, jobId }) => cancelCheck(ctx, kind, jobId, delayMs)).routes;
}
