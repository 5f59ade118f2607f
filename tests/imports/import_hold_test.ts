import { column, valuesOf } from "../api/answers.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import {
  articles,
  type ImportBench,
  type Item,
  sendItems as send,
  startBench,
  withBench,
} from "./import_calls.ts";
import {
  addFactor,
  addPair,
  addToHold,
  createHoldCounters,
  createPriceUnits,
  unitDoubtOf,
} from "../../src/imports/apply/hold.ts";
import { bringsPrice } from "../../src/imports/state/import_row_store.ts";
import { madeProduct } from "../catalogue/catalogue_workspace.ts";
import { addProduct } from "../rules/evaluation/market.ts";
import { testWith } from "../opened.ts";
import { readUntil } from "../patience.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";

const COUNT = 20;
const BOUNDS = { movePct: 50, sharePct: 20 };
const NO_CAUSE = { price: 0, cost: 0, currency: 0 };

type Changed = Parameters<typeof articles>[1];

async function pricesOf(app: TestApp): Promise<unknown[]> {
  const { items } = await app.owner.read("/api/products?limit=200");
  return valuesOf(items, "ourPrice", "costPrice", "currency");
}

const CASES: readonly (readonly [name: string, changed: Changed, ...causes: string[]])[] = [
  ["prices ÷ 100", { price: "1,00" }, "price"],
  ["another currency with the same digits", { currency: "CHF" }, "currency"],
  ["costs of 0,00", { cost: "0,00" }, "cost"],
  ["prices and costs ÷ 100", { price: "1,00", cost: "0,60" }, "price", "cost"],
];

withApp.test("by default a file with other prices, costs or currencies is held with a reason, and is applied by force", async (app) => {
  // The first import is not held, because new products have no earlier prices.
  assertEquals((await send(app, articles())).status, "succeeded");
  const before = await pricesOf(app);
  let jobId = "";
  for (const [name, changed, ...moved] of CASES) {
    const rehearsal = await send(app, articles(COUNT, changed), "?dryRun=true");
    assertEquals([rehearsal.status, rehearsal.hold.held], ["succeeded", true], name);

    const held = await send(app, articles(COUNT, changed));
    assertEquals([held.status, held.error.code], ["failed", "price_guard"], name);
    assertEquals(await pricesOf(app), before, name);
    const { samples, guards, ...counts } = held.hold;
    // If all prices change much, the file also looks as if its prices were in another unit.
    const others = name.startsWith("prices") ? ["unit_guard"] : [];
    assertEquals(column(guards.slice(1), "code"), others, name);
    const { samples: _, ...guard } = guards[0];
    const figures = { count: COUNT, of: COUNT, sharePct: 20, column: null, remedy: null };
    assertEquals(guard, { code: "price_guard", binds: true, ...figures }, name);
    const causes = { ...NO_CAUSE, ...Object.fromEntries(moved.map((cause) => [cause, COUNT])) };
    assertEquals(counts, { held: true, ...BOUNDS, products: COUNT, moved: COUNT, causes }, name);
    assertEquals(rehearsal.hold, held.hold, name);
    assertEquals(samples.length, 10 * moved.length, name);
    assertEquals([samples[0].cause, samples[0].fromCurrency], [moved[0], "EUR"], name);
    assertEquals(samples[0].toCurrency, changed?.currency ?? "EUR", name);
    match(held.error.message, /20 of 20 products .* force=true/);
    jobId = held.jobId;
  }
  const forced = await app.manager.act(`/api/imports/${jobId}/apply?force=true`);
  assertEquals([forced.status, forced.stats.updated, forced.hold], ["succeeded", COUNT, null]);
});

withApp.test("a file that clears the costs of many products is held, or a later file could set any cost unnoticed", async (app) => {
  await send(app, articles());
  const before = await pricesOf(app);
  const bare = articles().map(({ sku, title }) => ({ sku, title, more: "<COSTPRICE/>" }));
  for (const file of [articles(COUNT, { cost: "" }), bare]) {
    const held = await send(app, file);
    assertEquals([held.status, held.error?.code], ["failed", "price_guard"]);
    const causes = { ...NO_CAUSE, cost: COUNT };
    assertEquals([held.hold.products, held.hold.moved, held.hold.causes], [COUNT, COUNT, causes]);
  }
  assertEquals(await pricesOf(app), before);
  const few = await send(app, [...articles(4, { cost: "" }), ...articles().slice(4)]);
  assertEquals([few.status, few.stats.updated], ["succeeded", 4]);
  // The first four costs are already deleted, so the hold counts only the last record.
  const moved = articles(5, { price: "1,00" }).slice(4);
  const diluted = await send(app, [...bare.slice(0, 4), ...moved]);
  assertEquals([diluted.status, diluted.hold?.products, diluted.hold?.moved], ["failed", 1, 1]);
});

