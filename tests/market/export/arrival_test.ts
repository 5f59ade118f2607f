import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { clearFormerRows } from "../../../src/catalogue/changes/rewrite_products.ts";
import { checkCatalogue } from "../../../src/catalogue/check_catalogue.ts";
import { awaitedPrices, awaitsAny } from "../../../src/catalogue/prices/awaited_price_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { startTestApp, withApp } from "../../harness.ts";
import { importFile, importXml } from "../../imports/import_calls.ts";
import { Erp, HOUR_MS, startErp } from "./erp.ts";
import { extent } from "../../proof.ts";

withApp.test("prices fetched and sent back by the next import have all arrived", async (app) => {
  const erp = await startErp(app);
  await erp.set("P", 11);
  await erp.set("Q", 21);
  await erp.set("Q", 22);
  await erp.fetch();
  assertEquals(await erp.list(), [["P", "waiting", 1_100, null], ["Q", "waiting", 2_200, null]]);
  const job = await erp.send({ P: "11,00", Q: "22,00", R: "30,00" });
  assertEquals(job.arrival, { expected: 2, arrived: 2, missing: 0 });
  assertEquals([await erp.list(), await erp.alerts()], [[], []]);
  assertEquals(await awaitsAny(app), false);
  assertEquals((await erp.send({ P: "11,00", Q: "22,00" })).arrival, null, "nothing is awaited");
});

withApp.test("a HEAD request hands no price over", async (app) => {
  const erp = await startErp(app);
  await erp.set("P", 11);
  const answer = await erp.key.send("HEAD", "/api/public/v1/price-changes?format=csv&since=");
  assertEquals(answer.status, 200);
  assertEquals(await erp.send({ P: "11,00" }).then(({ arrival }) => arrival), null);
});

Deno.test("another price has not arrived, is counted and reported once; a later right price has arrived", async () => {
  const token = "m".repeat(32);
  await using app = await startTestApp({ env: { METRICS_TOKEN: token } });
  const erp = await startErp(app);
  await erp.set("P", 11);
  await erp.set("Q", 21);
  await erp.fetch();
  const job = await erp.send({ P: "10,00", R: "30,00" });
  assertEquals(job.arrival, { expected: 2, arrived: 0, missing: 1 });
  const headers = { Authorization: `Bearer ${token}` };
  const figures = await (await app.anyone.get("/metrics", headers)).text();
  match(figures, /^kurant_awaited_prices\{status="not_arrived"\} 1$/m);
  match(figures, /^kurant_awaited_prices\{status="waiting"\} 1$/m);
  const again = await erp.send({ P: "10,50", Q: "21,00", R: "30,00" });
  assertEquals(again.arrival, { expected: 2, arrived: 1, missing: 1 });
  assertEquals(await erp.list(), [["P", "not_arrived", 1_100, 1_050]]);
  assertEquals(await erp.alerts(), ["1 price did not arrive"]);
  const last = await erp.send({ P: "11,00", Q: "21,00", R: "30,00" });
  assertEquals(last.arrival, { expected: 1, arrived: 1, missing: 0 });
  assertEquals(await erp.list(), []);
});

withApp.test("deltas and files without prices do not judge prices that they lack", async (app) => {
  const erp = await startErp(app);
  await erp.set("P", 11);
  await erp.fetch();
  for (const price of ["30,00", "31,00", "32,00"]) {
    const delta = await erp.send({ R: price });
    assertEquals(delta.arrival, { expected: 1, arrived: 0, missing: 0 });
  }
  for (const stock of [1, 2, 3]) {
    app.clock.advance(HOUR_MS);
    const file = `Artikelnummer;Bezeichnung;Bestand\nQ;T;${stock}\nR;T;${stock}\n`;
    const { data } = await importFile(erp.key, file, "text/csv", "?mode=replace&force=true");
    assertEquals(data.status, "succeeded");
    await erp.key.act("/api/public/v1/products/P/restore");
    await erp.judge();
  }
  assertEquals(await erp.list(), [["P", "waiting", 1_100, null]]);
  assertEquals(await erp.alerts(), []);
});

