/** A small day of a retailer: an import, visited shops, and judged prices. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { type Caller, createCaller } from "../caller.ts";
import { addSilentShops, numberedItems } from "../imports/numbered_items.ts";
import { type Item, itemsXml } from "../imports/import_calls.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { type Receiver, startReceiver } from "../messages/webhooks/receiver.ts";
import { UNDERCUT, untilJudged } from "../rules/evaluation/market.ts";
import type { DenokvServer } from "../stores.ts";
import { html, openShop, productPage, type Shop } from "../scraping/hostile_shop.ts";
import { extent } from "../proof.ts";
import { createGate, pause, until } from "../patience.ts";

export const ITEMS = extent(20_000, 400);
/** Number of products with `PAGES` pages each, which are visited. */
export const VISITED = extent(20, 2);
export const PAGES = extent(10, 3);
export const PUSHED = extent(600, 30);
const AUTO_EVERY = 3;

/** Number of products whose price a rule sets, and number of products with a proposal. */
export const APPLIED = PUSHED / AUTO_EVERY;
export const PROPOSED = PUSHED - APPLIED + VISITED;

/** Pages are slow, so that kills hit visits in progress. */
const PAGE_MS = 60;

export const RECEIVED = [
  "price.changed",
  "proposal.created",
  "scrape_run.finished",
  "import.finished",
] as const;

/** The price on page `page` of a product, in cents; page 0 is the cheapest. */
export function pagePrice(page: number): number {
  return 9_000 + page * 10;
}

export const SCENE_SETTINGS = {
  SCRAPE_ALLOW_PRIVATE: "127.0.0.1",
  SCRAPE_DOMAIN_DELAY_MS: "0",
  // The shops answer only after `prepare`.
  SCRAPE_TIMEOUT_MS: "120000",
};

interface Scene extends AsyncDisposable {
  readonly kv: DenokvServer;
  readonly store: Store;
  readonly receiver: Receiver;
  prepare(owner: Caller, items: number): Promise<Prepared>;
}

export async function openScene(startKv: () => Promise<DenokvServer>): Promise<Scene> {
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
    receiver,
    async prepare(owner, items) {
      const prepared = await prepare(owner, shops, `${receiver.url}/hook`, store, items);
      secret = prepared.secret;
      open();
      return prepared;
    },
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

/**
 * Shops that answer only after `opened`, because earlier prices could be judged before all rules
 * exist.
 */
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
  readonly secret: string;
  pusher(url: string): Caller;
}

/**
 * Creates rules, products and a webhook, then starts the import of `items`. Rules have no cooldown,
 * so that a repeated evaluation of the same price is noticed.
 */
async function prepare(
  owner: Caller,
  shops: readonly Shop[],
  receiverUrl: string,
  store: Store,
  items: number,
): Promise<Prepared> {
  const settings = { autoApply: true, pricesIncludeVat: true, vatRatePct: 19 };
  await owner.change("/api/settings", settings);
  await addSilentShops(owner);
  const small = [
    ...Array.from({ length: PUSHED }, (_, n) => pushedItem(n)),
    ...shops.map(visitedItem),
  ];
  await importToEnd(owner, itemsXml(small));
  // Prices of this shop are pushed, so it must not be visited.
  const bulk = { filter: { brand: "Markt" }, set: { scrapeEnabled: false } };
  assertEquals((await owner.act("/api/products/bulk", bulk)).changed, PUSHED);
  await addRules(owner);
  await untilJudged({ store });
  const webhook = { url: receiverUrl, events: RECEIVED };
  const { secret } = await owner.create("/api/webhooks", webhook);
  const newKey = { name: "pushes", scopes: ["observations:write"] };
  const { key } = await owner.create("/api/keys", newKey);
  const jobId = await beginImport(owner, numberedItems(items));
  return { jobId, secret, pusher: (url) => createCaller(url, { Authorization: `Bearer ${key}` }) };
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

async function beginImport(owner: Caller, xml: string): Promise<string> {
  const headers = { "Content-Type": "application/xml", Prefer: "respond-async" };
  return (await owner.begin("/api/imports", xml, headers)).jobId;
}

export async function importToEnd(owner: Caller, xml: string): Promise<void> {
  const jobId = await beginImport(owner, xml);
  await until(`the import ${jobId} has succeeded`, async () => {
    const { status } = await owner.read(`/api/imports/${jobId}`);
    if (status === "succeeded") return true;
    assertEquals(status === "queued" || status === "running", true, status);
    return false;
  });
}

/** Observations of one shop for the products `from` to `to` − 1, the same for every call. */
export function observationsOf(from: number, to: number, observedAt: string) {
  return Array.from({ length: to - from }, (_, at) => ({
    sku: `M-${from + at}`,
    url: `https://acme.example/M-${from + at}`,
    price: 90,
    currency: "EUR",
    inStock: true,
    observedAt,
  }));
}
