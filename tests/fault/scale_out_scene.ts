/**
 * A small day of a retailer: an import, visited pages and evaluated prices. `requireAnswers` and
 * `requireEffects` check that each effect happened exactly once.
 */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { type Caller, callerWithKey, untilEnded } from "../caller.ts";
import {
  addSilentShops,
  numberedItems,
  requireEachProduct,
  requireExactStats,
} from "../imports/numbered_items.ts";
import { type Item, itemsXml } from "../imports/import_calls.ts";
import type { AuditRow } from "../../src/accounts/audit/audit.ts";
import { walkPriceRows } from "../../src/catalogue/prices/price_rows.ts";
import type { StoredAlert } from "../../src/messages/alert_store.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import type { StoredProposal } from "../../src/rules/proposals/proposal.ts";
import { hasRunsInFlight } from "../../src/scraping/runs/run.ts";
import { walkDue } from "../../src/scraping/schedule/schedule.ts";
import { type Receiver, startReceiver } from "../messages/receiver.ts";
import { UNDERCUT, untilJudged } from "../rules/evaluation/market.ts";
import type { DenokvServer } from "../stores.ts";
import { html, openShop, productPage, type Shop } from "../scraping/hostile_shop.ts";
import { extent } from "../proof.ts";
import { createGate, pause } from "../patience.ts";

export const ITEMS = extent(20_000, 400);
/** Number of products that have links, to `PAGES` pages each. */
const VISITED = extent(20, 2);
const PAGES = extent(10, 3);
export const PUSHED = extent(600, 30);
const AUTO_EVERY = 3;

/** Numbers of products whose price a rule sets, and of products with a proposal. */
const APPLIED = PUSHED / AUTO_EVERY;
const PROPOSED = PUSHED - APPLIED + VISITED;

/** The shops answer slowly, so that kills interrupt visits. */
const PAGE_MS = 60;

const RECEIVED = ["price.changed", "proposal.created", "scrape_run.finished", "import.finished"];

/** Price in cents on page number `page` of each product. */
function pagePrice(page: number): number {
  return 9_000 + page * 10;
}

export const SCENE_SETTINGS = {
  SCRAPE_ALLOW_PRIVATE: "127.0.0.1",
  SCRAPE_DOMAIN_DELAY_MS: "0",
  // The timeout is long, because the shops answer only after `prepare`.
  SCRAPE_TIMEOUT_MS: "120000",
};

