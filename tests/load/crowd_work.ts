/** The work of an honest workspace, timed from request to effect. */
import { itemSku } from "../bench/erp_items.ts";
import { itemsXml } from "../imports/import_calls.ts";
import { html, openShop, productPage } from "../scraping/hostile_shop.ts";
import type { Asked } from "./calls.ts";
import { CROWD_PRODUCTS, type Tenant } from "./crowd_workspace.ts";
import { serveHere } from "../local_server.ts";
import { pause } from "../patience.ts";

export interface Span {
  readonly kind: string;
  readonly tookMs: number;
}

/** Work that continues until it is stopped. */
export interface Shift {
  /** Begins no new work, and resolves when begun work has ended. */
  stop(): Promise<void>;
}

const EXTERNAL = "/api/public/v1";
const POLL_MS = 50;
/** Longer waits count as this long, so that an attack which stops everything is visible. */
const PATIENCE_MS = 30_000;
const HELD_BACK_MS = 100;

const below = (count: number) => Math.floor(Math.random() * count);

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
  const make = async (path: string, body: unknown) => {
    const answer = await tenant.person<{ id: string }>({
      kind: "seed",
      method: "POST",
      path,
      body,
    });
    if (answer.body === null) throw new Error(`The desk cannot be set: ${path} ${answer.status}`);
    return answer.body.id;
  };
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
  const state = { isOver: false };
  const timed = async (kind: string, work: () => Promise<unknown>) => {
    const beganAt = now();
    await work();
    note({ kind, tookMs: now() - beganAt });
  };
  const { program, person } = desk.tenant;
  const ask = (by: typeof program, asked: Omit<Asked, "kind">) => () =>
    by({ kind: "honest", ...asked });
  const numbers = { price: 10_000, file: 0 };
  const streams:
    readonly (readonly [kind: string, delayMs: number, once: () => Promise<unknown>])[] = [
      [
        "GET one product",
        200,
        () => ask(program, { path: `${EXTERNAL}/products/${itemSku(below(CROWD_PRODUCTS))}` })(),
      ],
      ["GET a list of 50", 700, ask(person, { path: "/api/products?limit=50&brand=Nordwerk" })],
      ["push of 20 prices", 1_500, () => program(pushOf(desk))],
      ["simulation of 25 products", 2_500, () =>
        person({
          kind: "honest",
          method: "POST",
          path: `/api/rules/${desk.ruleId}/simulate`,
          body: {},
        })],
      ["import of 50 records, to its end", 3_000, () => importOnce(desk, numbers.file++)],
      ["scrape of a page, to its end", 1_500, () => scrapeOnce(desk)],
      [
        "PATCH of a price, until a receiver has the event",
        1_000,
        () => changeOnce(desk, numbers.price++),
      ],
    ];
  const flows = streams.map(async ([kind, delayMs, once]) => {
    while (!state.isOver) {
      await timed(kind, once);
      for (let left = delayMs; left > 0 && !state.isOver; left -= HELD_BACK_MS) {
        await pause(Math.min(left, HELD_BACK_MS));
      }
    }
  });
  return {
    async stop() {
      state.isOver = true;
      await Promise.all(flows);
    },
  };
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
  return {
    kind: "honest",
    method: "POST",
    path: `${EXTERNAL}/observations`,
    body: { observations },
  };
}

async function importOnce({ tenant }: Desk, revision: number): Promise<void> {
  const items = Array.from({ length: 50 }, (_, n) => ({
    sku: `I-${n}`,
    title: `Artikel ${n}`,
    price: (50 + (n + revision) % 5).toFixed(2).replace(".", ","),
  }));
  const { body } = await tenant.person<{ jobId: string }>({
    kind: "honest",
    method: "POST",
    path: "/api/imports",
    body: itemsXml(items),
  });
  if (body) await untilOver(tenant, `/api/imports/${body.jobId}`);
}

async function scrapeOnce({ tenant, scrapedId }: Desk): Promise<void> {
  const path = `/api/products/${scrapedId}/scrape-now`;
  const { body } = await tenant.person<{ runId: string }>({ kind: "honest", method: "POST", path });
  if (body) await untilOver(tenant, `/api/scrape-runs/${body.runId}`);
}

async function untilOver({ person }: Tenant, path: string): Promise<void> {
  const giveUpAt = now() + PATIENCE_MS;
  while (now() < giveUpAt) {
    const { body } = await person<{ status: string }>({ kind: "honest", path });
    if (body && body.status !== "queued" && body.status !== "running") return;
    await pause(POLL_MS);
  }
}

async function changeOnce({ tenant, witness, changedId }: Desk, cents: number): Promise<void> {
  await tenant.person({
    kind: "honest",
    method: "PATCH",
    path: `/api/products/${changedId}`,
    body: { ourPriceCents: cents },
  });
  const giveUpAt = now() + PATIENCE_MS;
  while (!witness.receivedAt.has(`${changedId} ${cents}`) && now() < giveUpAt) await pause(POLL_MS);
}
