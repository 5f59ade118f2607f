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
import {
  countAhead,
  dropTicket,
  findDomain,
  findDomains,
  putTicket,
  saveDomain,
  type StoredDomain,
} from "./domain_store.ts";

type Asker = Pick<Clockwork, "now" | "newId"> & { readonly store: Store };

/**
 * Takes the turn of a ticket in the caller's commit, or notes there until when it waits. A commit
 * that loses the race is judged anew. `given` is the domain that the commit gives a turn back to.
 */
export async function takeTurn(
  write: Write,
  { store, now, newId }: Asker,
  ticket: Ticket,
  pace: Pace,
  given: StoredDomain | null = null,
): Promise<TurnVerdict> {
  const nowMs = now().getTime();
  const { domain } = ticket;
  const stored = given?.domain === domain ? given : await findDomain(store, domain);
  const ahead = await countAhead(store, ticket, nowMs);
  const verdict = judgeTurn(stored.state, { domain, token: newId(), ahead, nowMs, pace });
  if (verdict.kind === "wait") putTicket(write, ticket, verdict.untilMs);
  else dropTicket(write, ticket);
  if (verdict.kind === "taken") saveDomain(write, stored, verdict.state);
  return verdict;
}

/** Those of the domains whose rows let somebody fetch now, as far as nobody waits there. */
export async function findFree(
  { store, now }: Omit<Asker, "newId">,
  domains: ReadonlySet<string>,
  pace: Pace,
  given: StoredDomain | null,
): Promise<ReadonlySet<string>> {
  const nowMs = now().getTime();
  const stored = await findDomains(store, [...domains]);
  const free = stored.map((one) => one.domain === given?.domain ? given : one)
    .filter(({ domain, state }) =>
      judgeTurn(state, { domain, token: "", ahead: 0, nowMs, pace }).kind === "taken"
    );
  return new Set(free.map(({ domain }) => domain));
}

/**
 * Gives a turn back in the caller's commit; one that was lost meanwhile is left to its new holder.
 * Answers the domain as it is within this commit from here on.
 */
export async function giveTurnBack(
  write: Write,
  { store, now }: Omit<Asker, "newId">,
  domain: string,
  used: UsedTurn,
): Promise<StoredDomain> {
  const stored = await findDomain(store, domain);
  const after = released(stored.state, used, now().getTime());
  return after === stored.state ? stored : saveDomain(write, stored, after);
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

/** Holds a turn on for another while, in the caller's commit; false where it is another's meanwhile. */
export async function holdTurn(
  write: Write,
  { store, now }: Omit<Asker, "newId">,
  { domain, token }: Turn,
  holdMs: number,
): Promise<boolean> {
  const stored = await findDomain(store, domain);
  if (stored.state.token !== token) return false;
  saveDomain(write, stored, { ...stored.state, busyUntilMs: now().getTime() + holdMs });
  return true;
}

/** A turn that is given back without a request. */
export function unused({ token }: Turn): UsedTurn {
  return { token, aftermath: { kind: "unused" }, nextAtMs: 0 };
}
