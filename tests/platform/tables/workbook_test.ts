import fc from "fast-check";
import type { Cell } from "../../../src/platform/tables/cell.ts";
import { workbookStream } from "../../../src/platform/tables/workbook.ts";
import { HANG_MS, nextTurn, until } from "../../patience.ts";
import { extent } from "../../proof.ts";
import { sheetsOf } from "../../read_table.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { csvChunks } from "../../../src/platform/tables/table_answer.ts";

const BERLIN = { timeZone: "Europe/Berlin" };

async function* batchesOf(rows: readonly (readonly Cell[])[], size = 2) {
  for (let at = 0; at < rows.length; at += size) {
    await Promise.resolve();
    yield rows.slice(at, at + size);
  }
}

async function sheetsWith(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  setting: { readonly timeZone: string; readonly sheetRowsMax?: number } = BERLIN,
) {
  const stream = workbookStream({ columns, batches: batchesOf(rows) }, setting);
  return await sheetsOf(await new Response(stream).bytes());
}

Deno.test("a workbook keeps numbers as numbers, texts as texts, money exact and dates as dates, and cuts long texts", async () => {
  const rows: Cell[][] = [
    ["0000123", { cents: 123_450, exponent: 2 }, 7.5, true, { at: "2026-11-20T23:30:15.123Z" }],
    ["=1+1", { cents: 999_999_999_999, exponent: 2 }, null, false, { day: "2026-11-21" }],
    [' <b>"&amp; \r\n', { cents: 1_234, exponent: 3 }, -3, null, null],
    ["4,01E+12", { cents: 500, exponent: 0 }, 0.1, null, { at: "1850-01-01T00:00:00Z" }],
  ];
  assertEquals(await sheetsWith(["sku", "price", "rate", "flag", "at"], rows), {
    "1": [
      ["sku", "price", "rate", "flag", "at"],
      ["0000123", "1234.50", "7.5", "TRUE", "2026-11-21 00:30:15"],
      ["=1+1", "9999999999.99", null, "FALSE", "2026-11-21"],
      [' <b>"&amp; \r\n', "1.2340", "-3"],
      ["4,01E+12", "500", "0.1", null, "1850-01-01T00:00:00Z"],
    ],
  });
  const long = await sheetsWith(["text"], [["x".repeat(40_000)]]);
  assertEquals(long["1"]?.[1], [`${"x".repeat(32_766)}…`]);
});

Deno.test("times in a workbook follow daylight saving time, in any order", async () => {
  const times = [
    ["2026-10-25T00:59:59.999Z", "2026-10-25 02:59:59"],
    ["2026-03-29T00:59:59.000Z", "2026-03-29 01:59:59"],
    ["2026-10-25T01:00:00.000Z", "2026-10-25 02:00:00"],
    ["2026-03-29T01:00:00.000Z", "2026-03-29 03:00:00"],
    ["1978-07-01T12:00:00.000Z", "1978-07-01 13:00:00"],
    ["2026-03-29T00:59:59.000Z", "2026-03-29 01:59:59"],
  ] as const;
  const sheets = await sheetsWith(["at"], times.map(([at]) => [{ at }]));
  assertEquals(sheets, { "1": [["at"], ...times.map(([, shown]) => [shown])] });
});

Deno.test("a full sheet continues on a further sheet with the same header", async () => {
  const rows = Array.from({ length: 7 }, (_, n) => [`P-${n}`]);
  assertEquals(await sheetsWith(["sku"], rows, { ...BERLIN, sheetRowsMax: 4 }), {
    "1": [["sku"], ["P-0"], ["P-1"], ["P-2"]],
    "2": [["sku"], ["P-3"], ["P-4"], ["P-5"]],
    "3": [["sku"], ["P-6"]],
  });
  assertEquals(await sheetsWith(["sku"], []), { "1": [["sku"]] });
});

Deno.test("every text and every amount is read back from a workbook unchanged", async () => {
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 })
    .filter((one) => one.trim() !== "" && !/\p{Cc}/u.test(one));
  const amount = fc.integer({ min: 0, max: 10 ** 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, amount), { maxLength: 20 }), async (pairs) => {
      const rows = pairs.map(([one, cents]) => [one, { cents, exponent: 2 }]);
      const sheets = await sheetsWith(["text", "amount"], rows);
      const shown = pairs.map(([one, cents]) => [one, (cents / 100).toFixed(2)]);
      assertEquals(sheets, { "1": [["text", "amount"], ...shown] });
    }),
    { numRuns: extent(50, 20) },
  );
});

Deno.test("workbooks without a reader or with a stalled one delay no other workbook", async () => {
  const { setTimeout } = globalThis;
  const rows = Array.from({ length: 2_000 }, (_, n) => [crypto.randomUUID(), n]);
  // After some seconds, the ZIP library would give up a workbook that nobody reads. The test
  // switches these timeouts off, so that the workbooks stay open.
  globalThis.setTimeout = Object.assign(
    (act: () => void, delayMs = 0) => delayMs >= 1_000 ? 0 : setTimeout(act, delayMs),
    setTimeout,
  );
  const left: ReadableStream<Uint8Array>[] = [];
  try {
    for (let n = 0; n < navigator.hardwareConcurrency + 2; n++) {
      left.push(workbookStream({ columns: ["a", "b"], batches: batchesOf(rows, 100) }, BERLIN));
    }
    const ended = sheetsWith(["sku"], [["P-1"]]);
    const givenUp = Promise.withResolvers<null>();
    const timer = setTimeout(() => givenUp.resolve(null), HANG_MS);
    assertEquals(await Promise.race([ended, givenUp.promise]), { "1": [["sku"], ["P-1"]] });
    clearTimeout(timer);
  } finally {
    globalThis.setTimeout = setTimeout;
    await Promise.all(left.map((stream) => stream.cancel()));
  }
});

Deno.test("a workbook is generated only as fast as it is read, and not after its reader leaves", async () => {
  let batches = 0;
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) {
        batches++;
        await Promise.resolve();
        yield Array.from({ length: 500 }, (_, n) => [crypto.randomUUID(), batches * 500 + n]);
      }
    } finally {
      isClosed = true;
    }
  }
  const stream = workbookStream({ columns: ["a", "b"], batches: endless() }, BERLIN);
  const reader = stream.getReader();
  await reader.read();
  // A generator that does not wait for its reader would be far ahead after this loop.
  let taken = 0;
  while (batches < 20) taken += (await reader.read()).value?.length ?? 0;
  await nextTurn();
  ok(taken > 0 && batches < 100, `${batches} batches, ${taken} bytes taken`);
  await reader.cancel();
  await until("the source is closed", () => isClosed);
});

Deno.test("csvChunks() lets timers run, even if its rows are available at once", async () => {
  const rows = Array.from({ length: 1_000 }, (_, n) => [n, `Kettle ${n}`, n % 2 === 0]);
  async function* batches() {
    for (let n = 0; n < 200; n++) yield await Promise.resolve(rows);
  }
  let hasRun = false;
  setTimeout(() => hasRun = true, 0);
  let chunks = 0;
  const table = { columns: ["n", "title", "even"], batches: batches() };
  for await (const _ of csvChunks(table, "excel")) {
    chunks++;
    if (hasRun) break;
  }
  ok(hasRun, `no timer within ${chunks} chunks`);
});
