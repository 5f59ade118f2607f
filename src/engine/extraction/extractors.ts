/** All methods of reading a price. A new method needs a file in `extractors/` and a row here. */

import type { Candidate } from "./amount.ts";
import { explicitCandidates } from "./extractors/explicit.ts";
import { microdataCandidates, rdfaCandidates } from "./extractors/item_markup.ts";
import { jsonLdCandidates } from "./extractors/json_ld.ts";
import { openGraphCandidates } from "./extractors/opengraph.ts";
import type { ExtractionPage } from "./page/extraction_page.ts";

interface Extractor {
  /** Public: never reuse a code for another method. */
  readonly method: string;
  readonly name: { readonly de: string; readonly en: string };
  readonly candidates: (page: ExtractionPage) => Candidate[];
}

/** If the prices differ, the first method in this list wins (docs/decisions/scraping.md). */
export const EXTRACTORS = [
  {
    method: "extractor",
    name: { de: "eigener Selektor", en: "own selector" },
    candidates: explicitCandidates,
  },
  { method: "json_ld", name: { de: "JSON-LD", en: "JSON-LD" }, candidates: jsonLdCandidates },
  {
    method: "microdata",
    name: { de: "Microdata", en: "Microdata" },
    candidates: microdataCandidates,
  },
  { method: "rdfa", name: { de: "RDFa", en: "RDFa" }, candidates: rdfaCandidates },
  {
    method: "opengraph",
    name: { de: "OpenGraph", en: "OpenGraph" },
    candidates: openGraphCandidates,
  },
] as const satisfies readonly Extractor[];

const SHOWN = { method: "shown", name: { de: "angezeigter Preis", en: "shown price" } } as const;

const RECIPES = [
  { method: "recipe", name: { de: "gelernte Stelle", en: "learned place" } },
  { method: "taught", name: { de: "gezeigte Stelle", en: "taught place" } },
] as const;

/** The method that reads the price of our variant from the page's scripts and options. */
export const VARIANT_LIST = {
  method: "variants",
  name: { de: "Variantenliste", en: "list of variants" },
} as const;

/** The method that reads an article's price from script data if the page shows no price. */
export const PAGE_DATA = {
  method: "data",
  name: { de: "Daten der Seite", en: "page data" },
} as const;

export const METHODS = [
  ...EXTRACTORS.map(({ method, name }) => ({ method, name })),
  SHOWN,
  ...RECIPES,
  VARIANT_LIST,
  PAGE_DATA,
];

export type Method = (typeof METHODS)[number]["method"];
