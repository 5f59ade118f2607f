/** Every text of the client in the two languages; each file of words has both, of one shape. */

import type { Language } from "../../engine/wording/show.ts";
import { catalogueDe, catalogueEn } from "./catalogue_words.ts";
import { discoveryDe, discoveryEn } from "./discovery_words.ts";
import { generalDe, generalEn } from "./general_words.ts";
import { importSourceDe, importSourceEn } from "./import_source_words.ts";
import { linkDe, linkEn } from "./link_words.ts";
import { mappingDe, mappingEn } from "./mapping_words.ts";
import { marketDe, marketEn } from "./market_words.ts";
import { positionDe, positionEn } from "./position_words.ts";
import { pricingDe, pricingEn } from "./pricing_words.ts";
import { repairDe, repairEn } from "./repair_words.ts";
import { watchDe, watchEn } from "./watch_words.ts";
import { workspaceDe, workspaceEn } from "./workspace_words.ts";

const de = {
  ...generalDe,
  ...catalogueDe,
  ...discoveryDe,
  ...mappingDe,
  ...importSourceDe,
  ...linkDe,
  ...marketDe,
  ...positionDe,
  ...pricingDe,
  ...repairDe,
  ...watchDe,
  ...workspaceDe,
};

export type Words = typeof de;

const DICTIONARIES: Readonly<Record<Language, Words>> = {
  de,
  en: {
    ...generalEn,
    ...catalogueEn,
    ...discoveryEn,
    ...mappingEn,
    ...importSourceEn,
    ...linkEn,
    ...marketEn,
    ...positionEn,
    ...pricingEn,
    ...repairEn,
    ...watchEn,
    ...workspaceEn,
  },
};

export function wordsOf(language: Language): Words {
  return DICTIONARIES[language];
}