withApp.test("a price that two full loads lack is missing; an insert, a dry run and an older file do not count", async (app) => {
  const erp = await startErp(app);
  await app.owner.create("/api/products", { sku: "H", title: "Hand", ourPrice: 9 });
  await erp.set("H", 11);
  await erp.set("Q", 21);
  await erp.fetch();
  await erp.send({ N: "1,00" }, "?mode=insert");
  await importXml(erp.key, "<ITEMS><ITEM><SKU>R</SKU></ITEM></ITEMS>", "?dryRun=true");
  await erp.judge();
  const full = { P: "10,00", R: "30,00", N: "1,00" };
  const first = await erp.send({ ...full, Q: "21,00" }, "?mode=replace");
  assertEquals(first.arrival, { expected: 2, arrived: 1, missing: 0 });
  const second = await erp.send({ ...full, Q: "21,00" }, "?mode=replace");
  assertEquals(second.arrival, { expected: 1, arrived: 0, missing: 1 });
  assertEquals(await erp.list(), [["H", "missing", 1_100, null]]);
  assertEquals(await erp.alerts(), ["1 price did not arrive"]);
});

withApp.test("prices not brought within 48 hours are missing, too: one alert counts them", async (app) => {
  const erp = await startErp(app);
  for (const sku of ["P", "Q", "R"]) await erp.set(sku, 15);
  await erp.fetch();
  app.clock.advance(47 * HOUR_MS);
  await erp.judge();
  assertEquals(await erp.alerts(), []);
  app.clock.advance(HOUR_MS);
  await erp.judge();
  await erp.judge();
  assertEquals(await erp.alerts(), ["3 prices did not arrive"]);
  const statuses = (await erp.list()).map(([, status]: string[]) => status);
  assertEquals(statuses, ["missing", "missing", "missing"]);
  assertEquals((await erp.key.read("/api/public/v1/price-arrivals?status=missing")).count, 3);
});

withApp.test("many awaited prices are checked in several commits, and reported by one alert", async (app) => {
  const erp = new Erp(app, await app.key(["products:write", "proposals:read"]));
  const count = extent(130, 60);
  const skus = Array.from({ length: count }, (_, n) => `S-${n}`);
  const at = (price: string) => Object.fromEntries(skus.map((sku) => [sku, price]));
  await erp.send(at("10,00"));
  app.clock.advance(HOUR_MS);
  const items = skus.map((sku) => ({ sku, ourPrice: 11 }));
  await erp.key.act("/api/public/v1/products/batch", { items });
  await erp.fetch();
  const job = await erp.send({ ...at("11,00"), "S-7": "10,00", "S-55": "10,00" });
  assertEquals(job.arrival, { expected: count, arrived: count - 2, missing: 2 });
  assertEquals(await erp.alerts(), ["2 prices did not arrive"]);
});

withApp.test("an import that is taken back brings no prices, and its undo is no import", async (app) => {
  const erp = await startErp(app);
  await erp.set("P", 11);
  await erp.fetch();
  app.clock.advance(HOUR_MS);
  const file = "<ITEMS><ITEM><SKU>R</SKU><BRAND>B</BRAND></ITEM></ITEMS>";
  const { data } = await importXml(erp.key, file);
  await erp.judge();
  const undo = await app.owner.act(`/api/imports/${data.jobId}/undo`, {});
  await erp.judge();
  assertEquals(await erp.list(), [["P", "waiting", 1_100, null]]);
  assertEquals((await app.viewer.read(`/api/imports/${undo.jobId}`)).arrival, null);
});

withApp.test("a person's download awaits no prices; deleted products and changed tiers are no longer awaited", async (app) => {
  const erp = await startErp(app);
  for (const sku of ["P", "Q", "R"]) await erp.set(sku, 15);
  await (await app.viewer.get("/api/price-changes?format=csv")).text();
  assertEquals(await awaitsAny(app), false);
  await erp.fetch();
  const { items } = await app.owner.read("/api/products");
  const idOf = (sku: string) => items.find((one: { sku: string }) => one.sku === sku).id;
  await app.owner.remove(`/api/products/${idOf("P")}`);
  await app.owner.change(`/api/products/${idOf("Q")}`, { tier: "B" });
  const job = await erp.send({ R: "15,00" });
  assertEquals(job.arrival, { expected: 1, arrived: 1, missing: 0 });
  assertEquals(await awaitsAny(app), false);
});

withApp.test("awaited prices expire, and the check finds one without a product", async (app) => {
  const erp = await startErp(app);
  await erp.set("P", 15);
  await erp.fetch();
  const { store, workspaceId } = app;
  assertEquals(await Array.fromAsync(checkCatalogue(store, workspaceId)), []);
  await transact(app, (write) => {
    const waits = { status: "waiting", misses: 0, seen: null, toldAtMs: 0 } as const;
    const strange = { productId: "a".repeat(24), tier: "", cents: 1, currency: "EUR", ...waits };
    awaitedPrices.put(write, app, strange);
    return Promise.resolve();
  });
  assertEquals(await Array.fromAsync(checkCatalogue(store, workspaceId)), [
    `A price of the unknown product ${"a".repeat(24)} is awaited`,
  ]);
  assertEquals(await awaitedPrices.sweep(app, new Date(app.clock.now().getTime() - HOUR_MS)), 1);
  assertEquals((await awaitedPrices.list(app)).length, 1);
});

