import { HOUR_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { sumOf } from "../../src/base/collections.ts";
import { movesSince } from "../../src/market/moves/moves.ts";
import { addMoves, type Move } from "../../src/shops/observations/move_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { column, refuses, valuesOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { addProduct, push } from "../rules/evaluation/market.ts";
import { type TestApp, withApp } from "../harness.ts";
import { linksOf } from "../shops/shop.ts";

// deno-lint-ignore no-explicit-any -- an untyped answer
const moves = (caller: Caller, query = ""): Promise<any> =>
  caller.read(`/api/market/moves?${query}`);

const told = ({ items }: { items: readonly Record<string, unknown>[] }) =>
  items.map(({ kind, sku, competitor, changePct }) =>
    [kind, sku, String(competitor).split(".")[0], changePct].join(" ")
  );

async function fill(app: TestApp): Promise<void> {
  await addProduct(app.owner, "A", { category: "Bohrer" });
  await addProduct(app.owner, "B", { category: "bohrer" });
  await addProduct(app.owner, "C", { category: "Sägen" });
  await push(app, [["A", "acme", 120], ["B", "acme", 110], ["C", "acme", 100]]);
  await push(app, [["A", "bolt", 90], ["C", "bolt", 100]]);
  app.clock.advance(25 * HOUR_MS);
  await push(app, [["A", "acme", 90], ["B", "acme", 99], ["C", "acme", 110]]);
  await push(app, [["C", "bolt", 100]], { inStock: false });
  await push(app, [["B", "dent", 105]]);
}

withApp.test("moves of the last 30 days are listed by the size of change, with our current position, to people and any key", async (app) => {
  await fill(app);
  const answer = await moves(app.viewer);
  assertEquals(told(answer), [
    "down A acme -25",
    "down B acme -10",
    "up C acme 10",
    "sold_out C bolt 0",
    "new_offer B dent ",
  ]);
  assertEquals(answer.counts, { down: 2, up: 1, back_in_stock: 0, sold_out: 1, new_offer: 1 });
  assertEquals([answer.total, answer.products, answer.isCut], [5, 3, false]);
  const ago = (hours: number) =>
    new Date(app.clock.now().getTime() - hours * HOUR_MS).toISOString();
  assertEquals(answer.since, ago(24));
  const { id: _id, productId: _product, competitorId: _shop, ...first } = answer.items[0];
  const prices = { fromCents: 12_000, toCents: 9_000, currency: "EUR", changePct: -25 };
  const position = { isNowCheapest: true, gapPct: 11.11, roomPct: -10 };
  const offer = { sku: "A", title: "Product A", competitor: "acme.example" };
  assertEquals(first, { at: ago(0), kind: "down", ...offer, ...prices, ...position });
  const all = await moves(app.viewer, `since=${ago(26)}&limit=3`);
  assertEquals([all.items.length, all.total, all.counts.new_offer], [3, 10, 6]);
  assertEquals(told(await moves(app.viewer, "kind=down&limit=1")), ["down A acme -25"]);
  const { competitorId } = answer.items[4];
  const ofDent = await moves(app.viewer, `competitorId=${competitorId}`);
  assertEquals([told(ofDent), ofDent.counts.down], [["new_offer B dent "], 0]);

  const key = await app.key([]);
  const { data } = await key.read("/api/public/v1/market/moves?kind=up");
  assertEquals(told(data), ["up C acme 10"]);
  const old = await moves(app.viewer, "since=2020-01-01");
  assertEquals([old.since, old.total], [ago(30 * 24), 10]);
  await refuses(app.viewer.get("/api/market/moves?since=x"), "validation_failed");

  await app.owner.remove(`/api/products/${answer.items[0].productId}`);
  await app.owner.change(`/api/competitors/${competitorId}`, { enabled: false });
  const left = ["down B acme -10", "up C acme 10", "sold_out C bolt 0"];
  assertEquals(told(await moves(app.viewer)), left);
});

withApp.test("different observations of one push are moves, in the order of observation", async (app) => {
  await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 100]]);
  app.clock.advance(6 * HOUR_MS);
  const key = await app.key(["observations:write"]);
  const nowMs = app.clock.now().getTime();
  const observed = (price: number, hoursAgo: number, inStock = true) => ({
    sku: "A",
    url: "https://acme.example/A",
    price,
    currency: "EUR",
    inStock,
    observedAt: new Date(nowMs - hoursAgo * HOUR_MS).toISOString(),
  });
  // The newest of these observations has the price from before this push.
  const observations = [
    observed(100, 1),
    observed(80, 5),
    observed(90, 4),
    observed(90, 3),
    observed(90, 2, false),
  ];
  const since = new Date(nowMs - 5.5 * HOUR_MS).toISOString();
  for (let sent = 0; sent < 2; sent++) {
    await key.act("/api/public/v1/observations", { observations });
    const { items } = await moves(app.viewer, `since=${since}`);
    assertEquals(valuesOf(items, "at", "kind", "fromCents", "toCents").sort(), [
      ["2026-03-02T10:00:00.000Z", "down", 10_000, 8_000],
      ["2026-03-02T11:00:00.000Z", "up", 8_000, 9_000],
      ["2026-03-02T13:00:00.000Z", "sold_out", 9_000, 9_000],
      ["2026-03-02T14:00:00.000Z", "back_in_stock", 9_000, 10_000],
    ]);
  }
});

