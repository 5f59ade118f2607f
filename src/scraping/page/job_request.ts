/** What is alike in everything that a job asks of a shop. */
import type { StepTools } from "../../platform/jobs/job.ts";
import { judgeByRobots } from "./robots_verdict.ts";
import type { ShopRequest } from "./fetch_page.ts";
import type { ReadingTurn, ScrapeDeps } from "./scrape_deps.ts";

/** A request in a step of a job, given up with `signal`. */
export function requestOf(
  deps: ScrapeDeps,
  tools: StepTools,
  signal: AbortSignal,
): Omit<ShopRequest, "url"> {
  return {
    reading: readingOf(tools),
    allows: (url) => isAllowed(deps, tools, url),
    signal,
    now: () => tools.now(),
  };
}

/** What a job reads waits behind what others read; a stop takes it back. */
export function readingOf({ workspaceId, stopping }: StepTools): ReadingTurn {
  return { lane: workspaceId, signal: stopping };
}

/** For redirects within the shop; nothing more is allowed when robots.txt is forgotten just now. */
export async function isAllowed(
  { reader, userAgent }: ScrapeDeps,
  tools: StepTools,
  url: URL,
): Promise<boolean> {
  const asker = { store: tools.store, reader, userAgent, turn: readingOf(tools) };
  const verdict = await judgeByRobots(asker, url, tools.now().getTime());
  return verdict.kind === "allowed";
}
