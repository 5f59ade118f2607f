/** What one turn at a shop is used for: its robots.txt, or the page itself. */
import type { Aftermath, Turn, UsedTurn } from "./domain_state.ts";
import { fetchRobots } from "./fetch_robots.ts";
import type { KnownRobots } from "./robots_store.ts";
import type { FetchDeps } from "./scrape_deps.ts";
import { fetchPage, type PageOutcome, type PageRequest } from "./fetch_page.ts";

/** What a turn brought, and when. */
export type TurnYield =
  & { readonly aftermath: Aftermath; readonly atMs: number; readonly durationMs: number }
  & (
    | { readonly kind: "robots"; readonly origin: string; readonly robots: KnownRobots }
    | { readonly kind: "page"; readonly outcome: PageOutcome }
  );

/** Uses a turn; only an abort is thrown. */
export async function fetchTurn(
  deps: FetchDeps,
  request: PageRequest,
  isForRobots: boolean,
): Promise<TurnYield> {
  const startedAt = performance.now();
  const spent = () => ({
    atMs: request.now().getTime(),
    durationMs: Math.round(performance.now() - startedAt),
  });
  if (isForRobots) {
    const { origin } = new URL(request.url);
    const { robots, aftermath } = await fetchRobots(deps, { ...request, origin });
    return { kind: "robots", origin, robots, aftermath, ...spent() };
  }
  const { outcome, aftermath } = await fetchPage(deps, request);
  return { kind: "page", outcome, aftermath, ...spent() };
}

/** What a shop's queue hears of a turn. */
export function usedTurn(
  { token }: Turn,
  { aftermath, atMs, durationMs }: TurnYield,
  delayMs: number,
): UsedTurn {
  return { token, aftermath, nextAtMs: atMs - durationMs + delayMs };
}
