import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { PROFILES, TABLE_TEMPLATES } from "../../../src/imports/profiles/built_in_profiles.ts";
import type { TableProfile } from "../../../src/imports/profiles/table_profile.ts";
import { partOf, readWhole } from "../upload_reading.ts";

const VALUES: Readonly<Record<string, string>> = {
  sku: "T-1",
  title: "Rührgerät",
  brand: "Öhrle",
  category: "Küche",
  ean: "4006381333931",
  mpn: "RG-1",
  vatRatePct: "19",
  stock: "5",
  url: "https://shop.example/p/1",
  condition: "new",
};
const AMOUNTS: Readonly<Record<string, string>> = { own: "12.50", cost: "6.25", target: "15.00" };

/** A header with the template's columns, and one row. */
function exportOf({ detect, fields, prices, active, numberFormat }: TableProfile): string {
  const cells = new Map(detect.columns.map((column) => [column, "x"]));
  for (const [name, from] of Object.entries(fields)) {
    const [column] = from?.columns ?? [];
    const value = VALUES[name];
    if (column !== undefined && value !== undefined) cells.set(column, value);
  }
  for (const { from: { columns: [column] }, role } of prices) {
    const amount = AMOUNTS[role];
    if (column === undefined || amount === undefined) continue;
    cells.set(column, numberFormat === "en" ? amount : amount.replace(".", ","));
  }
  const [flag] = active?.from.columns ?? [];
  if (flag !== undefined) cells.set(flag, "1");
  return `${[...cells.keys()].join("\t")}\n${[...cells.values()].join("\t")}\n`;
}

const FOREIGN = TABLE_TEMPLATES.filter(({ id }) => !id.startsWith("kurant"));

for (const template of FOREIGN) {
  Deno.test(`a table of ${template.name} is recognised by its columns, and read`, async () => {
    const bytes = new TextEncoder().encode(exportOf(template));
    const { refused, files, records } = await readWhole([partOf("export.txt", bytes)]);
    assertEquals([refused, files.map(({ profile }) => profile)], [null, [template.id]]);
    const isNet = template.prices.some(({ role, side }) => role === "own" && side === "net");
    const ean = template.fields.ean ? VALUES.ean : undefined;
    const { sku, title, ourPriceCents, ean: read } = records[0]!.patch!;
    const price = isNet ? 1_488 : 1_250;
    assertEquals([sku, title, ourPriceCents, read], ["T-1", "Rührgerät", price, ean]);
    assertEquals(records.length, 1);
  });
}

const DOCUMENTS = [
  "README.md",
  "CHANGELOG.md",
  "docs/integration.md",
  "docs/integration.de.md",
  "docs/decisions/imports.md",
];

for (const path of DOCUMENTS) {
  Deno.test(`${path} names every built-in profile`, async () => {
    const text = (await Deno.readTextFile(path)).toLowerCase();
    const isNamed = (id: string) => new RegExp(`\\b${id.split("-")[0]}\\b`).test(text);
    const ids = [...PROFILES, ...FOREIGN].map(({ id }) => id);
    assertEquals(ids.filter((id) => !isNamed(id)), []);
  });
}
