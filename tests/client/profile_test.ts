import fc from "fast-check";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf, draftOf } from "../../src/client/pages/profiles/profile_form.tsx";
import { PROFILE_EXAMPLES } from "../../src/imports/profiles/import_profiles.ts";
import { PROFILES, TABLE_TEMPLATES } from "../../src/imports/profiles/built_in_profiles.ts";
import { ImportProfile } from "../../src/imports/profiles/xml_profile.ts";
import { onScreen } from "./browser.ts";
import { chooseFile } from "./on_page.ts";
import { nameOfFile, profileOf } from "../../src/client/parts/mapping/mapping_profile.ts";
import {
  draftOf as mappingDraftOf,
  type MappingDraft,
  OTHER_TARGETS,
  PLAIN_FIELDS,
  PRICE_TARGETS,
  type Target,
  telltaleColumns,
  withColumn,
} from "../../src/client/parts/mapping/mapping_draft.ts";
import { TableProfile, type TableProfileInput } from "../../src/imports/profiles/table_profile.ts";
import { columnsOf } from "../../src/imports/upload/read_table.ts";

const FOREIGN = await Deno.readTextFile(new URL("fixtures/foreign_catalogue.xml", import.meta.url));

Deno.test("bodyOf(draftOf()) returns every built-in profile unchanged", () => {
  for (const profile of PROFILES) {
    assertEquals(ImportProfile.parse(bodyOf(draftOf(profile))), profile);
    const strict = { ...profile, zeroIsEmpty: true };
    assertEquals(ImportProfile.parse(bodyOf(draftOf(strict))), strict);
  }
});

Deno.test("an empty form is a document whose faults the service names", () => {
  const { error } = ImportProfile.safeParse(bodyOf(draftOf({})));
  const paths = error?.issues.map(({ path }) => path.join("."));
  const faulty = [...new Set(paths)].sort();
  assertEquals(faulty, ["detect.root", "fields.sku.path", "id", "itemPath", "name"]);
});

onScreen.test("a profile is written next to its preview, refused without loss, saved and used", async ({ app, browser }) => {
  const page = await browser.open(app, "/settings/profiles");
  await page.getByRole("link", { name: "Profil anlegen" }).click();
  const preview = page.getByRole("region", { name: "Vorschau" });
  await chooseFile(page, preview.getByText("Beispieldatei wählen"), "katalog.xml", FOREIGN);
  await preview.getByText("Sobald das Profil vollständig ist").waitFor();
  await page.getByLabel("Wurzelelement").fill("Katalog");
  await page.getByLabel("Weg zum Datensatz").fill("Katalog/Stammsatz");
  await page.getByLabel("Titel").fill("Bezeichnung");
  await page.getByLabel("Marke", { exact: true }).fill("Hersteller");
  await page.getByLabel(/^Einkaufspreis|^Einkauf/).first().fill("EK");

  // In this file, the SKU is an XML attribute, so its path begins with `@`.
  await page.getByLabel("SKU (nötig)").fill("@nr");
  const records = preview.getByRole("table", { name: "Die ersten Datensätze" });
  await records.getByRole("row", { name: /000123/ }).waitFor();
  await page.locator(".path-row", { hasText: "SKU" }).getByLabel("Umformen")
    .selectOption({ label: "ohne führende Nullen" });
  const prices = page.getByRole("group", { name: "Preise", exact: true });
  await prices.getByLabel("Steht in der Datei").check();
  await prices.getByLabel("Weg zur Preiszeile").fill("Staffel");
  await prices.getByLabel("Betrag", { exact: true }).fill("Wert");
  await page.getByLabel("Zahlen").selectOption({ label: "englisch: 1,234.56" });
  const first = records.getByRole("row", { name: /SKU 123/ });
  await first.getByText(/39,90\s€/).first().waitFor();
  await first.getByText("Nordwerk").waitFor();
  const second = records.getByRole("row", { name: /SKU 124/ });
  await second.getByText("Das ist keine lesbare Zahl.").waitFor();
  assertEquals((await app.owner.read("/api/products")).items, []);

  await page.getByLabel("Name", { exact: true }).fill("Katalog der Zentrale");
  await page.getByLabel("Kennung").fill("erp-default");
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByRole("alert").getByText(/^req_/).waitFor();
  assertEquals(await page.getByLabel("Betrag", { exact: true }).inputValue(), "Wert");
  await page.getByLabel("Kennung").fill("katalog");
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByRole("heading", { level: 1, name: "Katalog der Zentrale" }).waitFor();
  const stored = await app.owner.read("/api/import-profiles/katalog");
  const terms = [stored.fields.sku, stored.prices.amount, stored.numberFormat, stored.builtIn];
  assertEquals(terms, [{ path: "@nr", transform: "strip_leading_zeros" }, "Wert", "en", false]);

  // Kurant recognises the profile by the file's root element.
  const job = await app.owner.act("/api/imports", FOREIGN, { "Content-Type": "application/xml" });
  assertEquals([job.files[0].profile, job.stats.inserted], ["katalog", 2]);
});

