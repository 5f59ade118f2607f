/**
 * Rates of pages and single products over HTTP, compared with minimal servers in the same run.
 * `deno run -A tests/bench/catalogue_bench.ts [products]`
 */
import { argv } from "node:process";
import { joinDocuments } from "../../src/base/bytes.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { applianceOf, seedProducts } from "./seed_catalogue.ts";
import { compareRates, inProcess, report, type Slice, startClient } from "./slices.ts";
import { serveHere } from "../local_server.ts";

const MANY = Number(argv[2] ?? 100_000);
const FEW = 1_000;
const RARE_EVERY = MANY / 10;
const CONNECTIONS = [1, 8];

await using large = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: "1000000" } });
await using small = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: "1000000" } });
await seed(large, MANY);
await seed(small, FEW);
using client = startClient();

for (const connections of CONNECTIONS) {
  const ask = async (app: TestApp, path: string): Promise<Slice> => {
    const { text } = await app.newKey([]);
    const port = Number(new URL(app.base).port);
    return client.asks({ port, path, connections, authorization: `Bearer ${text}` });
  };
  const list = "/api/public/v1/products";
  const name = (text: string) => `${text}, ${connections} at once`;

  const floor = inProcess(connections, () => bareList(large));
  const [bare, page] = await compareRates(floor, await ask(large, `${list}?limit=100`));
  report(name("page of 100 / bare kv.list"), page / bare, "≥ 0.75", rates(page, bare));

  const plain = await ask(large, list);
  const [unfiltered, filtered] = await compareRates(plain, await ask(large, `${list}?brand=rare`));
  report(
    name("rare brand / unfiltered page, time"),
    unfiltered / filtered,
    "≤ 1.50",
    rates(filtered, unfiltered),
  );

  const [few, many] = await compareRates(await ask(small, list), plain);
  report(name(`${MANY} / ${FEW} products, time of a page`), few / many, "< 1.20", rates(many, few));

  await using server = bareServer(large);
  const bareJoin = client.asks({
    port: server.port,
    path: "/page",
    connections,
    authorization: "",
  });
  const [joined, same] = await compareRates(bareJoin, await ask(large, `${list}?limit=100`));
  report(
    name("page of 100 / bare server with kv.list"),
    same / joined,
    "≥ 0.80",
    rates(same, joined),
  );

  const bareGet = client.asks({ port: server.port, path: "/", connections, authorization: "" });
  const [get, single] = await compareRates(bareGet, await ask(large, `${list}/SKU-0`));
  report(
    name("GET by SKU / bare server with one kv.get, time"),
    get / single,
    "≤ 2.00",
    rates(single, get),
  );
}

function rates(subject: number, floor: number): string {
  return `${Math.round(subject)}/s against ${Math.round(floor)}/s`;
}

function products({ workspaceId }: TestApp): Deno.KvKey {
  return ["p", Uint8Array.fromHex(workspaceId)];
}

async function bareList(app: TestApp) {
  const rows: Deno.KvEntry<Uint8Array<ArrayBuffer>>[] = [];
  const options = { limit: 100, batchSize: 100 };
  const selector = { prefix: products(app) };
  for await (const row of app.store.kv.list<Uint8Array<ArrayBuffer>>(selector, options)) {
    rows.push(row);
  }
  return rows;
}

/** A minimal server: `/page` lists and joins 100 documents, other paths read one row. */
function bareServer(app: TestApp) {
  const headers = { "Content-Type": "application/json" };
  const first = Array.fromAsync(app.store.kv.list({ prefix: products(app) }, { limit: 1 }));
  return serveHere(async (request) => {
    if (request.url.endsWith("/page")) {
      const rows = await bareList(app);
      const documents = rows.map(({ value }) => value);
      return new Response(joinDocuments('{"data":[', documents, "]}"), { headers });
    }
    const [row] = await first;
    const { value } = await app.store.kv.get<Uint8Array<ArrayBuffer>>(row?.key ?? []);
    return new Response(value, { headers });
  });
}

async function seed({ app, store, workspaceId }: TestApp, count: number): Promise<void> {
  const { clock } = app;
  await seedProducts({ store, workspaceId, clock }, count, (n) => {
    const product = applianceOf(clock, n);
    return n % RARE_EVERY === 7 ? { ...product, brand: "Rare" } : product;
  });
}
