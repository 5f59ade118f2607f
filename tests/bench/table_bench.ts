/**
 * Measures the client's requests about products, with offers of five shops, thousands of open
 * proposals and almost 6,000 price moves. On an idle machine, no median may exceed 200 ms. `cpu` is
 * the server's processor time per request. `deno task bench table`, or `deno run -A
 * tests/bench/table_bench.ts [products] [rounds]`
 */
import { argv } from "node:process";
import { listWorkspaces } from "../../src/accounts/workspace.ts";
import { MARKET_SORTS } from "../../src/catalogue/prices/product_market.ts";
import type { Product } from "../../src/catalogue/products/product.ts";
import { createClock } from "../../src/platform/store/context.ts";
import { openStoreIn } from "../closing_store.ts";
import { pause } from "../patience.ts";
import { processorMs } from "../processor_time.ts";
import { serverPid, startLiveServer } from "../program.ts";
import { addRule } from "../rules/evaluation/market.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { untilAtRest } from "./store_figures.ts";
import { articleOf } from "./erp_items.ts";
import { applianceOf, seedOffersOf, seedPriceMoves, seedProducts } from "./seed_catalogue.ts";
import { median, say } from "./slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const ROUNDS = Number(argv[3] ?? 30);
const BUDGET_MS = 200;
const MOVED = 6_000;
const RARE = 10;
const SHOPS = 5;
const SCROLLED_PAGES = 60;
const IDLE_MS = 20_000;
const IDLE_SHARE = 0.02;
const PAGE = "/api/products?limit=200";
const INBOX = "/api/proposals?status=open&limit=200";

type Form = readonly [name: string, ...paths: string[]];

const FORMS: readonly Form[] = [
  ["first page", PAGE],
  ["brand, 10 products", `${PAGE}&brand=Rarit%C3%A4t`, `${PAGE}&brand=rari`],
  ["brand, 1 letter", `${PAGE}&brand=x`, `${PAGE}&brand=b`, `${PAGE}&brand=%C3%BC`],
  ["brand, 2 and 3 letters", `${PAGE}&brand=te`, `${PAGE}&brand=nor`, `${PAGE}&brand=gr%C3%B6`],
  ["brand, category, tier", `${PAGE}&brand=o&category=gruppe+3&tier=STANDARD`],
  ["q, 1 letter", `${PAGE}&q=k`, `${PAGE}&q=7`, `${PAGE}&q=%C3%B6`],
  ["q, 2 letters", `${PAGE}&q=k%C3%BC`, `${PAGE}&q=47`, `${PAGE}&q=ax`],
  ["q, 3 letters", `${PAGE}&q=k%C3%BCh`, `${PAGE}&q=471`, `${PAGE}&q=rar`],
  ["overview", "/api/overview"],
  ["inbox", INBOX],
];

const MARKET_FORMS: readonly Form[] = [
  ...MARKET_SORTS.map((sort): Form => [
    `sort ${sort}`,
    `${PAGE}&sort=${sort}`,
    `${PAGE}&sort=${sort}&order=desc`,
  ]),
  ["dearer than 5 %", `${PAGE}&dearerThanPct=5`, `${PAGE}&dearerThanPct=5&sort=gapPct&order=desc`],
  ["room above 2 %", `${PAGE}&roomAbovePct=2&sort=room&order=desc`],
  ["margin below", `${PAGE}&marginBelowPct=10&sort=margin`],
  ["rank", `${PAGE}&rankMin=2&rankMax=3`, `${PAGE}&position=middle&sort=rank`],
  ["state", `${PAGE}&state=no_links`, `${PAGE}&state=ok&sort=cheapest`],
  ["with proposal", `${PAGE}&hasProposal=true&sort=proposal`, `${PAGE}&hasProposal=false`],
  ["market and q", `${PAGE}&dearerThanPct=1&q=weiss&sort=gapPct`, `${PAGE}&state=ok&q=k`],
  ["matrix", `${PAGE}&offers=true`, `${PAGE}&offers=true&sort=gapPct`],
  ["summary", "/api/market/summary", "/api/market/summary?by=category,competitor"],
];

const EXPORTS: readonly Form[] = [
  ["csv, first bytes", "/api/products.csv", "/api/products.csv?q=weiss"],
  ["csv by gap, first bytes", "/api/products.csv?sort=gapPct&columns=sku,cheapest,gapPct"],
  ["csv by title, first bytes", "/api/products.csv?sort=title"],
];

interface Asked {
  readonly ms: number;
  readonly bytes: number;
}

await using folder = await temporaryFolder();
const dataDir = folder.path;
await (await startLiveServer(dataDir))[Symbol.asyncDispose]();
say(`${PRODUCTS.toLocaleString("en")} products are seeded …`);
await seed();
await using live = await startLiveServer(dataDir);
const pid = await serverPid(dataDir);
await addRule(live.owner, {
  scope: { mode: "attribute", matches: { category: { contains: "gruppe 3" } } },
  actions: [{ type: "propose_price", formula: "match_cheapest" }, { type: "alert_inapp" }],
});
await untilIdle();
const slow: string[] = [];