withApp.test("the hold counts each product once, however many records and rows the file has for it", async (app) => {
  await send(app, articles());
  const rows = ["A", "B", "C"].map((tier) =>
    `<SALESPRICE><TIER>${tier}</TIER><PRICE>1,00</PRICE></SALESPRICE>`
  );
  const moved = articles(5, { price: "1,00" })
    .map((item) => ({ ...item, more: item.more + rows.join("") }));
  const others = articles().slice(5);
  const often = (items: readonly Item[], times: number) =>
    Array.from({ length: times }, () => items).flat();

  // A quarter of the products changes, in 5 of 305 records.
  const diluted = await send(app, [...moved, ...often(others, 20)]);
  assertEquals([diluted.status, diluted.hold.products, diluted.hold.moved], ["failed", 20, 5]);
  const each = await send(app, often([...moved, ...others], 5));
  assertEquals([each.status, each.hold.products, each.hold.moved], ["failed", 20, 5]);
  // Two of 20 products change, in 100 of 118 records.
  const inflated = await send(app, [...often(moved.slice(0, 2), 50), ...articles().slice(2)]);
  assertEquals(inflated.status, "succeeded");
});

withApp.test("new products, records without a price and refused records do not dilute the hold, which one product can cause", async (app) => {
  await send(app, articles());
  const fresh = articles(200).slice(COUNT);
  const bare = Array.from({ length: 100 }, (_, n) => ({ sku: `B-${n}`, title: "Ohne Preis" }));
  await send(app, bare);
  const refused = Array.from({ length: 100 }, () => ({ title: "Ohne Nummer" }));
  const file = [...articles(COUNT, { price: "1,00" }), ...fresh, ...bare, ...refused];
  const held = await send(app, file);
  assertEquals([held.status, held.hold.products, held.hold.moved], ["failed", COUNT, COUNT]);
  assertEquals((await send(app, articles(1, { price: "150,00" }))).status, "succeeded");
  const one = await send(app, articles(1, { price: "1,00" }));
  assertEquals([one.status, one.hold.products, one.hold.moved], ["failed", 1, 1]);
});

withApp.test("without a hold each moved product gets one warning with both prices", async (app) => {
  await send(app, articles());
  const { importHold } = await app.owner.change("/api/settings", { importHold: null });
  assertEquals(importHold, null);
  const moves = [
    { price: "1,00", cost: "0,60" },
    { price: "100,00", cost: "0,60" },
    { price: "150,00", cost: "90,00" },
    { currency: "CHF" },
  ].map((changed, n) => articles(n + 1, changed)[n]!);
  const file = [...moves, ...articles().slice(moves.length)];
  for (const query of ["?dryRun=true", ""]) {
    const job = await send(app, file, query);
    assertEquals([job.status, job.hold, job.warningCount], ["succeeded", null, 3]);
    const moved = ["S-0", "S-1", "S-3"].map((sku) => ["price_moved", sku]);
    assertEquals(valuesOf(job.warnings, "code", "sku"), moved);
    const [both, cost, currency] = job.warnings;
    match(both.message, /price 100\.00 EUR to 1\.00 EUR; cost 60\.00 EUR to 0\.60 EUR/);
    match(cost.message, /: cost 60\.00 EUR to 0\.60 EUR$/);
    match(currency.message, /currency 100\.00 EUR to 100\.00 CHF/);
    assertEquals(column(job.warnings, "value"), ["1.00 EUR", "0.60 EUR", "100.00 CHF"]);
  }
});

