import { deepStrictEqual as assertEquals } from "node:assert/strict";
import fc from "fast-check";
import { nameOfFile } from "../../src/client/pages/imports/use_saved_mapping.ts";
import {
  draftOf,
  type MappingDraft,
  OTHER_TARGETS,
  PLAIN_FIELDS,
  PRICE_TARGETS,
  type Target,
  telltaleColumns,
  withColumn,
} from "../../src/client/parts/mapping/mapping_draft.ts";
import { isWhollyShown, profileOf } from "../../src/client/parts/mapping/mapping_profile.ts";
import { PROFILE_EXAMPLES } from "../../src/imports/profiles/import_profiles.ts";
import { TableProfile, type TableProfileInput } from "../../src/imports/profiles/table_profile.ts";
import { TABLE_TEMPLATES } from "../../src/imports/profiles/built_in_profiles.ts";
import { columnsOf } from "../../src/imports/upload/read_table.ts";

const at = (...columns: string[]) => ({ columns });
const profile = (more: Partial<TableProfileInput>): TableProfile =>
  TableProfile.parse({
    id: "x",
    name: "X",
    format: "table",
    detect: {},
    fields: { sku: at("A") },
    ...more,
  });

Deno.test("built-in templates and the example of the schema are shown in full", () => {
  const [example] = PROFILE_EXAMPLES;
  for (const one of [...TABLE_TEMPLATES, TableProfile.parse(example)]) {
    assertEquals(isWhollyShown(one), true, one.id);
  }
});

const WHOLE: readonly (readonly [what: string, more: Partial<TableProfileInput>, is: boolean])[] = [
  ["nothing but a SKU", {}, true],
  ["other names of a column", { fields: { sku: at("A", "B", "C") } }, true],
  ["a fixed value", { fields: { sku: at("A"), currency: { constant: "CHF" } } }, true],
  [
    "dates and a tier of its rows",
    {
      prices: [{
        ...{ from: at("P"), role: "own", tier: at("T"), minQty: at("Q") },
        ...{ validFrom: at("V"), validUntil: at("W"), per: at("U") },
      }],
    },
    true,
  ],
  [
    "one price with dates and one without",
    {
      prices: [
        { from: at("P"), role: "own", validFrom: at("V") },
        { from: at("Q"), role: "tier", tier: "B2B" },
      ],
    },
    true,
  ],
  ["a shop in a column", { competitors: [{ url: at("URL"), name: at("SHOP") }] }, true],
  ["the cost in the fields", { fields: { sku: at("A"), costPrice: at("EK") } }, true],
  ["a quantity below one", { prices: [{ from: at("P"), role: "own", minQty: 0.5 }] }, false],
];

Deno.test("a profile that cannot be shown in full says so", () => {
  for (const [what, more, is] of WHOLE) assertEquals(isWhollyShown(profile(more)), is, what);
});

const NAMES = ["Nr", "Name", "VK", "VK", "EK", ""];

function mapped(...uses: readonly (Target | "")[]): MappingDraft {
  const none = profile({ fields: { sku: at("gone") } });
  const empty = { ...none, fields: { ...none.fields, sku: null } };
  return uses.reduce<MappingDraft>(
    (draft, target, place) => withColumn(draft, place, { target }),
    draftOf(empty, NAMES),
  );
}

Deno.test("a column whose name is empty or ambiguous is named by its number", () => {
  const { fields, prices } = profileOf(mapped("sku", "title", "costPrice", "ownPrice", "", "ean"));
  assertEquals([fields.sku?.columns, fields.ean?.columns], [["Nr"], ["#6"]]);
  assertEquals(prices.map(({ from, role }) => [from.columns, role]), [
    [["VK"], "cost"],
    [["#4"], "own"],
  ]);
});

Deno.test("a use that only one column may have is removed from its previous column", () => {
  const draft = mapped("sku", "sku", "ownPrice", "ownPrice", "attribute", "attribute");
  const targets = draft.columns.map(({ target }) => target);
  assertEquals(targets, ["", "sku", "", "ownPrice", "attribute", "attribute"]);
});

Deno.test("a group price has its name, and a quantity price its quantity", () => {
  const first = mapped("sku", "", "tierPrice", "breakPrice");
  const draft = withColumn(
    withColumn(first, 2, { name: " B2B ", side: "net", currency: "chf" }),
    3,
    { minQty: "10" },
  );
  assertEquals(
    profileOf(draft).prices.map(({ role, tier, side, currency, minQty }) => [
      role,
      tier,
      side,
      currency,
      minQty,
    ]),
    [["tier", "B2B", "net", "CHF", 1], ["own", null, null, null, 10]],
  );
});

