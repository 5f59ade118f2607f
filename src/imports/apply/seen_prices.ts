import {
  awaitedAmong,
  awaitsAny,
  putSeenPrice,
} from "../../catalogue/prices/awaited_price_store.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import { transact } from "../../platform/store/kv.ts";
import type { ImportJob } from "../state/import_job.ts";
import type { ResolvedRecord } from "./resolve_record.ts";

const ROWS_PER_COMMIT = 100;

/**
 * Notes what the records bring of prices that the ERP has fetched, in commits of its own before that
 * of the records: they are judged once the import has ended, and a record that is applied again brings
 * the same.
 */
export async function noteSeenPrices(
  job: ImportJob,
  tools: StepTools<ImportJob>,
  records: readonly ResolvedRecord[],
): Promise<void> {
  const brought = records.flatMap(broughtPrice);
  if (brought.length === 0 || !await awaitsAny(tools)) return;
  const awaited = await awaitedAmong(tools, brought);
  for (let at = 0; at < awaited.length; at += ROWS_PER_COMMIT) {
    await transact(tools, (write) => {
      for (const { cents, currency, ...place } of awaited.slice(at, at + ROWS_PER_COMMIT)) {
        putSeenPrice(write, tools.workspaceId, place, { jobId: job.jobId, cents, currency });
      }
    });
  }
}

/** The own price of an existing product after a record that has one. */
function broughtPrice({ record: { patch, before }, outcome }: ResolvedRecord) {
  if (before === null || patch.ourPriceCents === undefined) return [];
  if (outcome.kind !== "unchanged" && outcome.kind !== "updated") return [];
  const after = outcome.kind === "unchanged" ? outcome.before : outcome.after;
  const { ourPriceCents: cents, currency } = after;
  return [{ productId: before.id, tier: before.tier, cents, currency }];
}
