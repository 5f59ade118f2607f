import { findProduct, putLastScraped } from "../../catalogue/products/product_store.ts";
import { announce } from "../../platform/events/outbox_store.ts";
import type { JobTools } from "../../platform/jobs/job.ts";
import type { ScrapeDeps } from "../page/scrape_deps.ts";
import { dropTurn } from "../page/take_turn.ts";
import { NO_VISIT } from "../page/visit.ts";
import { planDue } from "../schedule/plan_due.ts";
import { findDue, saveDue } from "../schedule/schedule_store.ts";
import type { RunJob } from "./run.ts";
import { endRunRows } from "./run_store.ts";

const HOUR_MS = 3_600_000;

/**
 * The effects of a run's end, whatever its result: its slot and its turn at a shop are free, the
 * product may have another run, knows its scrape time, and is due again later.
 */
export async function finishRun(deps: ScrapeDeps, run: RunJob, tools: JobTools): Promise<void> {
  await dropTurn(tools, run.cursor ?? NO_VISIT);
  await endRunRows(tools.write, tools, run);
  if (run.stats.ok > 0) await noteScraped(run, tools);
  // The pages of other shops are as due as they were.
  if (run.args.competitorId === undefined) await moveDue(deps, run, tools);
  announceEnd(run, tools);
}

async function noteScraped(run: RunJob, tools: JobTools): Promise<void> {
  const found = await findProduct(tools, run.args.productId);
  if (!found) return;
  const at = tools.now().toISOString();
  putLastScraped(tools.write, tools.workspaceId, found, at);
}

/** A product that is not on the schedule stays off it; targets that were left out are tried again soon. */
async function moveDue({ delayMs }: ScrapeDeps, run: RunJob, tools: JobTools): Promise<void> {
  const { productId } = run.args;
  const stored = await findDue(tools, productId);
  if (!stored.due) return;
  const nowMs = tools.now().getTime();
  const tried = new Set(run.cursor?.targets ?? []);
  const question = { productId, before: stored.due, nowMs, delayMs, tried };
  const planned = await planDue(tools, question);
  const isSoon = planned !== null && run.stats.skipped > 0;
  const after = isSoon
    ? { ...planned, dueAtMs: Math.min(planned.dueAtMs, nowMs + HOUR_MS) }
    : planned;
  saveDue(tools.write, tools.workspaceId, productId, stored, after);
}

function announceEnd({ jobId, args, hasErrors, status, stats }: RunJob, tools: JobTools): void {
  if (status === "queued" || status === "running") return;
  const { productId, sku } = args;
  const data = { runId: jobId, productId, sku, status, hasErrors, counts: stats };
  announce(tools.write, tools, [
    { type: "scrape_run.finished", data },
    ...(stats.ok === 0 ? [] : [
      {
        type: "products.touched",
        data: { cause: "scrape_run", ref: jobId, productIds: [productId] },
      } as const,
    ]),
  ]);
}
