import { column, valuesOf } from "../api/answers.ts";
import { addFactor, addPair, createPriceUnits, unitDoubtOf } from "../../src/imports/apply/hold.ts";
import { type ImportBench, startBench, withBench } from "./import_bench.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";

const HEAD = "Artikelnummer;Bezeichnung;VK;EK\r\n";
const EUROS = ["1.299,00", "49,99", "849,50", "12,90", "2.499,00", "99,00", "7,49", "650,00"];
const COSTS = ["812,40", "25,10", "540,00", "6,20", "1.700,00", "55,00", "3,10", "400,00"];

/** The same prices in several units. */
const WRITTEN = {
  euros: (euros: string) => euros,
  cents: (euros: string) => euros.replace(/[.,]/g, ""),
  /** Amounts in thousands of euros, as if the thousands separator were the decimal sign. */
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

const pricesOf = async ({ products }: ImportBench) =>
  column([...(await products()).values()], "ourPriceCents").sort((a, b) => Number(a) - Number(b));

/** Sends a first file that is held because its prices look like cents. */
async function sendHeld(bench: ImportBench, file: string, message: RegExp) {
  const job = await bench.send(file);
  assertEquals([job.status, job.error.code], ["failed", "unit_guard"]);
  assertEquals(codesOf(job), ["unit_guard"]);
  match(job.error.message, message);
  match(job.error.message, /set `amounts` of the import profile to `minor`/);
  const binding = job.hold.guards.filter(({ binds }: { binds: boolean }) => binds);
  assertEquals(valuesOf(binding, "code", "column", "remedy"), [["unit_guard", "VK", "minor"]]);
  assertEquals(await pricesOf(bench), []);
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
  ["thousands", "about a thousandth of", NOTATION],
] as const;

for (const [written, factor, remedy] of MISREAD) {
  withBench.test(`prices in ${written} over known prices are held for their moves and their unit`, async (bench) => {
    assertEquals((await bench.send(csv("euros"))).status, "succeeded");
    const before = await pricesOf(bench);
    const job = await bench.send(csv(written));
    assertEquals([job.status, codesOf(job)], ["failed", ["price_guard", "unit_guard"]]);
    const { message } = job.errors[1];
    match(message, new RegExp(`the price in "VK" is ${factor} the price of before`));
    match(message, remedy);
    assertEquals(await pricesOf(bench), before);
  });
}

withBench.test("few records, unchanged prices and usual moves raise no doubt about the unit", async (bench) => {
  const few = await bench.send(csv("cents", 4));
  assertEquals([few.status, few.stats.inserted], ["succeeded", 4]);
  await using other = await startBench();
  for (let n = 0; n < 2; n++) assertEquals((await other.send(csv("euros"))).status, "succeeded");
});

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

/** Rows whose prices `write` formats. By default, enough rows to rule out coincidence. */
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
  assertEquals(await pricesOf(bench), [321, 777, 1_000, 1_234, 4_711]);
});

Deno.test("no hold for a currency sign, few prices, unusual endings, yen or known products", async () => {
  const whole = (ending: number) => (euros: number) => String(Math.floor(euros) * 100 + ending);
  const files = {
    "euros": manyRows(inEuros),
    "a sign": `${manyRows(inCents)}D;Ding;12,50;7,00\r\n`,
    "few": manyRows(inCents, 12),
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
