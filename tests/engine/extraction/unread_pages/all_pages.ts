/** All unread pages. */
import { KINDS, type MadePage } from "../made_pages/made_page.ts";
import { BARE } from "./bare.ts";
import { FORMER } from "./former.ts";
import { NOISY_ABROAD } from "./noisy_abroad.ts";
import { NOISY_GERMAN } from "./noisy_german.ts";
import { unreadPages } from "./unread_page.ts";
import { VARIANTS } from "./variants.ts";
import { VETOES } from "./vetoes.ts";
import { WORDS } from "./words.ts";

export const UNREAD_PAGES: readonly MadePage[] = [
  ...unreadPages("variants", VARIANTS),
  ...unreadPages("vetoes", VETOES),
  ...unreadPages("words", WORDS),
  ...unreadPages("bare", BARE),
  ...unreadPages("former", FORMER),
];

export const NOISY_PAGES: readonly MadePage[] = KINDS.flatMap((kind) =>
  unreadPages(kind, [...NOISY_GERMAN[kind], ...NOISY_ABROAD[kind]])
);
