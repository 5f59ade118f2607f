import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { clearFormerRows } from "../../../src/catalogue/changes/rewrite_products.ts";
import { awaitedPrices, awaitsAny } from "../../../src/catalogue/prices/awaited_price_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { startTestApp, withApp } from "../../harness.ts";
import { importFile, importXml } from "../../imports/import_calls.ts";
import { Erp, HOUR_MS, startErp, withErp } from "./erp.ts";
import { extent } from "../../proof.ts";

Deno.test("another price has not arrived, is counted and reported once; a later right price has arrived", async () => {
  const token = "m".repeat(32);
  await using app = await startTestApp({ env: { METRICS_TOKEN: token } });
  const erp = await startErp(app);
  await erp.set("P", 11);
  await erp.set("Q", 21);
  await erp.fetch();
  assertEquals(await erp.arrival({ P: "10,00", R: "30,00" }), [2, 0, 1]);
  const metrics = await app.anyone.get("/metrics", { Authorization: `Bearer ${token}` });
  const figures = (await metrics.text()).matchAll(/^kurant_awaited_prices\{status="(\w+)"\} 1$/gm);
  assertEquals([...figures].map(([, status]) => status), ["not_arrived", "waiting"]);
  assertEquals(await erp.arrival({ P: "10,50", Q: "21,00", R: "30,00" }), [2, 1, 1]);
  assertEquals(await erp.list(), [["P", "not_arrived", 1_100, 1_050]]);
  assertEquals(await erp.alerts(), ["1 price did not arrive"]);
  assertEquals(await erp.arrival({ P: "11,00", Q: "21,00", R: "30,00" }), [1, 1, 0]);
  assertEquals(await erp.list(), []);
});

withErp.test("deltas, files without prices and full loads of another source do not judge prices that they lack", async (erp) => {
  const other = { name: "Other", id: "other", hold: null, mode: "replace" };
  await erp.app.manager.create("/api/import-sources", other);
  await erp.set("P", 11);
  await erp.fetch();
  for (const price of ["30,00", "31,00", "32,00"]) {
    assertEquals(await erp.arrival({ N: price }, "?source=other"), [1, 0, 0]);
    assertEquals(await erp.arrival({ R: price }), [1, 0, 0]);
  }
  for (const stock of [1, 2, 3]) {
    erp.app.clock.advance(HOUR_MS);
    const file = `Artikelnummer;Bezeichnung;Bestand\nQ;T;${stock}\nR;T;${stock}\n`;
    const { data } = await importFile(erp.key, file, "text/csv", "?mode=replace&force=true");
    assertEquals(data.status, "succeeded");
    await erp.key.act("/api/public/v1/products/P/restore");
    await erp.judge();
  }
  assertEquals(await erp.list(), [["P", "waiting", 1_100, null]]);
  assertEquals(await erp.alerts(), []);
});

withErp.test("a price that two full loads lack is missing; an insert, a dry run and an older file do not count", async (erp) => {
  await erp.app.owner.create("/api/products", { sku: "H", title: "Hand", ourPrice: 9 });
  await erp.set("H", 11);
  await erp.set("Q", 21);
  await erp.fetch();
  await erp.send({ N: "1,00" }, "?mode=insert");
  await importXml(erp.key, "<ITEMS><ITEM><SKU>R</SKU></ITEM></ITEMS>", "?dryRun=true");
  await erp.judge();
  const full = { P: "10,00", R: "30,00", N: "1,00" };
  assertEquals(await erp.arrival({ ...full, Q: "21,00" }, "?mode=replace"), [2, 1, 0]);
  assertEquals(await erp.arrival({ ...full, Q: "21,00" }, "?mode=replace"), [1, 0, 1]);
  assertEquals(await erp.list(), [["H", "missing", 1_100, null]]);
  assertEquals(await erp.alerts(), ["1 price did not arrive"]);
});

withErp.test("a file that was uploaded before the fetch and applied after it does not judge the fetched price", async (erp) => {
  const file = "<ITEMS><ITEM><SKU>P</SKU><TIER>A</TIER>" +
    "<SALESPRICE><TIER>A</TIER><PRICE>10,00</PRICE></SALESPRICE></ITEM></ITEMS>";
  const { data } = await importXml(erp.key, file, "?dryRun=true");
  await erp.set("P", 11);
  await erp.fetch();
  erp.app.clock.advance(HOUR_MS);
  await erp.app.manager.act(`/api/imports/${data.jobId}/apply`);
  await erp.judge();
  assertEquals([await erp.list(), await erp.alerts()], [[["P", "waiting", 1_100, null]], []]);
});

withErp.test("prices not brought within 48 hours are missing, too: one alert counts them, until they expire", async (erp) => {
  for (const sku of ["P", "Q", "R"]) await erp.set(sku, 15);
  await erp.fetch();
  const fetchedAt = erp.app.clock.now();
  erp.app.clock.advance(47 * HOUR_MS);
  await erp.judge();
  assertEquals(await erp.alerts(), []);
  erp.app.clock.advance(HOUR_MS);
  await erp.judge();
  await erp.judge();
  assertEquals(await erp.alerts(), ["3 prices did not arrive"]);
  const missing = ["missing", 1_500, null];
  assertEquals(await erp.list(), [["P", ...missing], ["Q", ...missing], ["R", ...missing]]);
  assertEquals((await erp.key.read("/api/public/v1/price-arrivals?status=missing")).count, 3);
  assertEquals(await awaitedPrices.sweep(erp.app, fetchedAt), 0);
  assertEquals(await awaitedPrices.sweep(erp.app, new Date(fetchedAt.getTime() + 1)), 3);
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
  const file = { ...at("11,00"), "S-7": "10,00", "S-55": "10,00" };
  assertEquals(await erp.arrival(file), [count, count - 2, 2]);
  assertEquals(await erp.alerts(), ["2 prices did not arrive"]);
});