onScreen.test("a table profile is listed, shown and deleted; a built-in one is tried and copied, but never changed", async ({ app, browser }) => {
  const { builtIn: _, ...jtl } = await app.owner.read("/api/import-profiles/jtl-ameise");
  await app.owner.create("/api/import-profiles", { ...jtl, id: "meine", name: "Meine Ameise" });
  const page = await browser.open(app, "/settings/profiles");
  const row = page.getByRole("row", { name: /JTL-Ameise/ });
  await row.getByText("CSV, Excel, JSON").waitFor();
  await page.getByRole("link", { name: "BMEcat 1.2 und 2005" }).waitFor();
  await row.getByRole("link", { name: "JTL-Ameise" }).click();
  await page.getByText("wird an den Spalten der Datei erkannt").waitFor();
  assertEquals(await page.getByLabel("Wofür „Artikelnummer“ steht").isDisabled(), true);
  const heads = await page.getByRole("columnheader").allInnerTexts();
  assertEquals(heads, ["Spalte in der Datei", "wird in Kurant"]);
  assertEquals(await page.getByRole("button", { name: "Löschen" }).count(), 0);
  await page.goto("/settings/profiles/meine");
  assertEquals(await page.getByLabel("Wofür „Artikelnummer“ steht").isDisabled(), true);
  await page.getByRole("button", { name: "Löschen" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Löschen" }).click();
  await page.getByRole("link", { name: "JTL-Ameise" }).waitFor();
  await page.getByText("Meine Ameise", { exact: true }).waitFor({ state: "detached" });

  await page.goto("/settings/profiles/erp-default");
  await page.getByText("Eingebaute Profile lassen sich nicht ändern").waitFor();
  assertEquals(await page.getByLabel("SKU (nötig)").isDisabled(), true);
  const name = page.getByLabel("Name", { exact: true });
  assertEquals(await name.inputValue(), "Artikelexport des ERP");
  assertEquals(await page.getByRole("button", { name: "Speichern" }).count(), 0);
  const erp = await Deno.readFile(new URL("fixtures/erp_export.xml", import.meta.url));
  const preview = page.getByRole("region", { name: "Vorschau" });
  await chooseFile(page, preview.getByText("Beispieldatei wählen"), "erp.xml", erp);
  await preview.getByRole("table", { name: "Die ersten Datensätze" }).waitFor();
  await page.getByRole("link", { name: "Kopie anlegen" }).click();
  await page.getByRole("heading", { level: 1, name: "Neues Importprofil" }).waitFor();
  assertEquals(await page.getByLabel("Kennung").inputValue(), "erp-default-2");
});

const at = (...columns: string[]) => ({ columns });
const profile = (more: Partial<TableProfileInput>): TableProfile =>
  TableProfile.parse({
    ...{ id: "x", name: "X", format: "table", detect: {}, fields: { sku: at("A") } },
    ...more,
  });

/** Profiles that the mapping form must leave unchanged when it opens and saves them. */
const KEPT: readonly Partial<TableProfileInput>[] = [
  {},
  { fields: { sku: at("A", "B", "C") } },
  { fields: { sku: at("A"), currency: { constant: "CHF" } } },
  {
    prices: [{
      ...{ from: at("P"), role: "own", tier: at("T"), minQty: at("Q") },
      ...{ validFrom: at("V"), validUntil: at("W"), per: at("U") },
    }],
  },
  {
    prices: [
      { from: at("P"), role: "own", validFrom: at("V") },
      { from: at("Q"), role: "tier", tier: "B2B" },
    ],
  },
  { competitors: [{ url: at("URL"), name: at("SHOP") }] },
  { fields: { sku: at("A"), costPrice: at("EK") } },
  { active: { from: at("Name"), not: true } },
];

Deno.test("a mapping that nobody edits is its profile unchanged", () => {
  const [example] = PROFILE_EXAMPLES;
  for (const one of [...TABLE_TEMPLATES, TableProfile.parse(example), ...KEPT.map(profile)]) {
    assertEquals(profileOf(mappingDraftOf(one, null)), one);
  }
});

const NAMES = ["Nr", "Name", "VK", "VK", "EK", ""];

function mapped(...uses: readonly (Target | "")[]): MappingDraft {
  const none = profile({ fields: { sku: at("gone") } });
  const empty = { ...none, fields: { ...none.fields, sku: null } };
  return uses.reduce<MappingDraft>(
    (draft, target, place) => withColumn(draft, place, { target }),
    mappingDraftOf(empty, NAMES),
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
  const named = withColumn(first, 2, { name: " B2B ", side: "net", currency: "chf" });
  const draft = withColumn(named, 3, { minQty: "10" });
  const [group, quantity] = profileOf(draft).prices.map(({ role, tier, side, currency, minQty }) =>
    [role, tier, side, currency, minQty].join()
  );
  assertEquals([group, quantity], ["tier,B2B,net,CHF,1", "own,,,,10"]);
});

Deno.test("a column that details prices applies to prices without their own", () => {
  const draft = mapped("sku", "validFrom", "ownPrice", "sale", "costPrice", "per");
  const prices = profileOf(draft).prices.map(({ role, validFrom, per }) =>
    [role, validFrom?.columns[0], per?.columns[0]].join()
  );
  assertEquals(prices, ["own,,#6", "sale,Name,", "cost,,"]);
  const alone = profileOf(mapped("sku", "validFrom", "ownPrice", "", "costPrice", "per")).prices;
  assertEquals(alone[0]?.validFrom?.columns, ["Name"], "dates without a sale are of the price");
});

Deno.test("columns that the file lacks stay in the profile, and alternative names too", () => {
  const stored = profile({
    fields: { sku: at("Artikel", "Nr"), brand: at("Marke"), title: at("NAME") },
    prices: [{ from: at("VK", "Preis"), role: "own", side: "gross" }],
  });
  const draft = mappingDraftOf(stored, NAMES);
  const used = draft.columns.map(({ target, at }) => `${target} ${at}`);
  assertEquals(used, ["sku 0", "title 1", "ownPrice 2", " 3", " 4", " 5", "brand null"]);
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
  const draft = mappingDraftOf(stored, ["EK", "B2B", "VK", "Nr"]);
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

const calledByService = (target: Target) =>
  /^(own|break|tier)Price$/.test(target) ? "price" : target;

Deno.test("the service reads each column as chosen, whatever was chosen before", () => {
  const steps = fc.array(fc.tuple(fc.nat(4), fc.constantFrom(...CHOICES)), { maxLength: 30 });
  fc.assert(fc.property(steps, (chosen) => {
    const names = ["a", "b", "c", "d", "key"];
    const start = profile({ fields: { sku: at("key") } });
    const draft = chosen.reduce<MappingDraft>(
      (draft, [place, target]) =>
        withColumn(draft, place, {
          ...{ target, name: target === "attribute" ? `n${place}` : "" },
          minQty: target === "breakPrice" ? "5" : "",
        }),
      mappingDraftOf(start, names),
    );
    const layout = {
      kind: "delimited",
      ...{ encoding: "utf-8", dialect: null, sheet: null, sheets: [], list: null },
      ...{ header: { line: 1, cells: names }, headerRow: 1, rows: [] },
    } as const;
    const table = { layout, profile: profileOf(draft), isSuggested: false };
    const read = columnsOf(table, "gross").map(({ field }) => field);
    const wanted = draft.columns.map(({ target, at }) =>
      target === "" ? null : target === "attribute" ? `attributes.n${at}` : calledByService(target)
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
