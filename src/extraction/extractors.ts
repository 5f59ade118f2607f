/** All ways to a price. A new one is a file in `extractors/` and a row of `EXTRACTORS`. */
import type { Candidate } from "./candidate.ts";
import type { ExtractionPage } from "./page/extraction_page.ts";
import { explicitCandidates } from "./extractors/explicit.ts";
import { jsonLdCandidates } from "./extractors/json_ld.ts";
import { microdataCandidates } from "./extractors/microdata.ts";
import { openGraphCandidates } from "./extractors/opengraph.ts";
import { rdfaCandidates } from "./extractors/rdfa.ts";

/** One way to a price. */
export interface Extractor {
  /** The code that results and observations contain: public, and never taken for another way. */
  readonly method: string;
  /** What people call it. */
  readonly name: { readonly de: string; readonly en: string };
  readonly candidates: (page: ExtractionPage) => Candidate[];
}

/** All of them are tried; when they disagree, the order decides (docs/decisions/scraping.md). */
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

/** The code of a way to a price. */
export type Method = (typeof EXTRACTORS)[number]["method"];
