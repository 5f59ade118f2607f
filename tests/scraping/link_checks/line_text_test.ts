import { deepStrictEqual as assertEquals } from "node:assert/strict";
import fc from "fast-check";
import {
  readJsonLine,
  readLineText,
  TOO_MANY,
} from "../../../src/scraping/link_checks/line_text.ts";
import { LINES_MAX } from "../../../src/scraping/link_checks/link_check.ts";
import { anyPath } from "../../any_text.ts";

const URL_1 = "https://shop.de/p/1";

/** Returns SKU or GTIN, page, pack factor and error of each line. */
function linesOf(text: string) {
  const lines = readLineText(text);
  if (lines === TOO_MANY) return lines;
  return lines.map(({ sku, gtin, url, packFactor, misfit }) => {
    const number = gtin === null ? sku : `gtin ${gtin}`;
    return [number, url, packFactor, misfit];
  });
}

Deno.test("lines with product and page are read in the forms that people paste", () => {
  const table: readonly (readonly [string, readonly unknown[]])[] = [
    [`A-1;${URL_1}`, [["A-1", URL_1, null, null]]],
    [`A-1;${URL_1};6\r\nB;${URL_1};2,5`, [["A-1", URL_1, 6, null], ["B", URL_1, 2.5, null]]],
    [`A-1\t${URL_1}\t6`, [["A-1", URL_1, 6, null]]],
    [`\uFEFFSKU;URL;PACK\n\nA-1;${URL_1};\n`, [["A-1", URL_1, null, null]]],
    [`Artikelnummer;Adresse\nA-1;${URL_1}`, [["A-1", URL_1, null, null]]],
    [`EAN;URL\n4006381333931;${URL_1}`, [["gtin 4006381333931", URL_1, null, null]]],
    [`"A;1";"${URL_1}";"6"`, [["A;1", URL_1, 6, null]]],
    [`A-1;${URL_1};jsessionid=7`, [["A-1", `${URL_1};jsessionid=7`, null, null]]],
    [`A-1;${URL_1};jsessionid=7;3`, [["A-1", `${URL_1};jsessionid=7`, 3, null]]],
    [`SKU,URL\nA-1, ${URL_1},17`, [["A-1", `${URL_1},17`, null, null]]],
    [`A-1;${URL_1};0`, [["A-1", URL_1, null, "bad_pack"]]],
    [`A-1\t${URL_1}\tsix`, [["A-1", URL_1, null, "bad_pack"]]],
    ["just words", [[null, "just words", null, "bad_line"]]],
    [`;${URL_1}`, [[null, `;${URL_1}`, null, "bad_line"]]],
    ["", []],
  ];
  for (const [text, lines] of table) assertEquals(linesOf(text), lines, text);
});

Deno.test("reading stops at the maximum number of lines of a check", () => {
  const many = `A;${URL_1}\n`.repeat(LINES_MAX);
  assertEquals(readLineText(many).length, LINES_MAX);
  assertEquals(readLineText(`${many}A;${URL_1}\n`), TOO_MANY);
  assertEquals(linesOf("x".repeat(8_000_000))?.length, 1);
});

Deno.test("a line with any number, page and pack factor is read as it was written", () => {
  const number = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 "'.;_/-]{0,20}[A-Za-z0-9]$/);
  const path = anyPath;
  const pack = fc.option(fc.integer({ min: 1, max: 100_000 }));
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  fc.assert(fc.property(number, path, pack, (sku, rest, packFactor) => {
    const url = `https://shop.de/p${rest}`;
    const cells = [sku, url, ...(packFactor === null ? [] : [String(packFactor)])].map(quote);
    assertEquals(linesOf(`SKU;URL\n${cells.join(";")}`)?.at(-1), [sku, url, packFactor, null]);
  }));
});

Deno.test("a JSON line has one number, one page and a pack factor", () => {
  const table = [
    [{ sku: "A", url: URL_1 }, null],
    [{ gtin: "4006381333931", url: URL_1, packFactor: 2 }, null],
    [{ sku: "A", url: URL_1, packFactor: 0 }, "bad_pack"],
    [{ sku: "A", url: URL_1, packFactor: "2" }, null],
    [{ sku: "A", gtin: "B", url: URL_1 }, "bad_line"],
    [{ url: URL_1 }, "bad_line"],
    [{ sku: 7, url: URL_1 }, "bad_line"],
    [{ sku: "A", url: URL_1, more: 1 }, "bad_line"],
    [{ sku: "A", url: "x".repeat(6_000) }, "bad_url"],
  ] as const;
  for (const [line, validationError] of table) {
    assertEquals(readJsonLine(line).misfit, validationError);
  }
});
