import fc from "fast-check";
import { htmlTableRows, pastedTable } from "../../src/client/parts/import/drop_field.tsx";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

/** HTML of Excel's clipboard, shortened. */
const EXCEL = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head>
<style><!--table {mso-displayed-decimal-separator:"\\,";} td {padding:0px;}--></style></head><body>
<table border=0 cellpadding=0 cellspacing=0 width=160 style='border-collapse:collapse'>
<!--StartFragment-->
 <col width=80 span=2 style='width:60pt'>
 <tr height=20 style='height:15.0pt'>
  <td height=20 class=xl65 width=80>SKU</td>
  <td class=xl65 width=80>Preis&nbsp;&euro;</td>
 </tr>
 <tr height=20><td height=20 align=right>4711</td><td class=xl66 align=right>11,50<span
  style='mso-spacerun:yes'>&nbsp;</span>&#8364;</td></tr>
 <![if supportMisalignedColumns]>
 <tr height=0 style='display:none'><td width=80></td><td width=80></td></tr>
 <![endif]>
<!--EndFragment--></table></body></html>`;

/** HTML of LibreOffice's clipboard, shortened. */
const LIBRE_OFFICE = `<!DOCTYPE html><html><head><title></title></head><body>
<table cellspacing="0" border="0"><colgroup width="85"></colgroup><colgroup width="85"></colgroup>
<tr><td height="17" align="left">SKU</td><td align="left">Preis</td></tr>
<tr><td height="17" align="left">A-1</td>
<td align="right" sdval="11.5" sdnum="1031;0;0,00">11,50</td></tr></table></body></html>`;

const HTML: readonly (readonly [what: string, html: string, rows: readonly string[][]])[] = [
  ["nothing", "", []],
  ["no table", "<p>SKU<b>1</b>", []],
  ["Excel", EXCEL, [["SKU", "Preis €"], ["4711", "11,50 €"]]],
  ["LibreOffice", LIBRE_OFFICE, [["SKU", "Preis"], ["A-1", "11,50"]]],
  ["ends that are left out", "<table><tr><th>a<th>b<tr><td>1<td>2", [["a", "b"], ["1", "2"]]],
  ["white space and breaks", "<table><tr><td> a\n b<br>c </table>", [["a b c"]]],
  [
    "the first of two tables",
    "<TABLE><TR><TD>a</TD></TR></TABLE><table><tr><td>b</td></tr></table>",
    [["a"]],
  ],
  [
    "a table within a cell is its text",
    "<table><tr><td>a<table><tr><td>x</td></tr></table></td><td>b</td></tr></table>",
    [["ax", "b"]],
  ],
  [
    "a cell over two columns leaves the second one empty",
    '<table><tr><td colspan="2">a</td><td>b</td></tr></table>',
    [["a", "", "b"]],
  ],
  [
    "a cell over two rows leaves the column below empty, and the third row as it is",
    "<table><tr><td>a<td rowspan=2>b<td>c<tr><td>d<td>e<tr><td>f<td>g<td>h",
    [["a", "b", "c"], ["d", "", "e"], ["f", "g", "h"]],
  ],
  [
    "a last column over two rows",
    "<table><tr><td>a<td rowspan=2>b<tr><td>d<tr><td>f<td>g",
    [["a", "b"], ["d"], ["f", "g"]],
  ],
  ["letters by name and by number", "<table><td>1<tr><td>&auml;&#228;&#xE4;&lt;&foo;", [[
    "ää\u00e4<&foo;",
  ]]],
  ["a mark of order", "<table><tr><td>a<!-- <td>b --></td></tr></table>", [["a"]]],
  ["a tag that never ends", "<table><tr><td>a</td><td", [["a"]]],
];

Deno.test("the first table of HTML is read as a browser displays it", () => {
  for (const [what, html, rows] of HTML) assertEquals(htmlTableRows(html), rows, what);
});

Deno.test("any cells survive a round trip through HTML", () => {
  const cell = fc.string({ unit: "grapheme-ascii", maxLength: 12 })
    .map((text) => text.replace(/\s+/g, " ").trim());
  const rows = fc.array(
    fc.array(cell, { minLength: 1, maxLength: 5 }).filter((row) => row.some((one) => one !== "")),
  );
  fc.assert(fc.property(rows, (written) => {
    const html = written.map((row) =>
      `<tr>${row.map((one) => `<td>${escaped(one)}</td>`).join("")}`
    );
    assertEquals(htmlTableRows(`<table>${html.join("\n")}</table>`), written);
  }));
});

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

Deno.test("any text is read to its end, and tables with wide cells stay bounded", () => {
  const parts = fc.constantFrom(
    "<table>",
    "<tr>",
    "<td>",
    "<td rowspan=9 colspan=99999>",
    "<!--",
    "-->",
    "</table>",
    "a",
    "<",
    ">",
    "&#9;",
  );
  fc.assert(fc.property(fc.array(parts, { maxLength: 60 }), (written) => {
    for (const row of htmlTableRows(written.join(""))) ok(row.length <= 1_001, String(row.length));
  }));
});

Deno.test("few bytes that name millions of cells are no table", () => {
  assertEquals(htmlTableRows(`<table>${"<tr><td colspan=1000>x".repeat(3_000)}`), []);
});

Deno.test("a spreadsheet's plain text is preferred to its HTML; one column is no table", () => {
  const html = LIBRE_OFFICE;
  assertEquals(
    pastedTable({ plain: "SKU\tPreis\r\nA-1\t12,00\r\n", html }),
    "SKU\tPreis\r\nA-1\t12,00\r\n",
  );
  assertEquals(pastedTable({ plain: "SKU Preis", html }), "SKU\tPreis\nA-1\t11,50\n");
  assertEquals(pastedTable({ plain: "A-1\r\nA-2", html: "<table><tr><td>A-1<tr><td>A-2" }), null);
  const quoted = '<table><tr><td>"Kanne"</td><td>5</td></tr></table>';
  assertEquals(pastedTable({ plain: "", html: quoted }), '"""Kanne"""\t5\n');
});
