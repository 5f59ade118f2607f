import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { ImportProfile, type ImportProfileInput } from "../../src/imports/profiles/xml_profile.ts";
import { bmecat, PROFILES } from "../../src/imports/profiles/profiles.ts";

const minimal: ImportProfileInput = {
  id: "shop-feed",
  name: "Shop feed",
  detect: { root: "feed" },
  itemPath: "feed/entry",
  fields: { sku: { path: "@id" } },
};

function errorPaths(profile: unknown): string[] {
  const parsed = ImportProfile.safeParse(profile);
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join("."));
}

Deno.test("ImportProfile needs few fields and fills in the defaults", () => {
  const { numberFormat, dateFormats, groupItems, zeroIsEmpty, prices } = ImportProfile.parse(
    minimal,
  );
  assertEquals([numberFormat, dateFormats, groupItems, zeroIsEmpty, prices], [
    "de",
    ["D.M.Y", "Y-M-D", "YMD"],
    false,
    false,
    null,
  ]);
});

Deno.test("ImportProfile parses its own output unchanged", () => {
  for (const profile of PROFILES) assertEquals(ImportProfile.parse(profile), profile);
  assertEquals(
    ImportProfile.parse(JSON.parse(JSON.stringify(bmecat))),
    ImportProfile.parse(bmecat),
  );
});

Deno.test("built-in XML profiles have unique ids and unique roots", () => {
  for (const part of [(one: ImportProfile) => one.id, (one: ImportProfile) => one.detect.root]) {
    const all = PROFILES.map(part);
    assertEquals(all.filter((value, at) => all.indexOf(value) !== at), []);
  }
});

const REFUSED: [string, unknown, string][] = [
  ["an unknown field", { ...minimal, itmPath: "x" }, ""],
  ["a path that is none", { ...minimal, itemPath: "a b" }, "itemPath"],
  ["an item that is an attribute", { ...minimal, itemPath: "feed/@entry" }, "itemPath"],
  ["an item above the root", { ...minimal, itemPath: "../feed" }, "itemPath"],
  ["no SKU", { ...minimal, fields: { title: { path: "t" } } }, "fields.sku"],
  [
    "a field above the root",
    { ...minimal, fields: { sku: { path: "../../../x" } } },
    "fields.sku.path",
  ],
  ["a row above its item", {
    ...minimal,
    prices: { path: "price", amount: "../../x" },
  }, "prices.amount"],
  [
    "a row from the root",
    { ...minimal, prices: { path: "price", amount: "/feed/x" } },
    "prices.amount",
  ],
  ["an id with blanks", { ...minimal, id: "Shop feed" }, "id"],
  ["a number format that is none", { ...minimal, numberFormat: "fr" }, "numberFormat"],
];

for (const [what, profile, path] of REFUSED) {
  Deno.test(`ImportProfile refuses ${what}, naming the field`, () => {
    assertEquals(errorPaths(profile).includes(path), true, errorPaths(profile).join());
  });
}