withApp.test("groups of moves count moves and products, and those where we are undercut now", async (app) => {
  await fill(app);
  const { groups } = await moves(app.viewer, "groupBy=competitor,category");
  const [of, figures] = [
    ["kind", "competitor", "category"],
    ["products", "moves", "competitorMoves", "changePct", "nowCheapest", "undercutUs", "withRoom"],
  ];
  assertEquals(valuesOf(groups, ...of, ...figures), [
    ["down", "acme.example", "Bohrer", 2, 2, 3, -17.5, 2, 2, 0],
    ["up", "acme.example", "Sägen", 1, 1, 3, 10, 1, 0, 1],
    ["sold_out", "bolt.example", "Sägen", 1, 1, 1, 0, 0, 0, 1],
    ["new_offer", "dent.example", "Bohrer", 1, 1, 1, null, 0, 0, 0],
  ]);
  const names = [...of, ...figures, "competitorId", "biggest"].sort();
  for (const group of groups) {
    assertEquals(Object.keys(group).sort(), names);
    ok(typeof group.competitorId === "string" && group.biggest);
  }
  const groupsBy = async (by: string) => {
    const { groups } = await moves(app.viewer, `groupBy=${by}&kind=down`);
    return valuesOf(groups, ...of, "moves", "competitorMoves");
  };
  assertEquals(await groupsBy("competitor"), [["down", "acme.example", undefined, 2, 2]]);
  assertEquals(await groupsBy("category"), [["down", undefined, "Bohrer", 2, undefined]]);

  await addProduct(app.owner, "D");
  await push(app, [["D", "acme", 50]]);
  const { groups: all } = await moves(app.viewer, "groupBy=competitor,category");
  assertEquals(all.length, 5);
  for (const group of all) {
    const { kind, competitorId, category } = group;
    const query = new URLSearchParams({ kind, competitorId });
    if (category === null) query.set("hasCategory", "false");
    else query.set("category", category);
    const { total, products } = await moves(app.viewer, `${query}`);
    assertEquals([total, products], [group.moves, group.products], `${query}`);
  }
  assertEquals(told(await moves(app.viewer, "hasCategory=false")), ["new_offer D acme "]);
  assertEquals((await moves(app.viewer, "hasCategory=true")).total, 5);
  assertEquals((await moves(app.viewer, "category=bohrer")).counts.down, 2);
  assertEquals((await moves(app.viewer, "category=nichts")).total, 0);
});