export async function openScene(startKv: () => Promise<DenokvServer>) {
  await using closing = new AsyncDisposableStack();
  const kv = closing.use(await startKv());
  const store = await openStore({ kvUrl: kv.url, dataDir: null }, 30_000);
  closing.defer(() => store.kv.close());
  const { passed: opened, open } = createGate();
  const shops = openShops(opened).map((shop) => closing.use(shop));
  closing.defer(open);
  let secret: string | null = null;
  const receiver = closing.use(startReceiver(() => secret));
  const ends = closing.move();
  return {
    kv,
    store,
    /**
     * Creates rules, products and a webhook, then starts the import of `items`. The rules have no
     * cooldown, so a price that is evaluated twice would have a second effect.
     */
    async prepare(owner: Caller, items: number): Promise<Prepared> {
      await addCatalogue(owner, shops, store);
      const webhook = { url: `${receiver.url}/hook`, events: RECEIVED };
      ({ secret } = await owner.create("/api/webhooks", webhook));
      const newKey = { name: "pushes", scopes: ["observations:write"] };
      const { key } = await owner.create("/api/keys", newKey);
      const jobId = await beginImport(owner, numberedItems(items));
      open();
      return {
        jobId,
        pusher: (url) => callerWithKey(url, key),
        async requireAnswers(owner) {
          await requireExactStats(owner, jobId, items);
          await requireEachProduct(owner, items);
          await requireEachRun(owner);
        },
        async requireEffects() {
          await requireEachRowOnce(store);
          requireEachEvent(receiver, jobId);
        },
      };
    },
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

/** Pages are sent only after `opened`, so that no price is evaluated before all rules exist. */
function openShops(opened: Promise<void>): Shop[] {
  const pages = Object.fromEntries(
    Array.from({ length: PAGES }, (_, page) => [`/${page}`, async () => {
      await opened;
      await pause(PAGE_MS);
      return html(productPage((pagePrice(page) / 100).toFixed(2)));
    }]),
  );
  return Array.from({ length: VISITED }, () => openShop(pages));
}

function pushedItem(n: number): Item {
  const category = n % AUTO_EVERY === 0 ? "Auto" : "Hand";
  return pricedItem(`M-${n}`, `<BRAND>Markt</BRAND><CATEGORY>${category}</CATEGORY>`);
}

function visitedItem({ base }: Shop, n: number): Item {
  const links = Array.from(
    { length: PAGES },
    (_, page) => `<COMPETITOR><URL>${base}/${page}</URL></COMPETITOR>`,
  );
  return pricedItem(`T-${n}`, `<BRAND>Ziel</BRAND><CATEGORY>Hand</CATEGORY>${links.join("")}`);
}

function pricedItem(sku: string, more: string): Item {
  return { sku, title: sku, price: "100,00", more: `<COSTPRICE>50,00</COSTPRICE>${more}` };
}

export interface Prepared {
  readonly jobId: string;
  pusher(url: string): Caller;
  requireAnswers(owner: Caller): Promise<void>;
  /** Requires each effect once, in the store and at the webhook. Stop the service first. */
  requireEffects(): Promise<void>;
}

async function addCatalogue(owner: Caller, shops: readonly Shop[], store: Store): Promise<void> {
  const settings = { autoApply: true, pricesIncludeVat: true, vatRatePct: 19 };
  await owner.change("/api/settings", settings);
  await addSilentShops(owner);
  const small = [
    ...Array.from({ length: PUSHED }, (_, n) => pushedItem(n)),
    ...shops.map(visitedItem),
  ];
  await importToEnd(owner, itemsXml(small));
  // The prices of these products are pushed, so their pages must not be visited.
  const bulk = { filter: { brand: "Markt" }, set: { scrapeEnabled: false } };
  assertEquals((await owner.act("/api/products/bulk", bulk)).changed, PUSHED);
  await addRules(owner);
  await untilJudged({ store });
}

async function addRules(owner: Caller): Promise<void> {
  const rules = [{
    name: "asks",
    scope: { mode: "attribute", matches: { category: "Hand" } },
    actions: [{ type: "propose_price", formula: "match_cheapest" }, { type: "alert_inapp" }],
  }, {
    name: "acts",
    scope: { mode: "attribute", matches: { category: "Auto" } },
    marginFloor: { pct: 10 },
    actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest" }, { type: "alert_inapp" }],
  }];
  for (const rule of rules) await owner.create("/api/rules", { ...UNDERCUT, ...rule });
}

export async function beginImport(owner: Caller, xml: string): Promise<string> {
  const headers = { "Content-Type": "application/xml", Prefer: "respond-async" };
  return (await owner.begin("/api/imports", xml, headers)).jobId;
}

export async function importToEnd(owner: Caller, xml: string): Promise<void> {
  const jobId = await beginImport(owner, xml);
  assertEquals((await untilEnded(owner, `/api/imports/${jobId}`)).status, "succeeded");
}

export function observationOf(sku: string, observedAt: string) {
  const url = `https://acme.example/${sku}`;
  return { sku, url, price: 90, currency: "EUR", inStock: true, observedAt };
}

export function observationsOf(from: number, to: number, observedAt: string) {
  return Array.from({ length: to - from }, (_, at) => observationOf(`M-${from + at}`, observedAt));
}

/** True if no visit, event, evaluation or delivery is pending. */
export async function isWorkedOff(store: Store): Promise<boolean> {
  // Read in this order: an `sd` row becomes a due product, and a due product becomes a run.
  if (await hasRows(store, "sd") || await hasDueProducts(store)) return false;
  if (await hasRunsInFlight(store)) return false;
  const waits = await Promise.all(["nw", "tq", "wdu"].map((table) => hasRows(store, table)));
  return !waits.includes(true);
}

async function hasDueProducts(store: Store): Promise<boolean> {
  return (await walkDue(store, Date.now(), 1).next()).done !== true;
}

async function hasRows({ kv }: Store, table: string): Promise<boolean> {
  return (await Array.fromAsync(kv.list({ prefix: [table] }, { limit: 1 }))).length > 0;
}

async function requireEachRun(owner: Caller): Promise<void> {
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

async function requireEachRowOnce(store: Store): Promise<void> {
  assertEquals((await rowsOf(store, "ob")).length, PUSHED + VISITED * PAGES, "observations");
  const proposals = (await rowsOf<StoredProposal>(store, "pr")).map(({ value }) => value);
  const counted = [...Map.groupBy(proposals, ({ status }) => status)]
    .map(([status, { length }]) => `${length} ${status}`);
  assertEquals(counted.sort(), [`${PROPOSED} open`, `${APPLIED} applied`].sort());
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

function requireEachEvent({ receipts, forged }: Receiver, jobId: string): void {
  assertEquals(forged, []);
  const events = new Map(receipts.map(({ id, body }) => [id, body]));
  // The first, small import may end before the webhook exists, so its event is not counted.
  const expected = [...events.values()].filter(({ type, data }) =>
    type !== "import.finished" || Object(data).jobId === jobId
  );
  const counts = Map.groupBy(expected, ({ type }) => type);
  const found = RECEIVED.map((type) => counts.get(type)?.length);
  assertEquals(found, [APPLIED, PROPOSED, VISITED, 1], RECEIVED.join());
}
