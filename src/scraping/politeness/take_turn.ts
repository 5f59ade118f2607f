import type { Clockwork } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import {
  judgeTurn,
  type Pace,
  released,
  type Ticket,
  type Turn,
  type TurnVerdict,
  type UsedTurn,
} from "./domain_state.ts";
import { countAhead, dropTicket, findDomain, putTicket, saveDomain } from "./domain_store.ts";

type Asker = Pick<Clockwork, "now" | "newId"> & { readonly store: Store };

/**
 * Takes the turn of a ticket in the caller's commit, or notes there until when it waits. A commit
 * that loses the race is judged anew.
 */
export async function takeTurn(
  write: Write,
  { store, now, newId }: Asker,
  ticket: Ticket,
  pace: Pace,
): Promise<TurnVerdict> {
  const nowMs = now().getTime();
  const { domain } = ticket;
  const stored = await findDomain(store, domain);
  const ahead = await countAhead(store, ticket, nowMs);
  const verdict = judgeTurn(stored.state, { domain, token: newId(), ahead, nowMs, pace });
  if (verdict.kind === "wait") putTicket(write, ticket, verdict.untilMs);
  else dropTicket(write, ticket);
  if (verdict.kind === "taken") saveDomain(write, domain, stored, verdict.state);
  return verdict;
}

/** Gives a turn back in the caller's commit; one that was lost meanwhile is left to its new holder. */
export async function giveTurnBack(
  write: Write,
  { store, now }: Omit<Asker, "newId">,
  domain: string,
  used: UsedTurn,
): Promise<void> {
  const stored = await findDomain(store, domain);
  const after = released(stored.state, used, now().getTime());
  if (after !== stored.state) saveDomain(write, domain, stored, after);
}

/** Whether a turn is still its holder's for as long as a request may take. */
export async function isHeld(
  { store, now }: Omit<Asker, "newId">,
  { domain, token }: Turn,
  timeoutMs: number,
): Promise<boolean> {
  const { state } = await findDomain(store, domain);
  return state.token === token && state.busyUntilMs - now().getTime() >= timeoutMs;
}

/** A turn that is given back without a request. */
export function unused({ token }: Turn): UsedTurn {
  return { token, aftermath: { kind: "unused" }, nextAtMs: 0 };
}
