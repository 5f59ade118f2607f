/**
 * Measures what share of our products the service discovers in a generated shop, and at what cost.
 * The shop runs in another process, so that its work is not measured. `deno task bench discovery
 * 50000 10` uses 50,000 pages and visits 10 % of them.
 */
import { argv } from "node:process";
import type { Discovery } from "../../src/shops/pages/discovery_store.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { pause } from "../patience.ts";
import { processMs } from "../processor_time.ts";
import { addShop, startDiscoveryApp } from "../scraping/discovery/made_shop.ts";
import { readText } from "../program.ts";
import { V8_FLAGS } from "../task_flags.ts";
import { ourTitles } from "../engine/matching/made_titles.ts";
import { say } from "./slices.ts";

const [pages = 50_000, visitShare = 10] = argv.slice(2).map(Number);
const SHARES = [0.1, 0.5, 1, 2, 5, 10, 20, 50];
/** The share of the shop's pages that show our products. */
const OURS_SHARE = 0.015;
const POLL_MS = 100;
const MB = 1e6;

const visits = Math.round(pages * visitShare / 100);
/** Number of our products; the shop sells half of them. */
const ours = Math.round(2 * OURS_SHARE * pages);
const shopFile = new URL("discovery_shop.ts", import.meta.url).pathname;
const shop = new Deno.Command(Deno.execPath(), {
  args: ["run", "--quiet", "--no-check", V8_FLAGS, "--allow-all", shopFile, String(pages)],
  stdin: "null",
  stdout: "piped",
  stderr: "inherit",
}).spawn();
const [, port] = await readText(shop.stdout).until(/^(\d+)\n/) ?? [];
if (port === undefined) throw new Error("The shop ended before it printed its port");
const base = `http://127.0.0.1:${port}`;
const app = await startDiscoveryApp();
const importer = await app.key(["products:write"]);
const items = ourTitles(ours).map(({ title, brand }, n) => ({
  sku: `B-${n}`,
  title,
  price: "10,00",
  more: `<BRAND>${brand}</BRAND>`,
}));
await importXml(importer, itemsXml(items));

const competitorId = await addShop(app.manager, base);
const path = `/api/competitors/${competitorId}/discovery`;
const begun = { cpu: processMs(), rss: Deno.memoryUsage().rss };
let peak = begun.rss;
let last = "";
let since = { cpu: begun.cpu, at: performance.now() };
await app.manager.replace(path, { mode: "suggest", pagesPerDay: visits });
for (let isOver = false; !isOver;) {
  const { state }: Discovery = await app.viewer.read(path);
  peak = Math.max(peak, Deno.memoryUsage().rss);
  if (state.phase !== last) {
    if (last !== "") tell(last);
    last = state.phase;
    since = { cpu: processMs(), at: performance.now() };
  }
  isOver = state.phase === "idle";
  if (isOver) {
    const { urls, visited, products, lastError } = state;
    say(`${urls} addresses, ${visited} visited, ${products} products, ${lastError ?? "no error"}`);
  }
  await pause(POLL_MS);
}
say(`memory: ${mb(begun.rss)} MB before, ${mb(peak)} MB at its peak`);
let stored = 0;
for await (const { value } of app.store.kv.list<Uint8Array>({ prefix: ["dsu"] })) {
  stored += value.length;
}
say(`addresses in the store: ${mb(stored)} MB`);

const seen: number[] = await (await fetch(`${base}/visited`)).json();
const all = Math.ceil(ours / 2);
say(`${all} of the pages are ours, among ${ours} products; a third of the pages without words`);
for (const share of SHARES.filter((one) => one <= visitShare)) {
  const part = seen.slice(0, Math.round(share * pages / 100));
  const found = part.filter((n) => n < ours && n % 2 === 0).length;
  say(`after ${share} % of the visits: ${(100 * found / all).toFixed(1)} % of our products`);
}
await app[Symbol.asyncDispose]();
shop.kill("SIGKILL");

function tell(phase: string): void {
  const [cpu, wall] = [processMs() - since.cpu, performance.now() - since.at];
  say(`${phase}: ${(cpu / 1_000).toFixed(1)} s of the processor, ${(wall / 1_000).toFixed(1)} s`);
}

function mb(bytes: number): string {
  return (bytes / MB).toFixed(0);
}
