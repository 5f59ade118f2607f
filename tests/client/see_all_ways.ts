/** Checks a screen in four widths, each in one of the colour schemes. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Page } from "playwright-core";
import { violationsOf } from "./axe_of_page.ts";

const WAYS = [[1440, "light"], [1280, "dark"], [768, "light"], [390, "dark"]] as const;

/** The numbers that are cut off or broken into two lines. */
const CUT_NUMBERS = `[...document.querySelectorAll(
  ".number, .shop-index b, .coverage a, .figure, .figure strong, .badge, main dd"
)].filter((one) =>
  getComputedStyle(one).display === "inline"
    ? one.getClientRects().length > 1
    : one.scrollWidth > one.clientWidth + 1
).map(({ textContent }) => textContent)`;

/** No axe violation, no page wider than the window, no cut number. */
export async function seeAllWays(page: Page): Promise<void> {
  for (const [width, colorScheme] of WAYS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    assertEquals([width, colorScheme, await violationsOf(page)], [width, colorScheme, []]);
    const tooWide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    assertEquals([width, tooWide], [width, 0]);
    assertEquals([width, await page.evaluate(CUT_NUMBERS)], [width, []]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
