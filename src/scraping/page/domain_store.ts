/**
 * Keys: `dom domain` → how the domain is treated; `dq domain lane order id` → `wakeAtMs`, the ticket
 * of somebody who waits for it. Both belong to no workspace: a shop does not care who asks. Who takes
 * or gives back a turn checks `dom`.
 */
import type { Store, Write } from "../../platform/store/kv.ts";
import { getRows } from "../../platform/store/rows.ts";
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
  readonly domain: string;
  readonly state: DomainState;
  readonly versionstamp: string | null;
  /** True for what this commit has written, which it checks already. */
  readonly isChecked: boolean;
}

export async function findDomain({ kv }: Store, domain: string): Promise<StoredDomain> {
  return storedOf(domain, await kv.get<DomainState>(stateKey(domain)));
}

/** As `findDomain` for many, in the order of `domains`. */
export async function findDomains(
  store: Store,
  domains: readonly string[],
): Promise<StoredDomain[]> {
  const rows = await getRows<DomainState>(store, domains.map(stateKey));
  return rows.map((row, position) => storedOf(domains[position] ?? "", row));
}

function storedOf(
  domain: string,
  { value, versionstamp }: Deno.KvEntryMaybe<DomainState>,
): StoredDomain {
  return { domain, state: value ?? CALM, versionstamp, isChecked: false };
}

/**
 * The commit fails when anybody took or gave back a turn since it was read. Answers what the domain is
 * within this commit from here on.
 */
export function saveDomain(write: Write, stored: StoredDomain, state: DomainState): StoredDomain {
  const { domain, versionstamp, isChecked } = stored;
  if (!isChecked) write.check(stateKey(domain), versionstamp);
  write.set(stateKey(domain), state, STATE_KEPT_MS);
  return { ...stored, state, isChecked: true };
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
