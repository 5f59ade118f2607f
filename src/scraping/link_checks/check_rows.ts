import { hasEnded } from "../../platform/jobs/job.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { CHECK_KIND, type CheckJob } from "./link_check.ts";
import { walkCheckEntries } from "./link_check_store.ts";

/** Looks for checked lines that are not as their counts and their check say. */
export async function* checkLinkChecks(workspace: WorkspaceStore): AsyncGenerator<string> {
  const told = new Map<string, number>();
  const found = new Map<string, number>();
  const checks = new Map<string, { lines: number; parts: number; waiting: number }>();
  for await (const entry of walkCheckEntries(workspace)) {
    const { checkId, kind } = entry;
    const seen = checks.get(checkId) ?? { lines: 0, parts: 0, waiting: 0 };
    checks.set(checkId, seen);
    if (kind === "part") seen.parts++;
    else if (kind === "left" || kind === "sum") told.set(`${checkId} ${entry.name}`, entry.count);
    else {
      if (kind === "wait") seen.waiting++;
      else seen.lines++;
      const name = `${checkId} ${entry.name}`;
      found.set(name, (found.get(name) ?? 0) + 1);
    }
  }
  for (const name of new Set([...told.keys(), ...found.keys()])) {
    const [counted, there] = [told.get(name) ?? 0, found.get(name) ?? 0];
    if (counted !== there) {
      yield `A link check counts ${counted} lines (${name}), there are ${there}`;
    }
  }
  for (const [checkId, { lines, parts, waiting }] of checks) {
    const check = await findJob<CheckJob>(workspace, CHECK_KIND, checkId);
    // Lines that came in while the process died have no check, and go by themselves.
    if (check === null) {
      if (lines + waiting > 0) yield `Lines of the link check ${checkId} have no check`;
    } else if (hasEnded(check) && check.status === "succeeded" && parts + waiting > 0) {
      yield `The link check ${checkId} has ended, and ${parts + waiting} rows of it wait`;
    } else if (check.status === "succeeded" && lines !== check.stats.lines) {
      yield `The link check ${checkId} has ${check.stats.lines} lines, ${lines} were looked at`;
    }
  }
}
