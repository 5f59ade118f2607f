import {
  ImportProfile,
  type ImportProfileInput,
  parsePath,
} from "../../src/imports/profiles/xml_profile.ts";
import { bmecat, PROFILES, TABLE_TEMPLATES } from "../../src/imports/profiles/built_in_profiles.ts";
import type { TableProfile } from "../../src/imports/profiles/table_profile.ts";
import { partOf, readWhole } from "./upload_reading.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const minimal: ImportProfileInput = {
  id: "shop-feed",
  name: "Shop feed",
  detect: { root: "feed" },
  itemPath: "feed/entry",
  fields: { sku: { path: "@id" } },
};

Deno.test("ImportProfile parses its own output unchanged", () => {
  for (const profile of PROFILES) assertEquals(ImportProfile.parse(profile), profile);
  const stored = JSON.parse(JSON.stringify(bmecat));
  assertEquals(ImportProfile.parse(stored), ImportProfile.parse(bmecat));
});

Deno.test("built-in XML profiles have unique ids and unique roots", () => {
  for (const part of [(one: ImportProfile) => one.id, (one: ImportProfile) => one.detect.root]) {
    const all = PROFILES.map(part);
    assertEquals(all.filter((value, at) => all.indexOf(value) !== at), []);
  }
});

const REFUSED: [string, Record<string, unknown>, string][] = [
  ["no SKU", { fields: { title: { path: "t" } } }, "fields.sku"],
  ["an id with blanks", { id: "Shop feed" }, "id"],
  ["a number format that is none", { numberFormat: "fr" }, "numberFormat"],
];

for (const [what, part, path] of REFUSED) {
  Deno.test(`ImportProfile refuses ${what}, naming the field`, () => {
    const { error } = ImportProfile.safeParse({ ...minimal, ...part });
    const paths = error?.issues.map(({ path }) => path.join(".")) ?? [];
    ok(paths.includes(path), paths.join());
  });
}

const step = (name: string, attribute?: string, value?: string) => ({
  name,
  test: attribute === undefined ? null : { attribute, value },
});
const HERE = { from: "here", up: 0, steps: [], attribute: null };
const route = (rest: Record<string, unknown>) => ({ ...HERE, ...rest });

const READ: [string, unknown[]][] = [
  ["A", [route({ steps: [step("a")] })]],
  ["A/B", [route({ steps: [step("a"), step("b")] })]],
  ["A|B/C", [route({ steps: [step("a")] }), route({ steps: [step("b"), step("c")] })]],
  ["@x", [route({ attribute: "x" })]],
  ["A/@x", [route({ steps: [step("a")], attribute: "x" })]],
  ["A[@t='x']/B", [route({ steps: [step("a", "t", "x"), step("b")] })]],
  [`A[@t="X/Y|Z"]`, [route({ steps: [step("a", "t", "x/y|z")] })]],
  [".", [route({})]],
  ["../A", [route({ up: 1, steps: [step("a")] })]],
  ["../../@x", [route({ up: 2, attribute: "x" })]],
  ["/A/B", [route({ from: "root", steps: [step("a"), step("b")] })]],
  ["//A", [route({ from: "anywhere", steps: [step("a")] })]],
  ["g:Preis-1/ns:B[@xml:lang='de']", [
    route({ steps: [step("preis-1"), step("b", "lang", "de")] }),
  ]],
];

for (const [path, routes] of READ) {
  Deno.test(`parsePath() reads ${path}`, () => assertEquals(parsePath(path), { routes }));
}

const REFUSED_PATHS = ["", "A B", ..."A/ / A//B A||B A[1] A[@t=x] @ @a/B A/. A/../B ..".split(" ")];
for (const path of REFUSED_PATHS) {
  Deno.test(`parsePath() refuses "${path}"`, () => assertEquals("reason" in parsePath(path), true));
}

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

/** Makes a tab-separated file with the columns of the profile and one row. */
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
