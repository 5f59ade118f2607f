/**
 * Response times of the requests that the web client's screens send about products, on a real
 * server. Budget: no median above 200 ms on an idle machine once the search texts are loaded.
 * `ratio` compares the median with a minimal server that sends as many bytes; `cpu` is the server's
 * processor time per request. `deno task bench table`, or `deno run -A tests/bench/table_bench.ts
 * [products] [rounds]`
 */
import { argv } from "node:process";
import { MARKET_SORTS } from "../../src/catalogue/prices/product_market.ts";
import { createCaller } from "../caller.ts";
import { processorMs } from "../other_process.ts";
import { type LiveServer, serverPid, startLiveServer } from "../program.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { seedTable } from "./table_workspace.ts";
import { startHelper } from "../helper_process.ts";
import { say } from "./slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const ROUNDS = Number(argv[3] ?? 30);
const BUDGET_MS = 200;
const PAGE = "/api/products?limit=200";

type Form = readonly [name: string, ...paths: string[]];

/** A request for each text after which a person would pause while typing. */
const FORMS: readonly Form[] = [
  ["first page", PAGE],
  ["brand, 10 products", `${PAGE}&brand=Rarit%C3%A4t`, `${PAGE}&brand=rari`],
  ["brand, one value", `${PAGE}&brand=bobo+0`, `${PAGE}&brand=kratec`],
  ["brand, 1 letter", `${PAGE}&brand=x`, `${PAGE}&brand=b`, `${PAGE}&brand=%C3%BC`],
  ["brand, 2 and 3 letters", `${PAGE}&brand=bo`, `${PAGE}&brand=mie`, `${PAGE}&brand=gro`],
  ["brand, none", `${PAGE}&brand=zzz`],
  ["category, 1 letter", `${PAGE}&category=k`, `${PAGE}&category=g`],
  ["category, a group", `${PAGE}&category=kaffee`, `${PAGE}&category=gruppe+7`],
  ["tier", `${PAGE}&tier=B2B`, `${PAGE}&tier=STANDARD`, `${PAGE}&tier=nix`],
  ["brand and category", `${PAGE}&brand=bo&category=garten`, `${PAGE}&brand=rari&category=a`],
  ["brand, category, tier", `${PAGE}&brand=o&category=gruppe+3&tier=B2B`],
  ["sku", `${PAGE}&sku=SKU-4711`, `${PAGE}&sku=nix`],
  ["q, 1 letter", `${PAGE}&q=k`, `${PAGE}&q=7`, `${PAGE}&q=%C3%B6`],
  ["q, 2 letters", `${PAGE}&q=k%C3%BC`, `${PAGE}&q=47`, `${PAGE}&q=xa`],
  ["q, 3 letters", `${PAGE}&q=k%C3%BCh`, `${PAGE}&q=471`, `${PAGE}&q=rar`],
  ["q, a product", `${PAGE}&q=SKU-4711`, `${PAGE}&q=4000000456967`],
  ["q, a rare word", `${PAGE}&q=rarit%C3%A4t`, `${PAGE}&q=bobo+0+wasserkocher+barista`],
  ["q, none", `${PAGE}&q=zzz`, `${PAGE}&q=K%C3%BChlschrank+XY`],
  ["q and brand", `${PAGE}&q=barista&brand=bo`, `${PAGE}&q=99&brand=rari`],
  ["q against the category", `${PAGE}&q=was&category=%C3%BChlschrank`],
  ["q, category and tier", `${PAGE}&q=pro&category=audio&tier=B2B`],
  ["changed since, all", `${PAGE}&updatedSince=2020-01-01T00:00:00Z`],
  ["changed since, none", `${PAGE}&updatedSince=2099-01-01T00:00:00Z`],
  ["changed since, and a brand", `${PAGE}&updatedSince=2020-01-01T00:00:00Z&brand=rari`],
  ["with deleted ones", `${PAGE}&includeDeleted=true`, `${PAGE}&includeDeleted=true&brand=rari`],
  ["with deleted ones, q", `${PAGE}&includeDeleted=true&q=barista`],
  ["palette", "/api/products?q=bos&limit=8", "/api/products?q=4711&limit=8"],
  ["overview", "/api/overview"],
  ["inbox", "/api/proposals?status=open&limit=200"],
  ["alerts", "/api/alerts?order=desc&limit=100"],
  ["unread alerts", "/api/alerts/unread-count"],
  ["who, settings", "/api/auth/me", "/api/settings"],
];

