import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";
import { lineOf, readWinners, seenLine } from "../../src/imports/state/import_row_store.ts";

Deno.test("the lines of a shard are read however their bytes are cut, and an incomplete last line is an error", async () => {
  const bare = { file: 0, rows: "", sold: [], written: undefined };
  const lines = ["0815 🧊", "Ä-1", "Ä-1"].map((sku, index) =>
    lineOf({ sku, title: `Kühlschrank ${index}` }, { ...bare, index, line: index + 2 })
  );
  const bytes = new TextEncoder().encode(lines.join("") + seenLine("ß", 3));
  const { records, mentioned } = await readWinners([bytes], true);
  const read = records.map(({ sku, index, losers }) => [sku, index, losers]);
  assertEquals(read, [["0815 🧊", 0, 0], ["Ä-1", 2, 1]]);
  assertEquals([...mentioned], ["0815 🧊", "Ä-1", "ß"]);
  for (let cut = 0; cut < bytes.length; cut++) {
    const parts = [bytes.subarray(0, cut), bytes.subarray(cut)];
    assertEquals(await readWinners(parts, true), { records, mentioned }, `${cut}`);
    const isWhole = cut === 0 || bytes[cut - 1] === 10;
    if (!isWhole) await rejects(readWinners(parts.slice(0, 1), false), /breaks off/);
  }
});