say(`${"request".padEnd(30)} median     max     cpu      KB`);
for (const form of FORMS) await tellForm(form);
for (const form of MARKET_FORMS) await tellForm(form);
await tell("scroll", (asked) => scroll(PAGE, asked));
await tell("scroll the inbox", (asked) => scroll(INBOX, asked));
await tell("q after a change", searchAfterChanges);
for (const form of EXPORTS) await tellForm(form, firstBytes);
say(`medians above ${BUDGET_MS} ms: ${slow.join(", ") || "none"}`);

async function seed(): Promise<void> {
  using store = await openStoreIn(dataDir);
  const [workspace] = await listWorkspaces(store);
  if (!workspace) throw new Error("The store has no workspace");
  const clock = await createClock(store, () => new Date());
  const place = { store, workspaceId: workspace.id };
  const all: Product[] = [];
  await seedProducts(place, PRODUCTS, (n) => {
    const { priceCents, costCents, targetCents: _, ...texts } = articleOf(n, 1);
    const isRare = n % Math.ceil(PRODUCTS / RARE) === 7;
    const prices = { ourPriceCents: priceCents, costPriceCents: costCents };
    const brand = isRare ? "Rarität" : texts.brand;
    const product = { ...applianceOf(clock, n), ...texts, ...prices, brand };
    all.push(product);
    return product;
  });
  const some = all.filter((_, n) => n % Math.ceil(PRODUCTS / MOVED) === 0);
  await seedPriceMoves(place, some, (product) => {
    const at = new Date(Date.parse(product.updatedAt) + 1).toISOString();
    const ourPriceCents = (product.ourPriceCents ?? 0) + 100;
    return { ...product, ourPriceCents, ourPriceUpdatedAt: at, updatedAt: at };
  });
  await seedOffersOf({ ...clock, ...place }, all, SHOPS);
}

/** Waits until the market is in memory, no job is left, and the server is almost idle. */
async function untilIdle(): Promise<void> {
  while ((await live.owner.get(`${PAGE}&sort=title`)).status === 503);
  await untilAtRest(dataDir);
  for (let isIdle = false; !isIdle;) {
    const usedMs = await processorMs(pid);
    await pause(IDLE_MS);
    isIdle = await processorMs(pid) - usedMs < IDLE_MS * IDLE_SHARE;
  }
}

async function allBytes(answer: Response): Promise<number> {
  return (await answer.bytes()).length;
}

async function firstBytes({ body }: Response): Promise<number> {
  for await (const chunk of body ?? []) return chunk.length;
  return 0;
}

async function ask(path: string, bytesOf = allBytes): Promise<Asked> {
  const startedAt = performance.now();
  const answer = await live.owner.get(path);
  const bytes = await bytesOf(answer);
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
  return { ms: performance.now() - startedAt, bytes };
}

async function tellForm([name, ...paths]: Form, bytesOf = allBytes): Promise<void> {
  await tell(name, async (asked) => {
    for (let round = 0; round < ROUNDS * paths.length; round++) {
      asked.push(await ask(paths[round % paths.length] ?? "", bytesOf));
    }
  });
}

async function scroll(path: string, asked: Asked[]): Promise<void> {
  for (let cursor: string | null = ""; cursor !== null && asked.length < SCROLLED_PAGES;) {
    const startedAt = performance.now();
    const answer = await live.owner.get(cursor ? `${path}&cursor=${cursor}` : path);
    const text: string = await answer.text();
    asked.push({ ms: performance.now() - startedAt, bytes: text.length });
    cursor = JSON.parse(text).nextCursor;
  }
}

/** Searches right after a change, when a part of the cached search texts is outdated. */
async function searchAfterChanges(asked: Asked[]): Promise<void> {
  const { items } = await live.owner.read(PAGE);
  for (const { id, title } of items.slice(0, ROUNDS)) {
    await live.owner.change(`/api/products/${id}`, { title: `${title}, neu` });
    asked.push(await ask(`${PAGE}&q=weiss`));
  }
}

async function tell(name: string, measure: (asked: Asked[]) => Promise<void>): Promise<void> {
  const asked: Asked[] = [];
  const usedMs = await processorMs(pid);
  await measure(asked);
  const cpuMs = (await processorMs(pid) - usedMs) / asked.length;
  const times = asked.map(({ ms }) => ms);
  const kilobytes = asked.reduce((sum, { bytes }) => sum + bytes, 0) / asked.length / 1_000;
  const columns = [median(times), Math.max(...times), cpuMs, kilobytes];
  say(name.padEnd(29) + columns.map((value) => value.toFixed(1).padStart(8)).join(""));
  if (median(times) > BUDGET_MS) slow.push(name);
}
