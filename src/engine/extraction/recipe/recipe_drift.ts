/** Notices that a shop has changed so that its recipe no longer finds the price. */
import type { RecipeOutcome } from "./use_recipe.ts";

/** What came of the last pages, the newest last: a letter each. */
export type OutcomeWindow = string;

/** How many pages a window holds. */
export const WINDOW_PAGES = 20;
const SHORT_PAGES = 10;
const CLEAN_MAX = 2;
const HIT_SHARE_MIN = 0.6;
const CONTRADICTIONS_MIN = 3;

const LETTERS = { agrees: "a", contradicts: "c", alone: "h", misses: "m" } as const;

/** The window with one more page. */
export function withOutcome(window: OutcomeWindow, kind: RecipeOutcome["kind"]): OutcomeWindow {
  return (window + LETTERS[kind]).slice(-WINDOW_PAGES);
}

/**
 * True when fewer than 60 % as many pages as usual had the price where the recipe says, of the last 20
 * or of the last 10; or when other sources said something else on 3 of the last 10.
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

/** True when nothing seems to have changed: few of the last 10 pages were amiss, or as many before. */
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
