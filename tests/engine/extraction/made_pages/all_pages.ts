/** All made pages. */
import { BARE } from "./bare.ts";
import { FORMER } from "./former.ts";
import { type MadePage, pagesOf } from "./made_page.ts";
import { VARIANTS } from "./variants.ts";
import { VETOES } from "./vetoes.ts";
import { WORDS } from "./words.ts";
import { MORE_BARE } from "./more_bare.ts";
import { MORE_FORMER } from "./more_former.ts";
import { MORE_VARIANTS } from "./more_variants.ts";
import { MORE_VETOES } from "./more_vetoes.ts";
import { MORE_WORDS } from "./more_words.ts";

export const MADE_PAGES: readonly MadePage[] = [
  ...pagesOf("variants", VARIANTS),
  ...pagesOf("vetoes", VETOES),
  ...pagesOf("words", WORDS),
  ...pagesOf("bare", BARE),
  ...pagesOf("former", FORMER),
];

/** Of templates that the readers were not developed on. */
export const MORE_MADE_PAGES: readonly MadePage[] = [
  ...pagesOf("variants", MORE_VARIANTS),
  ...pagesOf("vetoes", MORE_VETOES),
  ...pagesOf("words", MORE_WORDS),
  ...pagesOf("bare", MORE_BARE),
  ...pagesOf("former", MORE_FORMER),
];
