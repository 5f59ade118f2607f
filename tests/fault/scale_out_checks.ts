/** Checks that each effect of the day in `scale_out_scene.ts` happened once. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { StoredAlert } from "../../src/messages/alerts/alert.ts";
import type { AuditRow } from "../../src/accounts/audit/audit.ts";
import { walkPriceRows } from "../../src/catalogue/prices/price_rows.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import type { StoredProposal } from "../../src/rules/proposals/proposal.ts";
import { hasRunsInFlight } from "../../src/scraping/runs/run.ts";
import type { Caller } from "../caller.ts";
import type { Receiver } from "../messages/webhooks/receiver.ts";
import {
  APPLIED,
  pagePrice,
  PAGES,
  PROPOSED,
  PUSHED,
  RECEIVED,
  VISITED,
} from "./scale_out_scene.ts";

/** True if no visit, event, evaluation or delivery is left. */
export async function isWorkedOff(store: Store): Promise<boolean> {
  const waits = await Promise.all(["nw", "tq", "wdu"].map((table) => hasRows(store, table)));
  return !waits.includes(true) && !await hasRunsInFlight(store);
}

async function hasRows({ kv }: Store, table: string): Promise<boolean> {
  return (await Array.fromAsync(kv.list({ prefix: [table] }, { limit: 1 }))).length > 0;
}

/** Requires one run for each visited product, and one result with its own price for each page. */
export async function requireEachRun(owner: Caller): Promise<void> {
  const { items, total } = await owner.read("/api/scrape-runs?limit=200");
  assertEquals([items.length, total ?? VISITED], [VISITED, VISITED]);
  for (const { id } of items) {
    const run = await owner.read(`/api/scrape-runs/${id}`);
    assertEquals([run.status, run.hasErrors, run.counts.ok], ["succeeded", false, PAGES]);
    for (const { url, price } of run.results) {
      assertEquals(price, pagePrice(Number(new URL(url).pathname.slice(1))));
    }
  }
}

function rowsOf<T>({ kv }: Store, table: string): Promise<Deno.KvEntry<T>[]> {
  return Array.fromAsync(kv.list<T>({ prefix: [table] }, { batchSize: 500 }));
}

export async function requireEachRowOnce(store: Store): Promise<void> {
  assertEquals((await rowsOf(store, "ob")).length, PUSHED + VISITED * PAGES, "observations");
  const proposals = (await rowsOf<StoredProposal>(store, "pr")).map(({ value }) => value);
  const counted = Map.groupBy(proposals, ({ status }) => status);
  assertEquals([counted.get("open")?.length, counted.get("applied")?.length, counted.size], [
    PROPOSED,
    APPLIED,
    2,
  ]);
  const owners = new Set(proposals.map(({ productId }) => productId));
  assertEquals(owners.size, PROPOSED + APPLIED, "a proposal of each product, none doubled");
  const alerts = (await rowsOf<StoredAlert>(store, "al")).map(({ value }) => value);
  const more = [...Map.groupBy(alerts, ({ productId }) => productId).values()]
    .filter(({ length }) => length > 1).map((of) => of.map(({ title, body }) => [title, body]));
  assertEquals([alerts.length, more], [PROPOSED + APPLIED, []], "alerts");
  const counters = await rowsOf<Deno.KvU64>(store, "rf");
  const fires = counters.reduce((sum, { value }) => sum + Number(value.value), 0);
  assertEquals(fires, PROPOSED + APPLIED, "fires of rules");
  await requireAuditedPrices(store);
}

/** Requires one audit row for each price that a rule set, and no other rows of rules. */
async function requireAuditedPrices(store: Store): Promise<void> {
  const [workspace] = await rowsOf<{ id: string }>(store, "ws");
  const workspaceId = workspace?.value.id ?? "";
  const rows = await Array.fromAsync(walkPriceRows({ store, workspaceId }));
  const changes = rows.filter(({ change }) => change.source !== "import");
  const history = changes.map(({ productId, change: { fromCents, toCents, ref } }) =>
    `${productId} ${fromCents} ${toCents} ${ref}`
  );
  const audited = (await rowsOf<AuditRow>(store, "au")).map(({ value }) => value)
    .filter(({ after }) => after?.ourPriceCents !== undefined);
  const log = audited.map(({ resource, before, after, actor }) =>
    `${resource.id} ${before?.ourPriceCents} ${after?.ourPriceCents} ${actor.id}`
  );
  assertEquals(history.length, APPLIED, "each price is set once");
  assertEquals(log.sort(), history.sort());
}

/** Requires at least one delivery of each event, and one event per change. */
export function requireEachEvent({ receipts, forged }: Receiver, jobId: string): void {
  assertEquals(forged, []);
  const events = new Map(receipts.map(({ id, body }) => [id, body]));
  // The event of the small import may have been relayed before the receiver existed.
  const expected = [...events.values()].filter(({ type, data }) =>
    type !== "import.finished" || Object(data).jobId === jobId
  );
  const counts = Map.groupBy(expected, ({ type }) => type);
  assertEquals(RECEIVED.map((type) => [type, counts.get(type)?.length]), [
    ["price.changed", APPLIED],
    ["proposal.created", PROPOSED],
    ["scrape_run.finished", VISITED],
    ["import.finished", 1],
  ]);
}
