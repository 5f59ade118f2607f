/**
 * Measures how many list pages and single products Kurant serves per second over HTTP, compared
 * with minimal servers. `deno run -A tests/bench/catalogue_bench.ts [products]`
 */
import { argv } from "node:process";
import { startTestApp, type TestApp } from "../harness.ts";
import { applianceOf, seedProducts } from "./seed_catalogue.ts";
import { compareRates, inProcess, ratesOf, report, type Slice, startClient } from "./slices.ts";
import { serveHere } from "../local_server.ts";

const MANY = Number(argv[2] ?? 100_000);
const FEW = 1_000;
const CONNECTIONS = [1, 8];

await using large = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: "1000000" } });
await using small = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: "1000000" } });
await seed(large, MANY);
await seed(small, FEW);
using client = startClient();

for (const connections of CONNECTIONS) {
  await using server = bareServer(large);
  const bare = client.asks({ port: server.port, path: "/", connections, authorization: "" });
  const ask = async (app: TestApp, path: string): Promise<Slice> => {
    const { text } = await app.newKey([]);
    const port = Number(new URL(app.base).port);
    return client.asks({ port, path, connections, authorization: `Bearer ${text}` });
  };
  const compare = async (what: string, budget: string, floor: Slice, subject: Slice) => {
    const [base, rate] = await compareRates(floor, subject);
    const ratio = what.includes("time") ? base / rate : rate / base;
    report(`${what}, ${connections} at once`, ratio, budget, ratesOf(rate, base));
  };
  const list = "/api/public/v1/products";
  const page = await ask(large, `${list}?limit=100`);
  const inStore = inProcess(connections, () => bareList(large));
  await compare("page of 100 / bare kv.list", "≥ 0.75", inStore, page);
  const plain = await ask(large, list);
  const few = await ask(small, list);
  await compare(`${MANY} / ${FEW} products, time of a page`, "< 1.20", few, plain);
  const single = await ask(large, `${list}/SKU-0`);
  await compare("GET by SKU / bare server with one kv.get, time", "≤ 2.00", bare, single);
}

function products({ workspaceId }: TestApp): Deno.KvKey {
  return ["p", Uint8Array.fromHex(workspaceId)];
}

function bareList(app: TestApp) {
  const options = { limit: 100, batchSize: 100 };
  return Array.fromAsync(app.store.kv.list({ prefix: products(app) }, options));
}

/** A server that does nothing but read one row. */
function bareServer(app: TestApp) {
  const headers = { "Content-Type": "application/json" };
  const first = Array.fromAsync(app.store.kv.list({ prefix: products(app) }, { limit: 1 }));
  return serveHere(async () => {
    const [row] = await first;
    const { value } = await app.store.kv.get<Uint8Array<ArrayBuffer>>(row?.key ?? []);
    return new Response(value, { headers });
  });
}

async function seed({ app, store, workspaceId }: TestApp, count: number): Promise<void> {
  const { clock } = app;
  await seedProducts({ store, workspaceId }, count, (n) => applianceOf(clock, n));
}