withApp.test("the hold compares with current prices, whoever set them", async (app) => {
  const { owner } = app;
  await send(app, articles());
  const { items } = await owner.read("/api/products?limit=200");
  for (const { id } of items) {
    await owner.change(`/api/products/${id}`, { ourPrice: 1_000 });
    await owner.change(`/api/products/${id}`, { ourPrice: 500, costPrice: null });
  }
  const held = await send(app, articles());
  const { samples, guards: _, ...counts } = held.hold;
  const causes = { ...NO_CAUSE, price: COUNT };
  assertEquals(counts, { held: true, ...BOUNDS, products: COUNT, moved: COUNT, causes });
  assertEquals([samples[0].fromCents, samples[0].toCents], [50_000, 10_000]);
});

Deno.test("addToHold() keeps the largest moves of each cause", () => {
  const counters = createHoldCounters(BOUNDS);
  for (let n = 0; n < 1_000; n++) {
    const after = madeProduct({ ourPriceCents: 200 + (n * 379) % 1_000 });
    addToHold(counters, madeProduct({ ourPriceCents: 100 }), after);
  }
  const largest = Array.from({ length: 10 }, (_, n) => 1_199 - n);
  assertEquals(counters.samples.map(({ toCents }) => toCents), largest);
});

Deno.test("addToHold() counts only products that had a price or a cost, and any move from 0", () => {
  const counters = createHoldCounters(BOUNDS);
  const priced = (cents: number, more = {}) => madeProduct({ ourPriceCents: cents, ...more });
  addToHold(counters, madeProduct(), priced(900));
  addToHold(counters, priced(0), priced(1));
  const cost = { costPriceCents: 5 };
  addToHold(counters, madeProduct(cost), priced(900, cost));
  assertEquals([counters.products, counters.moved], [2, 1]);
});

Deno.test("bringsPrice() is not misled by a text that looks like a field", () => {
  const blank = { hash: "", index: 0, line: 1, file: 0, sku: "A", rows: "", sold: "", losers: 0 };
  const line = (patch: unknown) => ({ ...blank, patch: JSON.stringify(patch) });
  ok(bringsPrice(line({ sku: "A", ourPriceCents: 0 })));
  ok(bringsPrice(line({ sku: "A", costPriceCents: 12 })));
  for (const text of ['"ourPriceCents":1', '\\"ourPriceCents":1', '{"costPriceCents":5}']) {
    ok(!bringsPrice(line({ sku: text, title: text, brand: `x\\${text}` })), text);
  }
  ok(!bringsPrice(line({ sku: "A", costPriceCents: null, targetPriceCents: 3 })));
});

const HEAD = "Artikelnummer;Bezeichnung;VK;EK\r\n";
const EUROS = ["1.299,00", "49,99", "849,50", "12,90", "2.499,00", "99,00", "7,49", "650,00"];
const COSTS = ["812,40", "25,10", "540,00", "6,20", "1.700,00", "55,00", "3,10", "400,00"];

const WRITTEN = {
  euros: (euros: string) => euros,
  cents: (euros: string) => euros.replace(/[.,]/g, ""),
  /** Divides prices by 1,000: `1.299,00` becomes `1,299`. */
  thousands: (euros: string) =>
    String(Number(euros.replace(/[.,]/g, "")) / 100_000).replace(".", ","),
} as const;

function csv(written: keyof typeof WRITTEN, rows = EUROS.length): string {
  const lines = EUROS.slice(0, rows).map((euros, n) =>
    `A-${n};Artikel ${n};${WRITTEN[written](euros)};${COSTS[n]}\r\n`
  );
  return HEAD + lines.join("");
}

const codesOf = (job: { errors: { code: string }[] }) => column(job.errors, "code");

const pricesIn = async ({ products }: ImportBench) =>
  column([...(await products()).values()], "ourPriceCents").sort((a, b) => Number(a) - Number(b));

/** Sends a file that must be held, because its prices look like cents. */
async function sendHeld(bench: ImportBench, file: string, message: RegExp) {
  const job = await bench.send(file);
  assertEquals([job.status, job.error.code], ["failed", "unit_guard"]);
  assertEquals(codesOf(job), ["unit_guard"]);
  match(job.error.message, message);
  match(job.error.message, /set `amounts` of the import profile to `minor`/);
  const binding = job.hold.guards.filter(({ binds }: { binds: boolean }) => binds);
  assertEquals(valuesOf(binding, "code", "column", "remedy"), [["unit_guard", "VK", "minor"]]);
  assertEquals(await pricesIn(bench), []);
  return job;
}

