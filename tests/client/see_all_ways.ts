/** Checks a screen in four widths and both colour schemes. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Page } from "playwright-core";
import { violationsOf } from "./axe_of_page.ts";

/** No axe violation, no page wider than the window, no cut number. */
export async function seeAllWays(page: Page): Promise<void> {
  for (const width of [1440, 1280, 768, 390]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      assertEquals([width, colorScheme, await violationsOf(page)], [width, colorScheme, []]);
      const tooWide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      assertEquals([width, tooWide], [width, 0]);
      assertEquals([width, await cutNumbers(page)], [width, []]);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Returns the numbers that are cut off or broken into two lines. */
async function cutNumbers(page: Page): Promise<string[]> {
  return await page.locator("td.number, .shop-index b, .coverage a, .figure strong, .badge")
    .evaluateAll(
      (all) =>
        all.filter((one) =>
          one.scrollWidth > one.clientWidth + 1 ||
          one.getClientRects().length > 1
        ).map(({ textContent }) => textContent ?? ""),
    );
}
