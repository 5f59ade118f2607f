/**
 * Keys: `dom domain` → how the domain is treated; `dq domain lane order id` → `wakeAtMs`, the ticket
 * of somebody who waits for it. Both belong to no workspace: a shop does not care who asks. Who takes
 * or gives back a turn checks `dom`.
 */
import type { Store, Write } from "../../platform/store/kv.ts";
import { CALM, type DomainState, type Ticket, TICKET_LATE_MS } from "./domain_state.ts";

const STATE_KEPT_MS = 7 * 86_400_000;
const TICKET_KEPT_MS = 86_400_000;
/** Nobody needs to know how far beyond this the end of the queue is. */
const AHEAD_MAX = 1_000;

const stateKey = (domain: string) => ["dom", domain];
const queuePrefix = (domain: string) => ["dq", domain];
const ticketKey = ({ domain, lane, orderMs, id }: Ticket) => [
  ...queuePrefix(domain),
  lane,
  orderMs,
  id,
];

export interface StoredDomain {
  readonly state: DomainState;
  readonly versionstamp: string | null;
}

export async function findDomain({ kv }: Store, domain: string): Promise<StoredDomain> {
  const { value, versionstamp } = await kv.get<DomainState>(stateKey(domain));
  return { state: value ?? CALM, versionstamp };
}

/** The commit fails when anybody took or gave back a turn since it was read. */
export function saveDomain(
  write: Write,
  domain: string,
  { versionstamp }: StoredDomain,
  state: DomainState,
): void {
  write.check(stateKey(domain), versionstamp);
  write.set(stateKey(domain), state, STATE_KEPT_MS);
}

/** How many wait before this ticket, those left out who are overdue by a minute; at most 1,000. */
export async function countAhead({ kv }: Store, ticket: Ticket, nowMs: number): Promise<number> {
  const range = { prefix: queuePrefix(ticket.domain), end: ticketKey(ticket) };
  let count = 0;
  for await (
    const { value: wakeAtMs } of kv.list<number>(range, { limit: AHEAD_MAX, batchSize: AHEAD_MAX })
  ) {
    if (wakeAtMs + TICKET_LATE_MS > nowMs) count++;
  }
  return count;
}

export function putTicket(write: Write, ticket: Ticket, wakeAtMs: number): void {
  write.set(ticketKey(ticket), wakeAtMs, TICKET_KEPT_MS);
}

export function dropTicket(write: Write, ticket: Ticket): void {
  write.delete(ticketKey(ticket));
}