const SORTED: readonly Form[] = MARKET_SORTS.map((sort) => [
  `sort ${sort}`,
  `${PAGE}&sort=${sort}`,
  `${PAGE}&sort=${sort}&order=desc`,
]);

const NARROWED: readonly Form[] = [
  ["dearer than 5 %", `${PAGE}&dearerThanPct=5`, `${PAGE}&dearerThanPct=5&sort=gapPct&order=desc`],
  ["room above 2 %", `${PAGE}&roomAbovePct=2&sort=room&order=desc`],
  ["margin below", `${PAGE}&marginBelowPct=10&sort=margin`],
  ["rank", `${PAGE}&rankMin=2&rankMax=3`, `${PAGE}&position=middle&sort=rank`],
  ["state", `${PAGE}&state=no_links`, `${PAGE}&state=ok&sort=cheapest`],
  ["with proposal", `${PAGE}&hasProposal=true&sort=proposal`, `${PAGE}&hasProposal=false`],
  ["seen before", `${PAGE}&newestBefore=2099-01-01&sort=newestAt`],
  ["market and q", `${PAGE}&dearerThanPct=1&q=barista&sort=gapPct`, `${PAGE}&state=ok&q=k`],
  ["market and brand", `${PAGE}&dearerThanPct=1&brand=bo&sort=index`],
  ["matrix", `${PAGE}&offers=true`, `${PAGE}&offers=true&sort=gapPct`],
  ["summary", "/api/market/summary", "/api/market/summary?by=category,competitor"],
];

const SCROLLED: readonly (readonly [name: string, path: string, pages: number])[] = [
  ["scroll to the end", PAGE, Infinity],
  ["scroll a brand of 1 letter", `${PAGE}&brand=x`, 60],
  ["scroll a brand of 3 letters", `${PAGE}&brand=gro`, 60],
  ["scroll a category", `${PAGE}&category=gruppe+7`, 60],
  ["scroll a tier", `${PAGE}&tier=B2B`, 60],
  ["scroll q of 1 letter", `${PAGE}&q=k`, 60],
  ["scroll q of 3 letters", `${PAGE}&q=471`, 60],
  ["scroll by gap", `${PAGE}&sort=gapPct&order=desc`, 60],
  ["scroll the inbox", "/api/proposals?status=open&limit=200", 60],
];

const EXPORTS: readonly Form[] = [
  ["csv, first bytes", "/api/products.csv", "/api/products.csv?q=barista"],
  ["csv by gap, first bytes", "/api/products.csv?sort=gapPct&columns=sku,cheapest,gapPct"],
  ["csv by title, first bytes", "/api/products.csv?sort=title"],
];

interface Measured {
  readonly name: string;
  readonly times: readonly number[];
  readonly bytes: number;
  readonly cpuMs: number;
}

await using folder = await temporaryFolder();
const dataDir = folder.path;
await (await startLiveServer(dataDir))[Symbol.asyncDispose]();
say(`${PRODUCTS.toLocaleString("en")} products are seeded …`);
await seedTable(dataDir, PRODUCTS);
await using live = await startLiveServer(dataDir);
const pid = await serverPid(dataDir);
await using bare = await startHelper(new URL("bare_hono.ts", import.meta.url));
const floor = { owner: createCaller(`http://127.0.0.1:${bare.line}`) };
const slow: string[] = [];
const slowOnce: string[] = [];

