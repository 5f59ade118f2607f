/** The file that a page makes of its table is as the service writes its own. */
import { equal } from "node:assert/strict";
import fc from "fast-check";
import { tableCsv } from "../../src/client/parts/table/table_csv.ts";
import { csvHead, csvRows } from "../../src/platform/tables/csv_table.ts";

const cell = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", '"', "a;b", "=1+1", "'=1", "+5 %", "−5 %", "1.234,56 €", "\t@x", "a\nb"),
);

Deno.test("tableCsv() writes whatever stands in cells as the service does for a German Excel", () => {
  const lines = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1 });
  fc.assert(fc.property(lines, ([head = [], ...rows]) => {
    const expected = csvHead(head, "excel") + (rows.length > 0 ? csvRows(rows, "excel") : "");
    equal(tableCsv([head, ...rows]), expected);
  }));
});

Deno.test("tableCsv() begins with the mark of UTF-8, and runs nothing as a formula", () => {
  equal(tableCsv([["Datei", "Wer"], ["=1+1", "−1"]]), '\uFEFF"Datei";"Wer"\r\n"\'=1+1";"−1"\r\n');
});
