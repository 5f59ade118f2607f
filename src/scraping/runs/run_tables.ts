/** Runs, and what one of them brought, as tables that leave the service. */
import { exponentOf } from "../../base/currency.ts";
import { type Columns, openListTable } from "../../platform/http/list_file.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  amountCell,
  codeCell,
  momentCell,
  type OutgoingTable,
  storedCodeCell,
} from "../../platform/tables/cell.ts";
import { pageOfRuns, readRun, type RunFilter } from "./read_runs.ts";
import type { Run, RunResult } from "./run.ts";

const RUN_COLUMNS: Columns<Run> = {
  createdAt: ({ createdAt }) => momentCell(createdAt),
  sku: ({ sku }) => sku,
  status: ({ status }) => codeCell("jobStates", status),
  hasErrors: ({ hasErrors }) => hasErrors,
  targets: ({ counts }) => counts.targets,
  ok: ({ counts }) => counts.ok,
  failed: ({ counts }) => counts.failed,
  skipped: ({ counts }) => counts.skipped,
  trigger: ({ trigger }) => codeCell("runTriggers", trigger),
  requestedBy: ({ requestedBy }) => requestedBy.name,
  startedAt: ({ startedAt }) => momentCell(startedAt),
  finishedAt: ({ finishedAt }) => momentCell(finishedAt),
  productId: ({ productId }) => productId,
  id: ({ id }) => id,
};

const RESULT_COLUMNS: Columns<RunResult> = {
  competitor: ({ competitor }) => competitor,
  url: ({ url }) => url,
  status: ({ status }) => codeCell("visitResults", status),
  price: ({ price, currency }) => amountCell(price, exponentOf(currency ?? "")),
  currency: ({ currency }) => currency,
  inStock: ({ inStock }) => inStock,
  availability: ({ availability }) => codeCell("availabilities", availability),
  pageStatus: ({ pageStatus }) => storedCodeCell("pageStatuses", pageStatus),
  method: ({ method }) => method,
  confidence: ({ confidence }) => confidence,
  httpStatus: ({ httpStatus }) => httpStatus,
  errorCode: ({ errorCode }) => storedCodeCell("scrapeErrors", errorCode),
  message: ({ message }) => message,
  durationMs: ({ durationMs }) => durationMs,
  competitorProductId: ({ competitorProductId }) => competitorProductId,
};

/** Every run that fits, in the order of the list. */
export async function openRunTable(ctx: Context, filter: RunFilter): Promise<OutgoingTable> {
  return await openListTable("scrape-runs", RUN_COLUMNS, (page) => pageOfRuns(ctx, filter, page));
}

/** What came of the pages of a run that are done. Refuses with `not_found`. */
export async function openResultTable(ctx: Context, runId: string): Promise<OutgoingTable> {
  const { results } = await readRun(ctx, runId);
  const whole = { items: results, nextCursor: null, count: results.length };
  return await openListTable(`scrape-run-${runId}`, RESULT_COLUMNS, () => Promise.resolve(whole));
}
