import { domainOf } from "../../shops/domain.ts";
import { judgeUrl } from "../../platform/fetch/address_guard.ts";
import type { Clockwork } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import type { Ticket, TurnInHand, TurnVerdict } from "../page/domain_state.ts";
import { dropTicket, type StoredDomain } from "../page/domain_store.ts";
import { takeTurn } from "../page/take_turn.ts";
import { judgeByRobots } from "../page/robots_verdict.ts";
import { paceOf, type ReadingTurn, type ScrapeDeps } from "../page/scrape_deps.ts";

/** What may be done about a URL now. */
export type NextTurn =
  | {
    readonly kind: "taken";
    readonly turn: TurnInHand;
    /** Nobody else takes the turn before then. */
    readonly heldUntilMs: number;
  }
  | Extract<TurnVerdict, { kind: "wait" }> & { readonly ticket: Ticket }
  | {
    readonly kind: "refused";
    readonly status: "failed" | "skipped";
    readonly errorCode: string;
    readonly message: string;
    /** False when the shop was asked for its robots.txt and gave no answer. */
    readonly isAnswered?: boolean;
    /** Until when the shop is left in peace, where that is why. */
    readonly restsUntilMs?: number;
  };

/** Who asks, as a queue sees it. */
export type Asking = Omit<Ticket, "domain">;

/**
 * Looks at the URL, at what is known of its robots.txt and at the shop's queue, and takes a turn in
 * the caller's commit where that is possible: for robots.txt first, where it is not known. `given` is
 * the domain that this commit gives a turn back to.
 */
export async function nextTurn(
  write: Write,
  asker: Pick<Clockwork, "now" | "newId"> & { readonly store: Store },
  deps: ScrapeDeps,
  text: string,
  asking: Asking,
  reading: ReadingTurn,
  given: StoredDomain | null = null,
): Promise<NextTurn> {
  const verdict = judgeUrl(text, deps.limits);
  if ("misfit" in verdict) return refusedAddress(verdict.misfit === "private_address");
  const { url } = verdict;
  const nowMs = asker.now().getTime();
  const { reader, userAgent } = deps;
  const robotsAsker = { store: asker.store, reader, userAgent, turn: reading };
  const robots = await judgeByRobots(robotsAsker, url, nowMs);
  const ticket = { ...asking, domain: domainOf(url) };
  if (robots.kind === "refused") {
    // Who asked before may have a place in the queue.
    dropTicket(write, ticket);
    return { ...robots, status: "failed" };
  }
  const turn = await takeTurn(write, asker, ticket, paceOf(deps), given);
  switch (turn.kind) {
    case "taken": {
      const { turn: taken, state: { busyUntilMs } } = turn;
      const isForRobots = robots.kind === "unknown";
      return { kind: "taken", turn: { ...taken, isForRobots }, heldUntilMs: busyUntilMs };
    }
    case "wait":
      return { ...turn, ticket };
    case "resting": {
      const until = new Date(turn.untilMs).toISOString();
      const message = `The shop is left in peace until ${until}, after what it answered last`;
      const restsUntilMs = turn.untilMs;
      return {
        kind: "refused",
        status: "skipped",
        errorCode: "backing_off",
        message,
        restsUntilMs,
      };
    }
  }
}

function refusedAddress(isPrivate: boolean): NextTurn {
  const errorCode = isPrivate ? "private_address" : "unreachable";
  const message = isPrivate
    ? "Leads to an address that is not public"
    : "Leads to a port that is not open to this service";
  return { kind: "refused", status: "failed", errorCode, message };
}
