import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { ImportProfile, type ImportProfileInput } from "../../src/imports/profiles/xml_profile.ts";
import { bmecat, PROFILES } from "../../src/imports/profiles/built_in_profiles.ts";

const minimal: ImportProfileInput = {
  id: "shop-feed",
  name: "Shop feed",
  detect: { root: "feed" },
  itemPath: "feed/entry",
  fields: { sku: { path: "@id" } },
};

Deno.test("ImportProfile needs few fields and fills in the defaults", () => {
  const { numberFormat, dateFormats, groupItems, zeroIsEmpty, prices } = ImportProfile.parse(
    minimal,
  );
  assertEquals([numberFormat, dateFormats], ["de", ["D.M.Y", "Y-M-D", "YMD"]]);
  assertEquals([groupItems, zeroIsEmpty, prices], [false, false, null]);
});

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
  ["an unknown field", { itmPath: "x" }, ""],
  ["a path that is none", { itemPath: "a b" }, "itemPath"],
  ["an item that is an attribute", { itemPath: "feed/@entry" }, "itemPath"],
  ["an item above the root", { itemPath: "../feed" }, "itemPath"],
  ["no SKU", { fields: { title: { path: "t" } } }, "fields.sku"],
  ["a field above the root", { fields: { sku: { path: "../../../x" } } }, "fields.sku.path"],
  ["a row above its item", { prices: { path: "price", amount: "../../x" } }, "prices.amount"],
  ["a row from the root", { prices: { path: "price", amount: "/feed/x" } }, "prices.amount"],
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
