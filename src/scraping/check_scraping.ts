import { hasEnded } from "../platform/jobs/job.ts";
import { findJob } from "../platform/jobs/job_store.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
import { miscounts } from "../shops/check_shops.ts";
import { CHECK_KIND, type CheckJob } from "./link_checks/link_check.ts";
import { walkCheckEntries } from "./link_checks/link_check_store.ts";
import { findCompetitorLoads, schedules } from "./schedule/schedule.ts";

/**
 * Checks that stored counts of link checks and due fetches agree with the rows that they count
 * (docs/decisions/keys.md).
 */
export async function* checkScraping(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  yield* checkLinkChecks(workspace);
  const loads = new Map<string, number>();
  for await (const { row } of schedules.walk(workspace)) {
    for (const [id, load] of Object.entries(row.load.competitors)) {
      loads.set(id, (loads.get(id) ?? 0) + load);
    }
  }
  const ids = [...loads.keys()];
  const sums = await findCompetitorLoads(workspace, ids);
  const counted = new Map(ids.map((id, at) => [id, sums[at] ?? 0]));
  yield* miscounts(
    loads,
    counted,
    (id, count, there) => `Competitor ${id} counts ${count} due fetches, there are ${there}`,
  );
}

async function* checkLinkChecks(workspace: WorkspaceStore): AsyncGenerator<string> {
  const counted = new Map<string, number>();
  const found = new Map<string, number>();
  const checks = new Map<string, { lines: number; parts: number; waiting: number }>();
  for await (const entry of walkCheckEntries(workspace)) {
    const { checkId, kind } = entry;
    const seen = checks.get(checkId) ?? { lines: 0, parts: 0, waiting: 0 };
    checks.set(checkId, seen);
    if (kind === "part") seen.parts++;
    else if (kind === "left" || kind === "sum") {
      counted.set(`${checkId} ${entry.name}`, entry.count);
    } else {
      if (kind === "wait") seen.waiting++;
      else seen.lines++;
      const name = `${checkId} ${entry.name}`;
      found.set(name, (found.get(name) ?? 0) + 1);
    }
  }
  yield* miscounts(
    found,
    counted,
    (name, count, there) => `A link check counts ${count} lines (${name}), there are ${there}`,
  );
  for (const [checkId, { lines, parts, waiting }] of checks) {
    const check = await findJob<CheckJob>(workspace, CHECK_KIND, checkId);
    // An interrupted upload leaves `parts` without a link check, which is no error.
    if (check === null) {
      if (lines + waiting > 0) yield `Lines of the link check ${checkId} belong to no check`;
    } else if (hasEnded(check) && check.status === "succeeded" && parts + waiting > 0) {
      yield `The link check ${checkId} has ended, but ${parts + waiting} rows of it still wait`;
    } else if (check.status === "succeeded" && lines !== check.stats.lines) {
      yield `The link check ${checkId} has ${check.stats.lines} lines, but ${lines} were checked`;
    }
  }
}
