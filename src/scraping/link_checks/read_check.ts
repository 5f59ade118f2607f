/** Reads link checks and their lines. Each line names one product and one page. */
import { z } from "@hono/zod-openapi";
import { readCompetitorSet } from "../../shops/competitor_store.ts";
import { openCursor, type Page, pageById, pageQuery, toPage } from "../../platform/http/http.ts";
import { type Columns, fields, openListTable } from "../../catalogue/lists/list_file.ts";
import { hasEnded } from "../../platform/jobs/job.ts";
import { listJobs } from "../../platform/jobs/job_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { codeCell, storedCodeCell } from "../../engine/wording/code_words.ts";
import type { LocalisedText } from "../../base/codes.ts";
import { momentCell, moneyCell, type OutgoingTable } from "../../platform/tables/cell.ts";
import { storedReasonText } from "../../engine/wording/page_words.ts";
import { type AskedKind, requireAsked } from "../asked_jobs.ts";
import {
  CHECK_OUTCOMES,
  type CheckOutcome,
  LINE_STATUSES,
  type LineStatus,
} from "./check_codes.ts";
import {
  CHECK_KIND,
  type CheckJob,
  type CheckLine,
  type LinkCheck,
  type StoredCheckLine,
} from "./link_check.ts";
import { CheckRows, type FoundLine } from "./link_check_store.ts";
import { firstOf, fromKeys, sumOf } from "../../base/collections.ts";

const Outcome = z.enum(["", ...CHECK_OUTCOMES]).optional()
  .describe("Only lines with this outcome; default: all checked lines, by outcome");

export const CheckLinesQuery = z.strictObject({
  outcome: Outcome,
  status: z.enum(["", ...LINE_STATUSES]).optional(),
  ...pageQuery(50, 200),
});

export const CheckTableFilter = z.strictObject({ outcome: Outcome });

export const ChecksQuery = z.strictObject(pageQuery(20, 200));

export const ASKED_CHECK: AskedKind = {
  kind: CHECK_KIND,
  name: "link check",
  path: "/api/link-checks",
};

export async function requireCheck(workspace: WorkspaceStore, id: string): Promise<CheckJob> {
  return await requireAsked(workspace, ASKED_CHECK, id);
}

export async function readCheck(ctx: Context, id: string, delayMs: number): Promise<LinkCheck> {
  return await toCheck(ctx, await requireCheck(ctx, id), delayMs);
}

export async function pageOfChecks(
  ctx: Context,
  query: z.output<typeof ChecksQuery>,
  delayMs: number,
): Promise<Page<LinkCheck>> {
  return await pageById(ctx, query, async ({ after: afterId, limit }) => {
    const asked = { kind: CHECK_KIND, limit, afterId, order: "newest" } as const;
    const { jobs } = await listJobs<CheckJob>(ctx, asked);
    return await Promise.all(jobs.map((job) => toCheck(ctx, job, delayMs)));
  });
}

async function toCheck(ctx: Context, job: CheckJob, delayMs: number): Promise<LinkCheck> {
  const rows = new CheckRows(ctx, job.jobId);
  const sums = await rows.readSums();
  const count = (outcome: CheckOutcome, ...statuses: readonly LineStatus[]) =>
    sumOf(statuses, (status) => sums.get(`${outcome} ${status}`) ?? 0);
  const checked = fromKeys(CHECK_OUTCOMES, (outcome) => count(outcome, ...LINE_STATUSES));
  const { lines } = job.stats;
  const waiting = lines - sumOf(CHECK_OUTCOMES, (outcome) => checked[outcome]);
  const left = hasEnded(job) || waiting === 0 ? 0 : await rows.readMostLeft();
  // A visit takes about 200 ms, plus the delay between two requests.
  const etaMs = ctx.now().getTime() + left * (delayMs + 200);
  return {
    id: job.jobId,
    status: job.status,
    lines,
    counts: { ...checked, waiting },
    open: { sure: count("sure", "open"), check: count("check", "open") },
    linked: sumOf(CHECK_OUTCOMES, (outcome) => count(outcome, "linked", "existing")),
    etaAt: left === 0 ? null : new Date(etaMs).toISOString(),
    createdBy: job.createdBy.name,
    createdAt: job.createdAt,
    finishedAt: job.finishedAt,
  };
}

export async function pageOfLines(
  ctx: Context,
  id: string,
  { outcome, status, limit, cursor }: z.output<typeof CheckLinesQuery>,
): Promise<Page<CheckLine>> {
  await requireCheck(ctx, id);
  const begin = openCursor(ctx, cursor, z.tuple([z.enum(CHECK_OUTCOMES), z.int()]));
  const fits = ({ line }: FoundLine) => !status || line.status === status;
  const outcomes = outcome ? [outcome] : CHECK_OUTCOMES;
  const [first, after] = begin ?? [outcomes[0], 0];
  const left = outcomes.slice(outcomes.findIndex((one) => one === first));
  const rows = await firstOf(new CheckRows(ctx, id).walkOutcomes(left, after), limit + 1, fits);
  const positionOf = ({ line }: FoundLine) => [line.outcome, line.line];
  const page = toPage(ctx, { rows, limit, positionOf });
  return { ...page, items: await named(ctx, page.items) };
}

async function named(workspace: WorkspaceStore, lines: readonly FoundLine[]): Promise<CheckLine[]> {
  const { byId } = await readCompetitorSet(workspace);
  return lines.map(({ line }) => {
    const shop = line.competitorId === null ? undefined : byId.get(line.competitorId);
    // Lines of earlier versions of Kurant have no `nearSkus`.
    const { reasons, nearSkus = [] }: Omit<StoredCheckLine, "nearSkus"> & Partial<StoredCheckLine> =
      line;
    const competitor = shop?.displayName ?? null;
    return { ...line, reasons: [...reasons], nearSkus: [...nearSkus], competitor };
  });
}

const COLUMNS: Columns<CheckLine> = {
  ...fields("line", "sku"),
  nearSkus: ({ nearSkus }) => nearSkus.join(" | "),
  ...fields("gtin", "url", "packFactor"),
  outcome: ({ outcome }) => codeCell("checkOutcomes", outcome),
  status: ({ status }) => codeCell("lineStatuses", status),
  ...fields("title", "competitor"),
  verdict: ({ verdict }) => codeCell("verdicts", verdict),
  reasons: ({ reasons }) => reasonsCell(reasons),
  pageTitle: ({ page }) => page?.title ?? null,
  pageGtin: ({ page }) => page?.gtin ?? null,
  price: ({ price, currency }) => moneyCell(price, currency ?? ""),
  currency: ({ currency }) => currency,
  errorCode: ({ errorCode }) => storedCodeCell("lineFaults", errorCode),
  message: ({ message }) => message,
  checkedAt: ({ checkedAt }) => momentCell(checkedAt),
};

export async function linesTable(
  ctx: Context,
  id: string,
  filter: z.output<typeof CheckTableFilter>,
): Promise<OutgoingTable> {
  return await openListTable("link-check", COLUMNS, (page) => {
    return pageOfLines(ctx, id, { ...filter, ...page });
  });
}

function reasonsCell(reasons: CheckLine["reasons"]): LocalisedText {
  return {
    plain: reasons.map(({ code }) => code).join(" "),
    textIn: (language) =>
      reasons.map((reason) => storedReasonText(reason, language) ?? reason.code).join("; "),
  };
}
