import type { Language } from "../../base/codes.ts";
import { catalogueWords } from "./catalogue_words.ts";
import { auditWords, causeWords, watchWords } from "./watch_words.ts";
import { discoveryWords, linkWords } from "./link_words.ts";
import { findingWords, mappingWords, profileWords } from "./profile_words.ts";
import { generalWords } from "./general_words.ts";
import { importSourceWords } from "./import_source_words.ts";
import { codes, type In, textsIn } from "./label.ts";
import { marketWords } from "./market_words.ts";
import { positionWords } from "./position_words.ts";
import { importWords } from "./import_words.ts";
import { firstHourWords, overviewWords } from "./overview_words.ts";
import { proposalWords } from "./proposal_words.ts";
import { ruleTermWords } from "./rule_effect_words.ts";
import { ruleWords } from "./rule_words.ts";
import { repairWords } from "./repair_words.ts";
import { runWords, shopWords } from "./shop_words.ts";
import { securityWords, workspaceWords } from "./workspace_words.ts";

const WORDS = {
  codes,
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
  ...auditWords,
  ...importWords,
  ...overviewWords,
  ...profileWords,
  ...proposalWords,
  ...ruleTermWords,
  ...ruleWords,
  ...repairWords,
  ...runWords,
  ...securityWords,
  ...shopWords,
  ...firstHourWords,
  ...watchWords,
  ...workspaceWords,
};

export type Words = In<typeof WORDS>;

export function wordsOf(language: Language, numberText: (value: number) => string): Words {
  return textsIn(WORDS, language, numberText);
}