Deno.test("a column that details prices applies to prices without their own", () => {
  const draft = mapped("sku", "validFrom", "ownPrice", "sale", "costPrice", "per");
  const prices = profileOf(draft).prices.map(({ role, validFrom, per }) => [
    role,
    validFrom?.columns[0],
    per?.columns[0],
  ]);
  assertEquals(
    prices,
    [["own", undefined, "#6"], ["sale", "Name", undefined], ["cost", undefined, undefined]],
  );
  const alone = profileOf(mapped("sku", "validFrom", "ownPrice", "", "costPrice", "per")).prices;
  assertEquals(alone[0]?.validFrom?.columns, ["Name"], "dates without a sale are of the price");
});

Deno.test("a column for products not sold keeps its negation", () => {
  const stored = profile({
    fields: { sku: at("Artikel") },
    active: { from: at("Name"), not: true },
  });
  assertEquals(profileOf(draftOf(stored, NAMES)).active?.not, true);
});

Deno.test("columns that the file lacks stay in the profile, and alternative names too", () => {
  const stored = profile({
    fields: { sku: at("Artikel", "Nr"), brand: at("Marke"), title: at("NAME") },
    prices: [{ from: at("VK", "Preis"), role: "own", side: "gross" }],
  });
  const draft = draftOf(stored, NAMES);
  assertEquals(
    draft.columns.map(({ target, at }) => [target, at]),
    [["sku", 0], ["title", 1], ["ownPrice", 2], ["", 3], ["", 4], ["", 5], ["brand", null]],
  );
  assertEquals(profileOf(draft), stored);
  const changed = profileOf(withColumn(draft, 4, { target: "costPrice" }));
  assertEquals(changed.fields, stored.fields);
  assertEquals(telltaleColumns(draft), ["Artikel", "NAME", "VK"]);
});

Deno.test("prices keep the order of the profile, whatever the order of the file", () => {
  const stored = profile({
    fields: { sku: at("Nr") },
    prices: [
      { from: { constant: "9,99" }, role: "target" },
      { from: at("VK"), role: "own" },
      { from: at("EK"), role: "cost" },
    ],
  });
  const draft = draftOf(stored, ["EK", "B2B", "VK", "Nr"]);
  assertEquals(profileOf(draft), stored);
  const more = profileOf(withColumn(draft, 1, { target: "tierPrice" }));
  assertEquals(more.prices.map(({ role }) => role), ["target", "own", "cost", "tier"]);
});

const CHOICES: readonly (Target | "")[] = [
  "",
  ...PLAIN_FIELDS,
  ...PRICE_TARGETS,
  ...OTHER_TARGETS.filter((target) => target !== "inherit"),
];

/** The service's name for a target, where the two names differ. */
const CALLED: Readonly<Record<string, string>> = {
  ownPrice: "price",
  breakPrice: "price",
  tierPrice: "price",
};

Deno.test("the service reads each column as chosen, whatever was chosen before", () => {
  const steps = fc.array(fc.tuple(fc.nat(4), fc.constantFrom(...CHOICES)), { maxLength: 30 });
  fc.assert(fc.property(steps, (chosen) => {
    const names = ["a", "b", "c", "d", "key"];
    const start = profile({ fields: { sku: at("key") } });
    const draft = chosen.reduce<MappingDraft>(
      (draft, [place, target]) =>
        withColumn(draft, place, {
          target,
          name: target === "attribute" ? `n${place}` : "",
          minQty: target === "breakPrice" ? "5" : "",
        }),
      draftOf(start, names),
    );
    const layout = {
      kind: "delimited",
      ...{ encoding: "utf-8", dialect: null, sheet: null, sheets: [], list: null },
      ...{ header: { line: 1, cells: names }, headerRow: 1, rows: [] },
    } as const;
    const table = { layout, profile: profileOf(draft), isSuggested: false };
    const read = columnsOf(table, "gross").map(({ field }) => field);
    const wanted = draft.columns.map(({ target, at }) =>
      target === "" ? null : target === "attribute" ? `attributes.n${at}` : CALLED[target] ?? target
    );
    assertEquals(read, wanted);
  }));
});

Deno.test("nameOfFile() drops dates and the file extension", () => {
  const names = ["artikel.csv", "Artikel_Liste-2026-08-01.csv.gz", "preise 01.08.2026.xlsx"];
  const files = [...names, "20260801.csv", "ohne", ".csv"].map((name) => new File([], name));
  const told = [...files, null].map(nameOfFile);
  assertEquals(told, ["artikel", "Artikel Liste", "preise", "20260801", "ohne", "", ""]);
});
