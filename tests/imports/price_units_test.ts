import fc from "fast-check";
import { addFactor, NO_UNITS, unitDoubtOf } from "../../src/imports/apply/guards.ts";
import { addPair } from "../../src/imports/apply/partitioner.ts";
import { bodyOf } from "../api/answers.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { IMPORT } from "./import_calls.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";

const HEAD = "Artikelnummer;Bezeichnung;VK;EK\r\n";
const EUROS = ["1.299,00", "49,99", "849,50", "12,90", "2.499,00", "99,00", "7,49", "650,00"];
const COSTS = ["812,40", "25,10", "540,00", "6,20", "1.700,00", "55,00", "3,10", "400,00"];

/** The same prices in several units. */
const WRITTEN = {
  euros: (euros: string) => euros,
  cents: (euros: string) => euros.replace(/[.,]/g, ""),
  /** Amounts whose thousands separator was read as a decimal sign, which lost the decimals. */
  thousands: (euros: string) =>
    String(Number(euros.replace(/[.,]/g, "")) / 100_000).replace(".", ","),
} as const;

function csv(written: keyof typeof WRITTEN, rows = EUROS.length): string {
  const lines = EUROS.slice(0, rows).map((euros, n) =>
    `A-${n};Artikel ${n};${WRITTEN[written](euros)};${COSTS[n]}\r\n`
  );
  return HEAD + lines.join("");
}

async function send(app: TestApp, text: string, query = "") {
  app.clock.advance(60_000);
  const key = await app.key(["products:write"]);
  const headers = { "Content-Type": "text/csv" };
  const { data } = await bodyOf(key.post(`${IMPORT}${query}`, text, headers), 200);
  return data;
}

const codesOf = (job: { errors: { code: string }[] }) => job.errors.map(({ code }) => code);

async function pricesOf(app: TestApp): Promise<(number | null)[]> {
  const { items } = await bodyOf(app.owner.get("/api/products?limit=200"), 200);
  return items.map(({ ourPriceCents }: { ourPriceCents: number | null }) => ourPriceCents)
    .sort((one: number, other: number) => one - other);
}

withApp.test("a first file with prices in cents is held, and the finding names column and remedy", async (app) => {
  const job = await send(app, csv("cents"));
  assertEquals([job.status, job.error.code, codesOf(job)], ["failed", "unit_guard", [
    "unit_guard",
  ]]);
  match(job.error.message, /^In 8 of 8 records the price in "VK" is more than 20 times the cost/);
  match(job.error.message, /two decimals, or set `amounts` of the import profile to `minor`/);
  const [guard] = job.hold.guards.filter(({ binds }: { binds: boolean }) => binds);
  assertEquals([guard.code, guard.column, guard.remedy], ["unit_guard", "VK", "minor"]);
  assertEquals(await pricesOf(app), []);
  const rehearsal = await send(app, csv("cents"), "?dryRun=true");
  assertEquals([rehearsal.status, rehearsal.hold.held], ["succeeded", true]);

  const applied = await bodyOf(app.manager.post(`/api/imports/${job.jobId}/apply?force=true`), 200);
  assertEquals([applied.status, applied.stats.inserted], ["succeeded", 8]);
});

withApp.test("a file in cents over known prices is held for its moves and its unit", async (app) => {
  assertEquals((await send(app, csv("euros"))).status, "succeeded");
  const before = await pricesOf(app);
  const job = await send(app, csv("cents"));
  assertEquals([job.status, codesOf(job)], ["failed", ["price_guard", "unit_guard"]]);
  const { message } = job.errors[1];
  match(message, /^In 8 of 8 products the price in "VK" is about 100 times the price of before/);
  match(
    message,
    /For example "A-\d": \S+ EUR to \S+ EUR\. Export the column in the currency itself/,
  );
  assertEquals(await pricesOf(app), before);
});

withApp.test("thousands that became decimals are held, and the finding names the setting", async (app) => {
  assertEquals((await send(app, csv("euros"))).status, "succeeded");
  const before = await pricesOf(app);
  const job = await send(app, csv("thousands"));
  assertEquals([job.status, codesOf(job)], ["failed", ["price_guard", "unit_guard"]]);
  const { message } = job.errors[1];
  match(message, /the price in "VK" is about a thousandth of the price of before/);
  match(
    message,
    /whether its numbers are German or English, and export the column with two decimals/,
  );
  assertEquals(await pricesOf(app), before);
});

withApp.test("few records, unchanged prices and usual moves raise no doubt about the unit", async (app) => {
  const few = await send(app, csv("cents", 4));
  assertEquals([few.status, few.stats.inserted], ["succeeded", 4]);
  await using other = await startTestApp();
  for (let n = 0; n < 2; n++) assertEquals((await send(other, csv("euros"))).status, "succeeded");
});