withApp.test("prices brought by an import of an earlier version are judged, even if the process dies after each commit", async (app) => {
  const { store } = app;
  await transact(app, (write) => {
    for (let n = 0; n < 130; n++) {
      const productId = app.app.clock.newId();
      const waits = { status: "waiting", misses: 0, seen: null, toldAtMs: 0 } as const;
      const price = { productId, tier: "A", cents: 1_100, currency: "EUR", ...waits };
      awaitedPrices.put(write, app, price);
    }
  });
  const jobId = "b".repeat(24);
  const brought = { jobId, cents: 1_100, currency: "EUR" };
  const awaited = await awaitedPrices.list(app);
  await transact(app, (write) => {
    for (const { row } of awaited) {
      write.set(["xas", ...awaitedPrices.keyOf(app, row).slice(1)], brought);
    }
  });
  // The cleanup starts from the beginning each time, as after a kill.
  while (await transact(app, (write) => clearFormerRows(write, app)) !== null);
  assertEquals(await Array.fromAsync(store.kv.list({ prefix: ["xas"] })), []);
  const expected = awaited.map(({ row }) => ({ ...row, brought }));
  assertEquals((await awaitedPrices.list(app)).map(({ row }) => row), expected);
});

withApp.test("a fetch of everything awaits no arrived price, but each one set since", async (app) => {
  const erp = await startErp(app);
  await erp.set("P", 11);
  await erp.set("Q", 21);
  await erp.fetch();
  await erp.send({ P: "11,00", Q: "21,00" });
  for (const format of ["json", "csv", "xml", "xlsx"]) {
    await erp.set("R", 30 + format.length);
    await erp.fetch(format, "");
    assertEquals((await erp.list()).map(([sku]: string[]) => sku), ["R"], format);
  }
  // After two changes that cancel each other out, the price of P is awaited again.
  await erp.set("P", 12);
  await erp.set("P", 11);
  await erp.fetch("json", "");
  assertEquals((await erp.list()).map(([sku]: string[]) => sku), ["P", "R"]);
  // The ERP itself changes the price of Q. Once the ERP has fetched our price of Q, this price is
  // awaited again.
  await erp.send({ P: "11,00", Q: "20,50", R: "34,00" });
  assertEquals(await erp.list(), []);
  await erp.set("R", 33);
  await erp.fetch("json", "");
  assertEquals(await erp.list(), [["Q", "waiting", 2_100, null], ["R", "waiting", 3_300, null]]);
});

withApp.test("an older price of a long export is not awaited once the last one has arrived", async (app) => {
  const erp = await startErp(app);
  await erp.set("P", 12);
  const changes = extent(200, 60);
  for (let n = 0; n < changes; n++) await erp.set("Q", 21 + n);
  await erp.set("P", 11);
  await erp.fetch();
  await erp.send({ P: "11,00", Q: `${20 + changes},00` });
  await erp.set("R", 31);
  await erp.fetch("json", "");
  assertEquals(await erp.list(), [["R", "waiting", 3_100, null]]);
});

withApp.test("a price arrives with a record that the import skips as unchanged, even if it was missing", async (app) => {
  const erp = await startErp(app);
  await erp.set("P", 11);
  const full = { P: "11,00", Q: "20,00", R: "30,00" };
  await erp.send(full, "?mode=replace");
  await erp.fetch();
  assertEquals(await erp.list(), [["P", "waiting", 1_100, null]]);
  const next = await erp.send(full, "?mode=replace");
  assertEquals([next.stats.skipped, next.stats.updated], [3, 0]);
  assertEquals(next.arrival, { expected: 1, arrived: 1, missing: 0 });

  await erp.set("P", 12);
  await erp.send({ ...full, P: "12,00" }, "?mode=replace");
  await erp.fetch();
  app.clock.advance(48 * HOUR_MS);
  await erp.judge();
  assertEquals(await erp.list(), [["P", "missing", 1_200, null]]);
  await erp.send({ ...full, P: "12,00" }, "?mode=replace");
  assertEquals(await erp.list(), []);

  // A skipped record with an older price is not an arrival.
  await erp.set("P", 13);
  await erp.send(full, "?mode=replace");
  await erp.fetch();
  const stale = await erp.send(full, "?mode=replace");
  assertEquals([stale.stats.skipped, stale.stats.updated], [3, 0]);
  assertEquals(await erp.list(), [["P", "not_arrived", 1_300, 1_100]]);
});
