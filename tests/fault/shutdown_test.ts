import { openStoreIn } from "../closing_store.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { stdout } from "node:process";
import { untilEnded } from "../caller.ts";
import { addMatch, addProduct } from "../shops/shop.ts";
import { itemsXml } from "../imports/import_calls.ts";
import { until } from "../patience.ts";
import { findingsOf, type LiveServer, type Server, startLiveServer } from "../program.ts";
import { extent } from "../proof.ts";
import { hanging, openShop, type Page, priced } from "../scraping/hostile_shop.ts";
import { inFolder } from "../temporary_folder.ts";
import { beginImport } from "./scale_out_scene.ts";
import { statusOf } from "../api/answers.ts";
import { connectTo } from "../raw_http.ts";

const ITEMS = extent(30_000, 2_000);

inFolder.test("SIGTERM in the middle of an import and of a scrape: exit 0, no lease is left, both end in the next process", async (folder) => {
  const answers: { page: Page } = { page: hanging };
  await using shop = openShop({ "/p": (request) => answers.page(request) });
  const settings = { SCRAPE_ALLOW_PRIVATE: "127.0.0.1", SCRAPE_TIMEOUT_MS: "120000" };
  let [jobId, runId] = ["", ""];
  {
    await using live = await startLiveServer(folder.path, settings);
    const product = await addProduct(live.owner, "SCRAPED");
    await addMatch(live.owner, product, `${shop.base}/p`);
    ({ runId } = await live.owner.begin(`/api/products/${product}/scrape-now`));
    const isVisited = () => shop.visits.some(({ path }) => path === "/p");
    await until("the page is being visited", isVisited);
    const items = Array.from({ length: ITEMS }, (_, n) => ({ sku: `S-${n}`, title: "Herd" }));
    jobId = await beginImport(live.owner, itemsXml(items));
    const inserted = async () => (await live.owner.read(`/api/imports/${jobId}`)).stats.inserted;
    await until("the import is at work, too", async () => await inserted() > 0);
    const toldAt = performance.now();
    const { code } = await live.stop("SIGTERM");
    stdout.write(`SIGTERM to the end: ${((performance.now() - toldAt) / 1_000).toFixed(1)} s\n`);
    assertEquals(code, 0);
  }
  {
    using store = await openStoreIn(folder.path);
    assertEquals(await Array.fromAsync(store.kv.list({ prefix: ["jl"] })), []);
  }
  answers.page = priced("9.00");
  {
    await using live = await startLiveServer(folder.path, settings);
    ok((await live.owner.read(`/api/imports/${jobId}`)).stats.inserted > 0);
    const job = await untilEnded(live.owner, `/api/imports/${jobId}`);
    assertEquals([job.status, job.stats.inserted, job.count], ["succeeded", ITEMS, ITEMS]);
    const run = await untilEnded(live.owner, `/api/scrape-runs/${runId}`);
    assertEquals([run.status, run.counts.ok], ["succeeded", 1]);
    assertEquals((await live.stop("SIGTERM")).code, 0);
  }
  assertEquals(await findingsOf(folder.path), "");
});

inFolder.test("a connection that the runtime itself forbids fails its run with a code, and the server goes on", async (folder) => {
  await using shop = openShop({ "/p": priced("9.00") });
  await using other = openShop({ "/p": priced("7.00") });
  // `SCRAPE_ALLOW_PRIVATE` allows the shop's address, but Deno's permissions deny it.
  const flags = ["--allow-all", `--deny-net=127.0.0.1:${shop.port}`];
  const settings = { SCRAPE_ALLOW_PRIVATE: "127.0.0.1" };
  await using live = await startLiveServer(folder.path, settings, { program: { flags } });
  const codes: (string | null)[] = [];
  for (const { base } of [shop, other]) {
    const product = await addProduct(live.owner, `OF-${base}`);
    await addMatch(live.owner, product, `${base}/p`);
    const { runId } = await live.owner.begin(`/api/products/${product}/scrape-now`);
    const run = await untilEnded(live.owner, `/api/scrape-runs/${runId}`);
    assertEquals(run.status, "succeeded");
    codes.push(run.results[0].errorCode);
  }
  assertEquals(codes, ["unreachable", null]);
  assertEquals(shop.visits.length, 0);
});

const DEFECTIVE = { program: { entry: "tests/fault/stray_entry.ts" } };

inFolder.test("a rejection that nobody awaits is logged with its place, and the server goes on; an uncaught exception ends it with code 1, and the next one starts", async (folder) => {
  {
    await using live = await startLiveServer(folder.path, {}, DEFECTIVE);
    live.tell("SIGUSR1");
    await live.logged(/unhandled rejection/);
    const line = live.log().split("\n").find((text) => text.includes("unhandled rejection")) ?? "";
    const { level, room, error } = JSON.parse(line);
    assertEquals([level, room], ["error", "serve"]);
    match(error, /STRAY REJECTION[^]*stray_entry\.ts/);
    const made = live.owner.post("/api/products", { sku: "A", title: "Herd" });
    assertEquals(await statusOf(made), 201);
    live.tell("SIGUSR2");
    assertEquals((await live.ended).code, 1);
    match(live.log(), /STRAY EXCEPTION[^]*stray_entry\.ts/);
  }
  await using next = await startLiveServer(folder.path);
  assertEquals((await next.owner.read("/api/products")).total, 1);
});

const DESCRIPTORS_MAX = 256;
const CONNECTIONS = 400;
const FLOODS = extent(3, 2);

async function flood({ url }: Server): Promise<Disposable & { readonly count: number }> {
  const tries = Array.from({ length: CONNECTIONS }, () => connectTo(url).catch(() => null));
  const opened = (await Promise.all(tries)).filter((connection) => connection !== null);
  return {
    count: opened.length,
    [Symbol.dispose]() {
      for (const connection of opened) connection.close();
    },
  };
}

const isServed = ({ anyone }: LiveServer) =>
  statusOf(anyone.get("/healthz")).then((status) => status === 200, () => false);

inFolder.test(`${CONNECTIONS} idle connections of strangers at ${DESCRIPTORS_MAX} descriptors: others are served meanwhile and afterwards`, async (folder) => {
  const program = { descriptorsMax: DESCRIPTORS_MAX };
  await using server = await startLiveServer(folder.path, {}, { program });
  for (let n = 0; n < FLOODS; n++) {
    using held = await flood(server);
    ok(held.count > 0, "nobody gets through");
    await until("somebody is served beside them", () => isServed(server));
  }
  await until("somebody is served after them", () => isServed(server));
  const product = { sku: "AFTERWARDS", title: "t" };
  assertEquals(await statusOf(server.owner.post("/api/products", product)), 201);
  ok(/"the listener ended and starts again"/.test(server.log()), "there were descriptors enough");
  assertEquals((await server.stop("SIGTERM")).code, 0);
});
