/** Everything that a workspace can do to harm others with its users, keys and shops. */
import { generateItems } from "../bench/erp_items.ts";
import { dripping, endless, hanging, html, openShop, type Shop } from "../scraping/hostile_shop.ts";
import { type Asked, createCalls, EXTERNAL, oneOf, repeat, type Shift } from "./calls.ts";
import type { Tenant } from "./crowd_workspace.ts";
import { connectTo, sendOn } from "../raw_http.ts";
import { pause } from "../patience.ts";

const SHOPS = 8;
const RECEIVERS = 20;
const DRY_RUN_ITEMS = 8_000;
const ROWS = 1_000;

/** Offers in levels that refer to each other by `@id`. Reading one reads the whole next level. */
function entangled(): string {
  const level = (n: number) =>
    Array.from({ length: 30 }, (_, k) => ({
      "@type": "Offer",
      "@id": `#${n}-${k}`,
      offers: Array.from({ length: 30 }, (_, next) => ({ "@id": `#${n + 1}-${next}` })),
    }));
  const graph = [0, 1, 2].flatMap(level);
  const product = { "@type": "Product", name: "X", offers: graph.slice(0, 30) };
  const text = JSON.stringify({ "@context": "https://schema.org", "@graph": [product, ...graph] });
  return `<script type="application/ld+json">${text}</script>`;
}

const HOSTILE_PAGES = [
  entangled(),
  "<div>".repeat(200_000),
  `<div itemprop="offers">${'<b itemprop="price"></b><s></s>'.repeat(20_000)}</div>`,
  `<script type="application/ld+json">${"[".repeat(200_000)}</script>`,
  `<p>${" ".repeat(2_000_000)}€</p>`,
];

interface Accomplices {
  readonly pageUrls: readonly string[];
  readonly receiverUrls: readonly string[];
}

/** Opens the attackers' servers. They run as long as this thread. */
export function openAccomplices(): Accomplices {
  const pages = Object.fromEntries([
    ...HOSTILE_PAGES.map((page, n) => [`/p/${n}`, () => html(page)] as const),
    ["/hang", hanging],
    ["/drip", dripping],
    ["/endless", endless],
    ["/robots.txt", () => new Response(`User-agent: *\nDisallow: /a${" ".repeat(150_000)}b`)],
  ]);
  const shops: Shop[] = Array.from({ length: SHOPS }, () => openShop(pages));
  const receivers = Array.from({ length: RECEIVERS }, () => openShop({ "/hook": hanging }));
  return {
    pageUrls: shops.flatMap(({ base }) =>
      Object.keys(pages).filter((path) => path !== "/robots.txt").map((path) => base + path)
    ),
    receiverUrls: receivers.map(({ base }) => `${base}/hook`),
  };
}

/** What an attack needs, set up once per store. Plain data, so that it can be sent to a thread. */
export interface Ambush {
  readonly productIds: readonly string[];
  readonly pageUrls: readonly string[];
  readonly ruleId: string | null;
  readonly file: string;
}

/** Sets up an attack. Refusals are ignored. */
export async function setAmbush(tenant: Tenant, accomplices: Accomplices): Promise<Ambush> {
  const make = async (path: string, body: unknown) =>
    (await tenant.person<{ id: string }>({ path, body })).body?.id ?? null;
  const productIds: string[] = [];
  for (const [n, url] of accomplices.pageUrls.entries()) {
    const id = await make("/api/products", { sku: `trap-${n}`, title: "X", ourPrice: 100 });
    if (id === null) continue;
    productIds.push(id);
    await make("/api/competitor-products", { productId: id, url });
  }
  for (const url of accomplices.receiverUrls) {
    await make("/api/webhooks", { url, events: ["price.changed", "observation.created"] });
  }
  const ruleId = await make("/api/rules", {
    name: "All of it, always",
    enabled: true,
    cooldownMinutes: 0,
    when: { trigger: "competitor_undercut" },
    scope: { mode: "all" },
    actions: [{ type: "propose_price", formula: "match_cheapest" }],
  });
  let file = "";
  const decoder = new TextDecoder();
  for await (const part of generateItems(DRY_RUN_ITEMS, 1)) file += decoder.decode(part);
  return { productIds, pageUrls: accomplices.pageUrls, ruleId, file };
}

