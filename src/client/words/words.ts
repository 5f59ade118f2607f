/** All texts of the client, in both languages. */
import type { Language } from "../../base/language.ts";
import { catalogueWords } from "./catalogue_words.ts";
import { causeWords } from "./cause_words.ts";
import { discoveryWords, linkWords } from "./link_words.ts";
import { findingWords, mappingWords } from "./mapping_words.ts";
import { generalWords } from "./general_words.ts";
import { importSourceWords } from "./import_source_words.ts";
import { type In, textsIn } from "./label.ts";
import { marketWords } from "./market_words.ts";
import { positionWords } from "./position_words.ts";
import { pricingWords } from "./pricing_words.ts";
import { repairWords } from "./repair_words.ts";
import { runWords, shopWords } from "./shop_words.ts";
import { securityWords, startWords } from "./start_words.ts";
import { watchWords } from "./watch_words.ts";
import { workspaceWords } from "./workspace_words.ts";

const WORDS = {
  ...generalWords,
  ...catalogueWords,
  ...causeWords,
  ...discoveryWords,
  ...findingWords,
  ...mappingWords,
  ...importSourceWords,
  ...linkWords,
  ...marketWords,
  ...positionWords,
  ...pricingWords,
  ...repairWords,
  ...runWords,
  ...securityWords,
  ...shopWords,
  ...startWords,
  ...watchWords,
  ...workspaceWords,
};

export type Words = In<typeof WORDS>;

const DICTIONARIES: Readonly<Record<Language, Words>> = {
  de: textsIn(WORDS, "de"),
  en: textsIn(WORDS, "en"),
};

export function wordsOf(language: Language): Words {
  return DICTIONARIES[language];
}
