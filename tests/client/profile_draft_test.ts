import {
  bodyOf,
  draftOf,
  filePathsOf,
  fittingPath,
  pathsBelow,
} from "../../src/client/pages/profiles/profile_draft.ts";
import { suggestedDraft } from "../../src/client/pages/profiles/profile_preview.tsx";
import { isOnAt, textAt, withValue } from "../../src/client/parts/form/path_form.ts";
import { documentOfProfile } from "../../src/imports/profiles/import_profiles.ts";
import { ImportProfile } from "../../src/imports/profiles/xml_profile.ts";
import { PROFILES } from "../../src/imports/profiles/profiles.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

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

Deno.test("filePathsOf() finds the record and its contents, also in a truncated file", () => {
  const whole = filePathsOf(FOREIGN);
  const cut = filePathsOf(FOREIGN.slice(0, -60));
  for (const file of [whole, cut]) {
    assertEquals([file?.root, file?.itemPath], ["Katalog", "Katalog/Stammsatz"]);
    assertEquals(
      file && pathsBelow(file, "//Stammsatz"),
      ["@nr", "Bezeichnung", "Hersteller", "EK", "Staffel", "Staffel/@ab", "Staffel/Wert"],
    );
  }
  assertEquals(filePathsOf("PK\u0003\u0004 an archive"), null);
});

Deno.test("fittingPath() returns the first alternative in the file, as spelled there", () => {
  assertEquals(fittingPath("SKU|@SKU|ARTIKELNR", ["ArtikelNr", "@sku"]), "@sku");
  assertEquals(fittingPath("SKU", ["EAN"]), null);
});

Deno.test("suggestedDraft() fills empty fields and keeps what a person has typed", () => {
  const [known] = PROFILES.filter(({ id }) => id === "erp-default").map(documentOfProfile);
  const file = filePathsOf(FOREIGN);
  if (!known || !file) throw new Error("Nothing to suggest from");
  const draft = suggestedDraft(draftOf({ name: "Mein" }), file, known);
  const texts = (...paths: readonly string[]) => paths.map((path) => textAt(draft, path));
  const filled = texts("name", "detect.root", "itemPath", "fields.title.path");
  assertEquals(filled, ["Mein", "Katalog", "Katalog/Stammsatz", "Bezeichnung"]);
  assertEquals(texts("fields.costPrice.path", "fields.brand.path"), ["EK", "Hersteller"]);
  assertEquals([textAt(draft, "fields.sku.path"), isOnAt(draft, "has.prices")], ["", false]);
  const mine = suggestedDraft(withValue(draft, "fields.title.path", "Name"), file, known);
  assertEquals(textAt(mine, "fields.title.path"), "Name");
});

Deno.test("filePathsOf() names elements and attributes despite comments, quotes, prefixes and a truncated end", () => {
  const text = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]>
    <e:ITEMS xmlns:e="urn:x" date='1'><!-- <NO a="b"/> --><ITEM id = "1 > 0" n='"'>
    <SKU>1</SKU><![CDATA[<NO/>]]><EMPTY/></ITEM><ITEM><SKU>2</SKU></ITEM></e:ITEMS>`;
  const below = ["@date", "ITEM", "ITEM/@id", "ITEM/@n", "ITEM/SKU", "ITEM/EMPTY"];
  assertEquals(filePathsOf(text), {
    root: "ITEMS",
    paths: ["ITEMS", ...below.map((path) => `ITEMS/${path}`)],
    itemPath: "ITEMS/ITEM",
  });
  assertEquals(filePathsOf('<A><B c="1"/><D e="')?.paths, ["A", "A/B", "A/B/@c"]);
  assertEquals(filePathsOf("<A><!-- <B/>")?.paths, ["A"]);
  assertEquals(filePathsOf("Artikel;Preis"), null);
  // It reads as deep as the service, and still returns.
  const deep = filePathsOf(`${"<A>".repeat(100)}${"</A>".repeat(100)}<B/>`)?.paths ?? [];
  assertEquals([deep.length, deep.at(-1)], [65, "B"]);
});

Deno.test("pathsBelow() omits the predicate of an element", () => {
  const paths = filePathsOf("<A><B><C/></B></A>");
  assertEquals(paths && pathsBelow(paths, "A/B[@t='x']"), ["C"]);
});
