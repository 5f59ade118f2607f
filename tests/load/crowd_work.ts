/** The work of an honest workspace, timed from request to effect. */
import { itemSku } from "../bench/erp_items.ts";
import { itemsXml } from "../imports/import_calls.ts";
import { html, openShop, productPage } from "../scraping/hostile_shop.ts";
import { type Asked, below, create, EXTERNAL, repeat, type Shift } from "./calls.ts";
import { CROWD_PRODUCTS, type Tenant } from "./crowd_workspace.ts";
import { serveHere } from "../local_server.ts";
import { pause } from "../patience.ts";

export interface Span {
  readonly kind: string;
  readonly tookMs: number;
}

const POLL_MS = 50;
/** Longer waits count as this long, so that an attack which stops everything is visible. */
const PATIENCE_MS = 30_000;

interface Witness extends AsyncDisposable {
  readonly shopUrl: string;
  readonly receiverUrl: string;
  /** `productId cents` → time by `performance.now()` at which the event arrived. */
  readonly receivedAt: ReadonlyMap<string, number>;
}

export function startWitness(): Witness {
  const shop = openShop({ "/p/1": () => html(productPage((80 + below(40)).toFixed(2))) });
  const receivedAt = new Map<string, number>();
  const receiver = serveHere(async (request) => {
    const { type, data } = await request.json();
    if (type === "price.changed") receivedAt.set(`${data.productId} ${data.toCents}`, now());
    return new Response(null, { status: 204 });
  });
  return {
    shopUrl: shop.base,
    receiverUrl: `${receiver.url}/hook`,
    receivedAt,
    async [Symbol.asyncDispose]() {
      await shop[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

const now = () => performance.now();

/** Data that honest work needs, created once per store. */
export interface Desk {
  readonly tenant: Tenant;
  readonly witness: Witness;
  readonly changedId: string;
  readonly scrapedId: string;
  readonly ruleId: string;
}

export async function setDesk(tenant: Tenant, witness: Witness): Promise<Desk> {
  const make = (path: string, body: unknown) => create(tenant.person, path, body);
  const product = { title: "Wasserkocher", ourPrice: 100, costPrice: 50 };
  const changedId = await make("/api/products", { ...product, sku: "changed" });
  const scrapedId = await make("/api/products", { ...product, sku: "scraped" });
  await make("/api/competitor-products", { productId: scrapedId, url: `${witness.shopUrl}/p/1` });
  await make("/api/webhooks", { url: witness.receiverUrl, events: ["price.changed"] });
  const ruleId = await make("/api/rules", {
    name: "Match cheaper competitors",
    enabled: true,
    when: { trigger: "competitor_undercut" },
    scope: { mode: "all" },
    actions: [{ type: "propose_price", formula: "match_cheapest" }],
  });
  return { tenant, witness, changedId, scrapedId, ruleId };
}

/** Starts the work. `note` gets each duration. */
export function startWork(desk: Desk, note: (span: Span) => void): Shift {
  const { tenant: { program, person }, ruleId } = desk;
  const numbers = { price: 10_000, file: 0 };
  const productPath = () => `${EXTERNAL}/products/${itemSku(below(CROWD_PRODUCTS))}`;
  const works: readonly (readonly [kind: string, ms: number, once: () => Promise<unknown>])[] = [
    ["GET one product", 200, () => program({ path: productPath() })],
    ["GET a list of 50", 700, () => person({ path: "/api/products?limit=50&brand=Nordwerk" })],
    ["push of 20 prices", 1_500, () => program(pushOf(desk))],
    [
      "simulation of 25 products",
      2_500,
      () => person({ path: `/api/rules/${ruleId}/simulate`, body: {} }),
    ],
    ["import of 50 records, to its end", 3_000, () => importOnce(desk, numbers.file++)],
    ["scrape of a page, to its end", 1_500, () => scrapeOnce(desk)],
    [
      "PATCH of a price, until a receiver has the event",
      1_000,
      () => changeOnce(desk, numbers.price++),
    ],
  ];
  return repeat(works.map(([kind, pauseMs, work]) => ({
    pauseMs,
    async once() {
      const beganAt = now();
      await work();
      note({ kind, tookMs: now() - beganAt });
    },
  })));
}

function pushOf({ witness }: Desk): Asked {
  const observedAt = new Date().toISOString();
  const observations = Array.from({ length: 20 }, () => ({
    sku: itemSku(below(CROWD_PRODUCTS)),
    url: `${witness.shopUrl}/p/2`,
    price: (80 + below(4_000) / 100).toFixed(2),
    currency: "EUR",
    observedAt,
  }));
  return { path: `${EXTERNAL}/observations`, body: { observations } };
}

async function importOnce({ tenant }: Desk, revision: number): Promise<void> {
  const items = Array.from({ length: 50 }, (_, n) => ({
    sku: `I-${n}`,
    title: `Artikel ${n}`,
    price: (50 + (n + revision) % 5).toFixed(2).replace(".", ","),
  }));
  const asked = { path: "/api/imports", body: itemsXml(items) };
  const { body } = await tenant.person<{ jobId: string }>(asked);
  if (body) await untilOver(tenant, `/api/imports/${body.jobId}`);
}

async function scrapeOnce({ tenant, scrapedId }: Desk): Promise<void> {
  const path = `/api/products/${scrapedId}/scrape-now`;
  const { body } = await tenant.person<{ runId: string }>({ method: "POST", path });
  if (body) await untilOver(tenant, `/api/scrape-runs/${body.runId}`);
}

async function untilOver({ person }: Tenant, path: string): Promise<void> {
  const giveUpAt = now() + PATIENCE_MS;
  while (now() < giveUpAt) {
    const { body } = await person<{ status: string }>({ path });
    if (body && body.status !== "queued" && body.status !== "running") return;
    await pause(POLL_MS);
  }
}

async function changeOnce({ tenant, witness, changedId }: Desk, cents: number): Promise<void> {
  const path = `/api/products/${changedId}`;
  await tenant.person({ method: "PATCH", path, body: { ourPriceCents: cents } });
  const giveUpAt = now() + PATIENCE_MS;
  while (!witness.receivedAt.has(`${changedId} ${cents}`) && now() < giveUpAt) await pause(POLL_MS);
}
