import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { filePathsOf, pathsBelow } from "../../src/client/pages/profiles/profile_draft.ts";

Deno.test("filePathsOf() names elements and attributes despite comments, quotes and prefixes", () => {
  const text = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]>
    <e:ITEMS xmlns:e="urn:x" date='1'><!-- <NO a="b"/> --><ITEM id = "1 > 0" n='"'>
    <SKU>1</SKU><![CDATA[<NO/>]]><EMPTY/></ITEM><ITEM><SKU>2</SKU></ITEM></e:ITEMS>`;
  assertEquals(filePathsOf(text), {
    root: "ITEMS",
    paths: [
      "ITEMS",
      "ITEMS/@date",
      "ITEMS/ITEM",
      "ITEMS/ITEM/@id",
      "ITEMS/ITEM/@n",
      "ITEMS/ITEM/SKU",
      "ITEMS/ITEM/EMPTY",
    ],
    itemPath: "ITEMS/ITEM",
  });
});

Deno.test("filePathsOf() reads truncated XML up to its end, and refuses a text that is not XML", () => {
  assertEquals(filePathsOf('<A><B c="1"/><D e="')?.paths, ["A", "A/B", "A/B/@c"]);
  assertEquals(filePathsOf("<A><!-- <B/>")?.paths, ["A"]);
  assertEquals(filePathsOf("Artikel;Preis"), null);
});

Deno.test("filePathsOf() reads as deep as the service, and still returns", () => {
  const text = `${"<A>".repeat(100)}${"</A>".repeat(100)}<B/>`;
  const paths = filePathsOf(text)?.paths ?? [];
  assertEquals([paths.length, paths.at(-1)], [65, "B"]);
});

Deno.test("pathsBelow() omits the predicate of an element", () => {
  const paths = filePathsOf("<A><B><C/></B></A>");
  assertEquals(paths && pathsBelow(paths, "A/B[@t='x']"), ["C"]);
});
