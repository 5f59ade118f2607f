/** The job that creates links from checked lines. */
import { Failure } from "../../base/failure.ts";
import { addLink, requireTarget } from "../../shops/matches/change_match.ts";
import type { JobKind, StepResult, StepTools } from "../../platform/jobs/job.ts";
import type { ScrapeDeps } from "../page/scraper.ts";
import {
  ACCEPT_KIND,
  type AcceptCursor,
  type AcceptJob,
  type StoredCheckLine,
} from "./link_check.ts";
import { CheckRows, type FoundLine } from "./link_check_store.ts";

type Tools = StepTools<AcceptJob>;
const BEGIN: AcceptCursor = { outcome: 0, after: 0 };

export function createAcceptKind({ limits }: ScrapeDeps): JobKind<AcceptJob> {
  return {
    kind: ACCEPT_KIND,
    slotsPerProcess: 4,
    // Simultaneous jobs would conflict on the same products.
    isSerialPerWorkspace: true,
    step: async (job, tools) => {
      const cursor = job.cursor ?? BEGIN;
      const next = job.args.lines === null
        ? await nextOpen(tools, job, cursor)
        : await nextNamed(tools, job, cursor, job.args.lines);
      if (next === null) return { end: { status: "succeeded" } };
      return await acceptLine(tools, job, next, limits.allowed);
    },
  };
}

interface Next {
  readonly found: FoundLine | null;
  readonly line: number;
  readonly cursor: AcceptCursor;
}

async function nextOpen(
  tools: Tools,
  { args: { checkId, outcomes } }: AcceptJob,
  { outcome, after }: AcceptCursor,
): Promise<Next | null> {
  const rows = new CheckRows(tools, checkId);
  for (let at = outcome; at < outcomes.length; at++) {
    const name = outcomes[at];
    if (name === undefined) break;
    const begin = at === outcome ? after : 0;
    for await (const found of rows.walkLines(name, begin)) {
      if (found.line.status !== "open") continue;
      const { line } = found.line;
      return { found, line, cursor: { outcome: at, after: line } };
    }
  }
  return null;
}

async function nextNamed(
  tools: Tools,
  { args: { checkId } }: AcceptJob,
  { after }: AcceptCursor,
  lines: readonly number[],
): Promise<Next | null> {
  const line = lines[after];
  if (line === undefined) return null;
  const [found = null] = await new CheckRows(tools, checkId).findLines([line]);
  return { found, line, cursor: { outcome: 0, after: after + 1 } };
}

async function acceptLine(
  tools: Tools,
  { args: { checkId }, stats }: AcceptJob,
  { found, line, cursor }: Next,
  allowed: ScrapeDeps["limits"]["allowed"],
): Promise<StepResult<AcceptJob>> {
  const move = (
    to: FoundLine,
    status: "linked" | "existing",
    competitorProductId: string,
  ): StepResult<AcceptJob> => {
    const rows = new CheckRows(tools, checkId);
    rows.moveLine(tools.write, to, { status, competitorProductId });
    return { cursor, stats: { ...stats, [status]: stats[status] + 1 } };
  };
  if (found && (found.line.status === "linked" || found.line.status === "existing")) {
    return { cursor, stats: { ...stats, existing: stats.existing + 1 } };
  }
  try {
    const { outcome, ...input } = requireAcceptable(found, line);
    const target = requireTarget(input.url, allowed);
    try {
      const { id } = await addLink(tools.write, tools, input, target);
      return move(outcome, "linked", id);
    } catch (error) {
      // The link was created after the check.
      const id = error instanceof Failure ? error.details?.competitorProductId : undefined;
      if (typeof id !== "string") throw error;
      return move(outcome, "existing", id);
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const refusal = { line, code: error.code, message: error.message };
    const refusals = [...stats.refusals, refusal].slice(0, 100);
    return { cursor, stats: { ...stats, refused: stats.refused + 1, refusals } };
  }
}

/** Throws `conflict`. */
function requireAcceptable(found: FoundLine | null, line: number) {
  if (found === null) {
    throw new Failure("not_found", `The line ${line} does not exist, or was not checked yet`);
  }
  const { outcome, productId, competitorId, url, packFactor }: StoredCheckLine = found.line;
  const isShown = outcome === "sure" || outcome === "check";
  if (!isShown || productId === null || competitorId === null) {
    throw new Failure(
      "conflict",
      `The line ${line} is ${outcome}: link it by hand, if it is right`,
    );
  }
  const pack = packFactor === null ? {} : { packFactor };
  // Only a person accepts lines with the outcome `check`.
  const confirmed = outcome === "check";
  return { outcome: found, productId, competitorId, url, confirmed, ...pack };
}
