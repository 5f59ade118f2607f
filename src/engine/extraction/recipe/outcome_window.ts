/** Decides by the recipe's outcomes on the last pages whether a shop seems to have changed. */
import type { RecipeOutcome } from "./use_recipe.ts";

/** One letter for each page, the newest last. */
type OutcomeWindow = string;

const WINDOW_PAGES = 20;
const SHORT_PAGES = 10;
const CLEAN_MAX = 2;
const HIT_SHARE_MIN = 0.6;
const CONTRADICTIONS_MIN = 3;
const LETTERS = { agrees: "a", contradicts: "c", alone: "h", misses: "m" } as const;

export function withOutcome(window: OutcomeWindow, kind: RecipeOutcome["kind"]): OutcomeWindow {
  return (window + LETTERS[kind]).slice(-WINDOW_PAGES);
}

/**
 * True if the share of pages with a price fell below 60 % of `usualHitRate`, or if other sources
 * contradicted the recipe on at least 3 of the last 10 pages.
 */
export function isDrifting(window: OutcomeWindow, usualHitRate: number): boolean {
  const short = window.slice(-SHORT_PAGES);
  if (countOf(short, "c") >= CONTRADICTIONS_MIN) return true;
  if (short.length < SHORT_PAGES) return false;
  return [window, short].some((pages) => {
    const hits = pages.length - countOf(pages, "m");
    return hits / pages.length < HIT_SHARE_MIN * usualHitRate;
  });
}

/**
 * False if the recipe failed on more than two of the last 10 pages, unless it also failed on more
 * than two of the 10 pages before.
 */
export function isSteady(window: OutcomeWindow): boolean {
  const before = window.slice(-WINDOW_PAGES, -SHORT_PAGES);
  return isClean(window.slice(-SHORT_PAGES)) ||
    (before.length === SHORT_PAGES && !isClean(before));
}

function isClean(window: OutcomeWindow): boolean {
  return countOf(window, "m") + countOf(window, "c") <= CLEAN_MAX;
}

function countOf(window: OutcomeWindow, letter: string): number {
  return window.split(letter).length - 1;
}