withErp.test("an import that is taken back brings no prices, and its undo is no import", async (erp) => {
  await erp.set("P", 11);
  await erp.fetch();
  erp.app.clock.advance(HOUR_MS);
  const file = "<ITEMS><ITEM><SKU>R</SKU><BRAND>B</BRAND></ITEM></ITEMS>";
  const { data } = await importXml(erp.key, file);
  await erp.judge();
  const undo = await erp.app.owner.act(`/api/imports/${data.jobId}/undo`, {});
  await erp.judge();
  assertEquals(await erp.list(), [["P", "waiting", 1_100, null]]);
  assertEquals((await erp.app.viewer.read(`/api/imports/${undo.jobId}`)).arrival, null);
});

withErp.test("a person's download and a HEAD request await no prices; deleted products and changed tiers are no longer awaited", async (erp) => {
  for (const sku of ["P", "Q", "R"]) await erp.set(sku, 15);
  await (await erp.app.viewer.get("/api/price-changes?format=csv")).text();
  const head = await erp.key.send("HEAD", "/api/public/v1/price-changes?format=csv&since=");
  assertEquals(head.status, 200);
  assertEquals(await awaitsAny(erp.app), false);
  await erp.fetch();
  await erp.app.owner.remove(`/api/products/${await erp.idOf("P")}`);
  await erp.app.owner.change(`/api/products/${await erp.idOf("Q")}`, { tier: "B" });
  assertEquals(await erp.arrival({ R: "15,00" }), [1, 1, 0]);
  assertEquals(await awaitsAny(erp.app), false);
});

withApp.test("prices brought by an import of an earlier version are judged, even if the process dies after each commit", async (app) => {
  await transact(app, (write) => {
    for (let n = 0; n < 130; n++) {
      awaitedPrices.put(write, app, {
        ...{ productId: app.app.clock.newId(), tier: "A", cents: 1_100, currency: "EUR" },
        ...{ status: "waiting", misses: 0, seen: null, toldAtMs: 0 },
      });
    }
  });
  const brought = { jobId: "b".repeat(24), cents: 1_100, currency: "EUR" };
  const awaited = await awaitedPrices.list(app);
  await transact(app, (write) => {
    for (const { row } of awaited) {
      write.set(["xas", ...awaitedPrices.keyOf(app, row).slice(1)], brought);
    }
  });
  // Each call starts without the position of the previous call, as after a kill.
  while (await transact(app, (write) => clearFormerRows(write, app)) !== null);
  assertEquals(await Array.fromAsync(app.store.kv.list({ prefix: ["xas"] })), []);
  const expected = awaited.map(({ row }) => ({ ...row, brought }));
  assertEquals((await awaitedPrices.list(app)).map(({ row }) => row), expected);
});

withErp.test("an ERP that has taken a price over does not revert it with its next price", async (erp) => {
  await erp.set("P", 11);
  await erp.fetch();
  assertEquals(await erp.arrival({ P: "11,00" }), [1, 1, 0]);
  // After any change of P, the next import reads P's record again instead of skipping it.
  await erp.key.act("/api/public/v1/products/batch", { items: [{ sku: "P", stock: 4 }] });
  assertEquals((await erp.send({ P: "11,50" })).reverted, 0);
  await erp.set("P", 12);
  assertEquals((await erp.send({ P: "11,60" })).reverted, 1);
});

withErp.test("a fetch of everything awaits no arrived price, but each one set since", async (erp) => {
  await erp.set("P", 11);
  await erp.set("Q", 21);
  await erp.fetch();
  await erp.send({ P: "11,00", Q: "21,00" });
  for (const format of ["json", "csv", "xml", "xlsx"]) {
    await erp.set("R", 30 + format.length);
    await erp.fetch(format, "");
    assertEquals(await erp.awaited(), "R", format);
  }
  // P changes to 12 and back to 11, and Kurant waits until the ERP sends 11 again.
  await erp.set("P", 12);
  await erp.set("P", 11);
  await erp.fetch("json", "");
  assertEquals(await erp.awaited(), "P,R");
  // The ERP sends 20,50 for Q, so after its next fetch Kurant waits for our 21,00 again.
  await erp.send({ P: "11,00", Q: "20,50", R: "34,00" });
  assertEquals(await erp.list(), []);
  await erp.set("R", 33);
  await erp.fetch("json", "");
  assertEquals(await erp.list(), [["Q", "waiting", 2_100, null], ["R", "waiting", 3_300, null]]);
});

withErp.test("an older price of a long export is not awaited once the last one has arrived", async (erp) => {
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

withErp.test("a price arrives with a record that the import skips as unchanged, even if it was missing", async (erp) => {
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
  erp.app.clock.advance(48 * HOUR_MS);
  await erp.judge();
  assertEquals(await erp.list(), [["P", "missing", 1_200, null]]);
  await erp.send({ ...full, P: "12,00" }, "?mode=replace");
  assertEquals(await erp.list(), []);

  // A skipped record with the old price does not count as an arrival.
  await erp.set("P", 13);
  await erp.send(full, "?mode=replace");
  await erp.fetch();
  const stale = await erp.send(full, "?mode=replace");
  assertEquals([stale.stats.skipped, stale.stats.updated], [3, 0]);
  assertEquals(await erp.list(), [["P", "not_arrived", 1_300, 1_100]]);
});
