/** Checks a screen in four widths, each in one of the colour schemes. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Page } from "playwright-core";
import { IS_LONG } from "../proof.ts";
import { COLOUR_RULES, violationsOf } from "./axe_of_page.ts";

/**
 * The short form checks the widest and the narrowest window by all rules. A dark window is checked
 * only for colours, and a tablet only for layout.
 */
const WAYS: readonly {
  readonly width: number;
  readonly colorScheme: "light" | "dark";
  readonly rules: readonly string[] | null;
}[] = [
  { width: 1440, colorScheme: "light", rules: [] },
  { width: 1280, colorScheme: "dark", rules: IS_LONG ? [] : COLOUR_RULES },
  { width: 768, colorScheme: "light", rules: IS_LONG ? [] : null },
  { width: 390, colorScheme: "dark", rules: [] },
];

/** The numbers that are cut off or broken into two lines. */
const CUT_NUMBERS = `[...document.querySelectorAll(
  ".number, .shop-index b, .coverage a, .figure, .figure strong, .badge, main dd"
)].filter((one) =>
  getComputedStyle(one).display === "inline"
    ? one.getClientRects().length > 1
    : one.scrollWidth > one.clientWidth + 1
).map(({ textContent }) => textContent)`;

/** Tables choose their columns one frame after a change of the window's width. */
const RENDERED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** Resizes the window of an open screen, which takes a fraction of the time of opening it again. */
export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(RENDERED);
}

async function requireFit(page: Page, width: number): Promise<void> {
  const tooWide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  assertEquals([width, tooWide], [width, 0]);
  assertEquals([width, await page.evaluate(CUT_NUMBERS)], [width, []]);
}

/** No page is wider than the window, and no number is cut. Other tests check the screens by axe. */
export async function fitsAllWays(page: Page): Promise<void> {
  for (const { width } of WAYS) {
    await resize(page, width);
    await requireFit(page, width);
  }
}

/** Requires that axe finds no violation, no page is wider than the window, and no number is cut. */
export async function seeAllWays(page: Page): Promise<void> {
  for (const { width, colorScheme, rules } of WAYS) {
    await page.emulateMedia({ colorScheme });
    await resize(page, width);
    const violations = rules === null ? [] : await violationsOf(page, rules);
    assertEquals([width, colorScheme, violations], [width, colorScheme, []]);
    await requireFit(page, width);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