Deno.test("only moves by about a power of ten and prices far above cost raise doubt about the unit", () => {
  const product = (ourPriceCents: number) => ({ sku: "A", currency: "EUR", ourPriceCents });
  const price = fc.integer({ min: 100, max: 10_000_000 });
  fc.assert(fc.property(
    fc.array(fc.tuple(price, fc.double({ min: 0.2, max: 5, noNaN: true })), { maxLength: 20 }),
    (moves) => {
      let units = NO_UNITS;
      for (const [from, ratio] of moves) {
        const to = Math.round(from * ratio);
        units = addFactor(units, product(from), product(to));
        units = addPair(units, { ourPriceCents: to, costPriceCents: Math.ceil(to / 10) });
      }
      assertEquals(unitDoubtOf(units, moves.length, true), null);
      assertEquals(unitDoubtOf(units, 0, false), null);
    },
  ));
  fc.assert(fc.property(
    fc.array(price, { minLength: 1, maxLength: 20 }),
    fc.constantFrom(1_000, 100, 10, 0.1, 0.01),
    (prices, factor) => {
      const units = prices.reduce(
        (all, from) => addFactor(all, product(from * 100), product(from * 100 * factor)),
        NO_UNITS,
      );
      assertEquals(unitDoubtOf(units, prices.length, false), null);
      const doubt = unitDoubtOf(units, prices.length, true);
      assertEquals([doubt?.count, doubt?.remedy], [
        prices.length,
        factor === 100 ? "minor" : "decimals",
      ]);
    },
  ));
});

/** Prices in cents as integers with usual endings; enough rows to rule out coincidence. */
function manyRows(write: (euros: number) => string, head = HEAD, count = 24): string {
  const lines = Array.from({ length: count }, (_, n) => {
    const euros = 2 + n * 37 + [0.99, 0.95, 0.49][n % 3]!;
    return `B-${n};Artikel ${n};${write(euros)};${write(euros / 2)}\r\n`;
  });
  return head + lines.join("");
}

const inCents = (euros: number) => String(Math.round(euros * 100));
const inEuros = (euros: number) => euros.toFixed(2).replace(".", ",");

withApp.test("a first file with prices and costs in cents is held because of their form", async (app) => {
  const job = await send(app, manyRows(inCents));
  assertEquals([job.status, codesOf(job)], ["failed", ["unit_guard"]]);
  match(
    job.error.message,
    /^All 24 times the price in "VK" is a whole number of three digits or more, and 24 of them end as prices do after the sign\. Are these cents\? Nothing was applied\./,
  );
  match(job.error.message, /set `amounts` of the import profile to `minor`/);
  const [guard] = job.hold.guards.filter(({ binds }: { binds: boolean }) => binds);
  assertEquals([guard.code, guard.column, guard.remedy], ["unit_guard", "VK", "minor"]);
  assertEquals(await pricesOf(app), []);
});

withApp.test("a column named after cents is held from five integer prices on", async (app) => {
  const head = "Artikelnummer;Bezeichnung;VK Cent\r\n";
  const lines = ["1000", "1234", "777", "321", "4711"].map((text, n) => `C-${n};Ding;${text}\r\n`);
  const fields = { sku: { columns: ["Artikelnummer"] }, title: { columns: ["Bezeichnung"] } };
  const profile = { id: "cents", name: "Cents", format: "table", detect: {}, fields };
  const prices = [{ from: { columns: ["VK Cent"] }, role: "own" }];
  await bodyOf(app.manager.post("/api/import-profiles", { ...profile, prices }), 201);
  const job = await send(app, head + lines.join(""), "?profile=cents");
  assertEquals([job.status, codesOf(job)], ["failed", ["unit_guard"]]);
  match(job.error.message, /"VK Cent" .* the name of the column speaks of cents/);
  const path = "/api/import-profiles/cents";
  await bodyOf(app.manager.patch(path, { amounts: "minor" }), 200);
  assertEquals((await send(app, head + lines.join(""), "?profile=cents")).status, "succeeded");
  assertEquals(await pricesOf(app), [321, 777, 1_000, 1_234, 4_711]);
});

Deno.test("no hold for a currency sign, few prices, unusual endings, yen or known products", async () => {
  const whole = (ending: number) => (euros: number) => String(Math.floor(euros) * 100 + ending);
  const files: readonly (readonly [what: string, text: string, query?: string])[] = [
    ["euros", manyRows(inEuros)],
    ["a sign", `${manyRows(inCents)}D;Ding;12,50;7,00\r\n`],
    ["few", manyRows(inCents, HEAD, 12)],
    ["odd endings", manyRows(whole(37))],
    ["small", `${manyRows(inCents)}D;Ding;99;70\r\n`],
    ["yen", manyRows(inCents).replaceAll("\r\n", ";JPY\r\n").replace(";JPY", ";Währung")],
  ];
  for (const [what, text] of files) {
    await using app = await startTestApp();
    const job = await send(app, text);
    assertEquals([job.status, codesOf(job)], ["succeeded", []], what);
  }
  await using app = await startTestApp();
  await send(app, manyRows(inCents), "?force=true");
  assertEquals((await send(app, manyRows(inCents))).status, "succeeded", "known");
});