withApp.test("moves of disabled or deleted links are neither counted nor listed, and return with their link", async (app) => {
  const { owner } = app;
  const a = await addProduct(owner, "A");
  await addProduct(owner, "B");
  for (const [first, atBolt, ofB, second] of [[100, 100, 100, 100], [50, 90, 60, 80]] as const) {
    app.clock.advance(25 * HOUR_MS);
    await push(app, [["A", "acme", first], ["A", "bolt", atBolt], ["B", "acme", ofB]]);
    // Product A has two links at acme; disabling one keeps the moves of the other.
    await push(app, [["A", "acme", second]], { url: "https://acme.example/two" });
  }
  const now = async () => {
    const answer = await moves(app.viewer);
    const grouped = await moves(app.viewer, "groupBy=competitor");
    assertEquals(grouped.counts, answer.counts);
    assertEquals(sumOf(column(grouped.groups, "moves"), Number), answer.total);
    assertEquals(answer.total, answer.items.length);
    const rows = valuesOf(answer.items, "sku", "toCents", "isNowCheapest");
    return [answer.counts.down, ...rows.map((row) => row.join(" "))];
  };
  const all = [4, "A 5000 true", "B 6000 true", "A 8000 true", "A 9000 false"];
  assertEquals(await now(), all);
  const links = await linksOf(owner, `productId=${a}`);
  const idOf = (end: string) => links.find(({ url }) => url.endsWith(end))?.id;
  const cheapest = `/api/competitor-products/${idOf("acme.example/A")}`;
  await owner.change(cheapest, { enabled: false });
  assertEquals(await now(), [3, "B 6000 true", "A 8000 true", "A 9000 false"]);
  await owner.remove(`/api/competitor-products/${idOf("acme.example/two")}`);
  assertEquals(await now(), [2, "B 6000 true", "A 9000 true"]);
  await owner.change(cheapest, { enabled: true });
  assertEquals(await now(), [3, "A 5000 true", "B 6000 true", "A 9000 false"]);
});

withApp.test("a move of an earlier version is listed while its shop has a link of the product", async (app) => {
  await fill(app);
  for await (const { key, value } of app.store.kv.list<Uint8Array>({ prefix: ["mv"] })) {
    const [shops, currencies, rows] = JSON.parse(new TextDecoder().decode(value));
    const former = [shops, currencies, rows.map((row: unknown[]) => row.slice(0, 9))];
    await app.store.kv.set(key, new TextEncoder().encode(JSON.stringify(former)));
  }
  const { items } = await moves(app.viewer);
  assertEquals(items.length, 5);
  const links = await linksOf(app.owner, `productId=${items[0].productId}`);
  const link = links.find(({ url }) => url.includes("acme"));
  await app.owner.remove(`/api/competitor-products/${link?.id}`);
  assertEquals(told(await moves(app.viewer))[0], "down B acme -10");
});

const move = (n: number): Move => ({
  kind: "down",
  fromCents: 1_000,
  toCents: n,
  currency: "EUR",
  packFactor: 1,
  competitorId: "0".repeat(24),
  atMs: 0,
  isObserved: true,
  productId: String(n).padStart(24, "0"),
  matchId: String(n).padStart(24, "1"),
});

withApp.test("the newest moves are read, and it is said if there are too many", async (app) => {
  const commit = (at: number, count: number) => {
    const rows = Array.from({ length: count }, (_, n) => move(at + n));
    return transact(app, (write) => addMoves(write, { ...app, now: app.clock.now }, rows));
  };
  const read = async (hours: number) => {
    const sinceMs = app.clock.now().getTime() - hours * HOUR_MS;
    const most = { recentMax: 5, olderMax: 4 };
    const { rows, isCut } = await movesSince({ ...app, now: app.clock.now }, sinceMs, most);
    return [column(rows.flatMap(({ moves }) => moves), "toCents").sort(), isCut];
  };
  await commit(1, 2);
  app.clock.advance(HOUR_MS);
  await commit(3, 3);
  assertEquals(await read(0.5), [[3, 4, 5], false]);
  assertEquals(await read(2), [[1, 2, 3, 4, 5], false]);
  assertEquals(await read(49), [[3, 4, 5], true]);
  await commit(6, 1);
  assertEquals(await read(2), [[3, 4, 5, 6], true]);
});