withBench.test("a first file with prices in cents is held, and the finding names column and remedy", async (bench) => {
  const times = /^In 8 of 8 records the price in "VK" is more than 20 times the cost.*two decimals/;
  const job = await sendHeld(bench, csv("cents"), times);
  const rehearsal = await bench.send(csv("cents"), "?dryRun=true");
  assertEquals([rehearsal.status, rehearsal.hold.held], ["succeeded", true]);

  const applied = await bench.app.manager.act(`/api/imports/${job.jobId}/apply?force=true`);
  assertEquals([applied.status, applied.stats.inserted], ["succeeded", 8]);
});

const CURRENCY =
  /For example "A-\d": \S+ EUR to \S+ EUR\. Export the column in the currency itself/;
const NOTATION =
  /whether its numbers are German or English, and export the column with two decimals/;
const MISREAD = [
  ["cents", "about 100 times", CURRENCY],
  ["thousands", "about 0.001 times", NOTATION],
] as const;

for (const [written, factor, remedy] of MISREAD) {
  withBench.test(`prices in ${written} over known prices are held for their moves and their unit`, async (bench) => {
    assertEquals((await bench.send(csv("euros"))).status, "succeeded");
    const before = await pricesIn(bench);
    const job = await bench.send(csv(written));
    assertEquals([job.status, codesOf(job)], ["failed", ["price_guard", "unit_guard"]]);
    const { message } = job.errors[1];
    match(message, new RegExp(`the price in "VK" is ${factor} the price of before`));
    match(message, remedy);
    assertEquals(await pricesIn(bench), before);
  });
}

Deno.test("only moves by about a power of ten and prices far above cost raise doubt about the unit", () => {
  const product = (ourPriceCents: number) => ({ sku: "A", currency: "EUR", ourPriceCents });
  const prices = [1, 1.2, 9, 130, 4_999].map((euros) => Math.round(euros * 100));
  const doubtBy = (factor: number) => {
    const units = createPriceUnits();
    for (const from of prices) {
      const to = Math.round(from * 100 * factor);
      addFactor(units, product(from * 100), product(to));
      addPair(units, { ourPriceCents: to, costPriceCents: Math.ceil(to / 10) });
    }
    for (const count of [0, prices.length]) assertEquals(unitDoubtOf(units, count, false), null);
    return unitDoubtOf(units, prices.length, true)?.remedy ?? null;
  };
  const factors = [0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100, 1_000];
  const near = [null, null, null, null, null];
  const remedies = ["decimals", "decimals", ...near, "decimals", "minor", "decimals"];
  assertEquals(factors.map(doubtBy), remedies);
});

/** With 24 rows, Kurant can recognise the unit of the prices. */
function manyRows(write: (euros: number) => string, count = 24): string {
  const lines = Array.from({ length: count }, (_, n) => {
    const euros = 2 + n * 37 + [0.99, 0.95, 0.49][n % 3]!;
    return `B-${n};Artikel ${n};${write(euros)};${write(euros / 2)}\r\n`;
  });
  return HEAD + lines.join("");
}

const inCents = (euros: number) => String(Math.round(euros * 100));
const inEuros = (euros: number) => euros.toFixed(2).replace(".", ",");

withBench.test("a first file with prices and costs in cents is held because of their form", async (bench) => {
  const form =
    'All 24 times the price in "VK" is a whole number of three digits or more, and 24 of ' +
    "them end as prices do after the sign. Are these cents? Nothing was applied.";
  await sendHeld(bench, manyRows(inCents), new RegExp(`^${RegExp.escape(form)}`));
});