/** The message that starts an attack in its thread. */
export interface Attack {
  readonly url: string;
  readonly cookie: string;
  readonly key: string;
  readonly ambush: Ambush;
}

export interface Attackers extends Disposable {
  readonly accomplices: Accomplices;
  /** Starts an attack. Only one may run at a time. */
  begin(attack: Attack): Shift;
}

/** Attacks run in a thread of their own, so that they do not delay the measured work. */
export async function startAttackers(): Promise<Attackers> {
  const worker = new Worker(new URL("./crowd_attacker.ts", import.meta.url), { type: "module" });
  const received = <T>() =>
    new Promise<T>((resolve) => worker.onmessage = ({ data }: MessageEvent<T>) => resolve(data));
  const accomplices = await received<Accomplices>();
  return {
    accomplices,
    begin(attack) {
      worker.postMessage(attack);
      return {
        async stop() {
          const stopped = received<"stopped">();
          worker.postMessage("stop");
          await stopped;
        },
      };
    },
    [Symbol.dispose]: () => worker.terminate(),
  };
}

/** Attacks in all ways at once, until stopped. */
export function attackNow({ url, cookie, key, ambush }: Attack): Shift {
  const { file, productIds, pageUrls, ruleId } = ambush;
  const calls = createCalls(url);
  const person = calls.as({ Cookie: cookie });
  const program = calls.as({ Authorization: `Bearer ${key}` });
  const observations = Array.from({ length: ROWS }, (_, n) => ({
    sku: `a${" ".repeat(400)}${n}`,
    url: "https://shop.example/p/1",
    price: "12.50",
    currency: "EUR",
  }));
  const extractor = { jsonPath: `$${"[0,0,0,0,0,0,0,0,0,0]".repeat(20)}` };
  const login = { email: "nobody@shop.example", password: "falsch und noch einmal" };
  const numbers = { price: 20_000 };
  const byPerson: readonly (readonly [side: number, asked: () => Asked])[] = [
    [4, () => ({ path: `/api/products?limit=200&q=${"a%20".repeat(100)}` })],
    [2, () => ({ path: `/api/products?limit=200&brand=Nordwerk` })],
    [2, () => ({
      path: `/api/imports?dryRun=true`,
      body: file,
      headers: { Prefer: "respond-async" },
    })],
    [2, () => ({ method: "POST", path: `/api/products/${oneOf(productIds)}/scrape-now` })],
    [2, () => ({
      path: "/api/competitor-products/preview",
      body: { url: oneOf(pageUrls), extractor },
    })],
    [2, () => ({
      method: "PATCH",
      path: `/api/products/${productIds[0]}`,
      body: { ourPriceCents: numbers.price++ },
    })],
    [1, () => ({ path: `/api/rules/${ruleId}/backtest`, body: {} })],
    [2, () => ({ path: `/api/rules/${ruleId}/simulate`, body: {} })],
    [2, () => ({ path: "/api/auth/login", body: login })],
  ];
  // Without a pause, immediate refusals would keep this process busy.
  const pauseMs = 5;
  const expects: number[] = [];
  const list = { path: `${EXTERNAL}/products?limit=200`, expects };
  const push = { path: `${EXTERNAL}/observations`, body: { observations }, expects };
  const attack = repeat([
    ...byPerson.map(([side, asked]) => ({
      side,
      pauseMs,
      once: () => person({ expects, ...asked() }),
    })),
    { pauseMs, once: () => program(list) },
    { side: 2, pauseMs, once: () => program(push) },
    { side: 2, pauseMs, once: () => breakOff(url) },
  ]);
  return {
    async stop() {
      await attack.stop();
      calls.hangUp();
    },
  };
}

/** Announces a body, sends a part of it, and disconnects. */
async function breakOff(url: string): Promise<void> {
  try {
    using connection = await connectTo(url);
    const head = "POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" +
      "Content-Length: 500000\r\n\r\n";
    await sendOn(connection, head + " ".repeat(1_000));
    await pause(50);
  } catch {
    // If the server accepts no more connections, other figures show it.
  }
}