say(`${"request".padEnd(30)} median     p99     max  ratio     cpu      KB`);
// A search right after a sign-in, which has begun to load the search texts.
await tell(await measureForm(live, ["first q after the start", `${PAGE}&q=barista`], 1), "free");
for (const form of FORMS) await tell(await measureForm(live, form, ROUNDS));
// Waits until the market is loaded, because only its answers are measured.
while ((await live.owner.get(`${PAGE}&sort=title`)).status === 503);
for (const form of [...SORTED, ...NARROWED]) await tell(await measureForm(live, form, ROUNDS));
for (const [name, path, pages] of SCROLLED) await tell(await measureScroll(name, path, pages));
await tell(await measureWrites());
for (const form of EXPORTS) await tell(await measureForm(live, form, ROUNDS, takeFirstBytes));
say(`medians above ${BUDGET_MS} ms: ${slow.join(", ") || "none"}`);
say(`single requests above ${BUDGET_MS} ms: ${slowOnce.join(", ") || "none"}`);

type Take = (answer: Response) => Promise<number>;

async function takeAll(answer: Response): Promise<number> {
  return (await answer.arrayBuffer()).byteLength;
}

async function takeFirstBytes(answer: Response): Promise<number> {
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return first?.value?.length ?? 0;
}

async function ask({ owner }: Pick<LiveServer, "owner">, path: string, take: Take = takeAll) {
  const startedAt = performance.now();
  const answer = await owner.get(path);
  const bytes = await take(answer);
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
  return { ms: performance.now() - startedAt, bytes };
}

async function measureForm(
  server: Pick<LiveServer, "owner">,
  [name, ...paths]: Form,
  rounds: number,
  take: Take = takeAll,
): Promise<Measured> {
  const cpuAtMs = await processorMs(pid);
  const asked = [];
  for (let round = 0; round < rounds * paths.length; round++) {
    asked.push(await ask(server, paths[round % paths.length] ?? "", take));
  }
  return summary(name, asked, await processorMs(pid) - cpuAtMs);
}

async function measureScroll(name: string, path: string, pages: number): Promise<Measured> {
  const cpuAtMs = await processorMs(pid);
  const asked = [];
  for (let cursor: string | null = ""; cursor !== null && asked.length < pages;) {
    const startedAt = performance.now();
    const text: string = await (await live.owner.get(cursor ? `${path}&cursor=${cursor}` : path))
      .text();
    asked.push({ ms: performance.now() - startedAt, bytes: text.length });
    cursor = JSON.parse(text).nextCursor;
  }
  return summary(name, asked, await processorMs(pid) - cpuAtMs);
}

/** A search right after a change, which makes the text of one shard outdated. */
async function measureWrites(): Promise<Measured> {
  const { items } = await live.owner.read(PAGE);
  const asked = [];
  const cpuAtMs = await processorMs(pid);
  for (const [n, { id }] of items.slice(0, ROUNDS).entries()) {
    await live.owner.change(`/api/products/${id}`, { ourPrice: 100 + n });
    asked.push(await ask(live, `${PAGE}&q=barista`));
  }
  return summary("q after a change", asked, await processorMs(pid) - cpuAtMs);
}

function summary(
  name: string,
  asked: readonly { readonly ms: number; readonly bytes: number }[],
  cpuMs: number,
): Measured {
  const times = asked.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const bytes = asked.reduce((sum, { bytes }) => sum + bytes, 0) / asked.length;
  return { name, times, bytes: Math.round(bytes), cpuMs: cpuMs / asked.length };
}

async function tell(measured: Measured, judged: "budget" | "free" = "budget"): Promise<void> {
  const { name, times, bytes, cpuMs } = measured;
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  const bare = (await measureForm(floor, ["bare", `/${bytes}`], Math.max(10, ROUNDS))).times;
  const [median = 0, p99 = 0, max = 0] = [at(0.5), at(0.99), times.at(-1)];
  const ratio = median / (bare[bare.length >> 1] ?? 1);
  const columns = [median.toFixed(1), p99.toFixed(1), max.toFixed(1), ratio.toFixed(1)];
  say(
    name.padEnd(29) + columns.map((text) => text.padStart(8)).join("") +
      cpuMs.toFixed(1).padStart(8) + (bytes / 1_000).toFixed(0).padStart(8),
  );
  if (judged === "free") return;
  if (median > BUDGET_MS) slow.push(name);
  if (max > BUDGET_MS) slowOnce.push(`${name} (${max.toFixed(0)})`);
}