withBench.test("a column named after cents is held from five integer prices on", async (bench) => {
  const head = "Artikelnummer;Bezeichnung;VK Cent\r\n";
  const lines = ["1000", "1234", "777", "321", "4711"].map((text, n) => `C-${n};Ding;${text}\r\n`);
  const fields = { sku: { columns: ["Artikelnummer"] }, title: { columns: ["Bezeichnung"] } };
  const prices = [{ from: { columns: ["VK Cent"] }, role: "own" }];
  const profile = { id: "cents", name: "Cents", format: "table", detect: {}, fields, prices };
  await bench.app.manager.create("/api/import-profiles", profile);
  const job = await bench.send(head + lines.join(""), "?profile=cents");
  assertEquals([job.status, codesOf(job)], ["failed", ["unit_guard"]]);
  match(job.error.message, /"VK Cent" .* the name of the column speaks of cents/);
  const path = "/api/import-profiles/cents";
  await bench.app.manager.change(path, { amounts: "minor" });
  assertEquals((await bench.send(head + lines.join(""), "?profile=cents")).status, "succeeded");
  assertEquals(await pricesIn(bench), [321, 777, 1_000, 1_234, 4_711]);
});

Deno.test("no hold for a currency sign, few prices, unusual endings, yen or known products", async () => {
  const whole = (ending: number) => (euros: number) => String(Math.floor(euros) * 100 + ending);
  const files = {
    "euros": manyRows(inEuros),
    "a sign": `${manyRows(inCents)}D;Ding;12,50;7,00\r\n`,
    "few": manyRows(inCents, 12),
    "four beyond their costs": csv("cents", 4),
    "odd endings": manyRows(whole(37)),
    "small": `${manyRows(inCents)}D;Ding;99;70\r\n`,
    "yen": manyRows(inCents).replaceAll("\r\n", ";JPY\r\n").replace(";JPY", ";Währung"),
  };
  for (const [what, text] of Object.entries(files)) {
    await using bench = await startBench();
    const job = await bench.send(text);
    assertEquals([job.status, codesOf(job)], ["succeeded", []], what);
  }
  await using bench = await startBench();
  await bench.send(manyRows(inCents), "?force=true");
  assertEquals((await bench.send(manyRows(inCents))).status, "succeeded", "known");
});

const withBounds = testWith(async () => {
  const app = await startTestApp();
  for (const sku of ["LOW", "HIGH", "WITHIN"]) {
    await addProduct(app.owner, sku, { ourPrice: 100, minPrice: 70, maxPrice: 130 });
  }
  return app;
});

async function alertsOf(app: TestApp, count: number) {
  const read = async () => (await app.viewer.read("/api/alerts")).items;
  return await readUntil("the alerts are there", read, ({ length }) => length >= count);
}

async function marked(app: TestApp) {
  const { items } = await app.viewer.read("/api/audit-logs?only=beyond");
  return valuesOf(items, "action", "brokenBound").sort();
}

withBounds.test("an imported price beyond the product's bounds is set, with a finding, an audit note and an alert", async (app) => {
  const file = [["LOW", "40,00"], ["HIGH", "140,00"], ["WITHIN", "80,00"]]
    .map(([sku = "", price = ""]) => ({ sku, title: sku, price }));
  const { warnings } = await send(app, file, "?force=true");
  const beyond = warnings.filter(({ code }: { code: string }) => code === "price_out_of_bounds");
  assertEquals(valuesOf(beyond, "sku", "value"), [["LOW", "40.00 EUR"], ["HIGH", "140.00 EUR"]]);
  assertEquals(await marked(app), [["import.finish", undefined]]);
  const [alert] = await alertsOf(app, 1);
  assertEquals([alert.facts.code, alert.facts.count], ["import_out_of_bounds", 2]);
  assertEquals((await send(app, file, "?force=true")).warningCount, 0);
});

withBounds.test("a price that a key sets beyond the product's bounds has an audit note and an alert", async (app) => {
  const key = await app.key(["products:write"]);
  const items = [["LOW", 40], ["HIGH", 140], ["WITHIN", 80]]
    .map(([sku, ourPrice]) => ({ sku, title: sku, ourPrice }));
  await key.act("/api/public/v1/products/batch", { items });
  const notes = ["above_max", "below_min"].map((bound) => ["product.update", bound]);
  assertEquals(await marked(app), notes);
  const alerts = await alertsOf(app, 2);
  const facts = valuesOf(column(alerts, "facts"), "code", "sku", "bound", "cents", "limitCents");
  assertEquals(facts.sort(), [
    ["price_out_of_bounds", "HIGH", "above_max", 14_000, 13_000],
    ["price_out_of_bounds", "LOW", "below_min", 4_000, 7_000],
  ]);
});
