import type { Candidate, Method } from "./candidate.ts";
import type { ExtractionPage } from "./page/extraction_page.ts";
import { explicitCandidates } from "./extractors/explicit.ts";
import { jsonLdCandidates } from "./extractors/json_ld.ts";
import { microdataCandidates } from "./extractors/microdata.ts";
import { openGraphCandidates } from "./extractors/opengraph.ts";
import { rdfaCandidates } from "./extractors/rdfa.ts";

/** One way to a price. */
export interface Extractor {
  readonly method: Method;
  readonly candidates: (page: ExtractionPage) => Candidate[];
}

/** All of them are tried; when they disagree, the order decides (docs/decisions/scraping.md). */
export const EXTRACTORS: readonly Extractor[] = [
  { method: "extractor", candidates: explicitCandidates },
  { method: "json_ld", candidates: jsonLdCandidates },
  { method: "microdata", candidates: microdataCandidates },
  { method: "rdfa", candidates: rdfaCandidates },
  { method: "opengraph", candidates: openGraphCandidates },
];
