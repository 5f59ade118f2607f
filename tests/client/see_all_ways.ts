import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { IS_LONG } from "../proof.ts";
import { violationsOf } from "./axe_of_page.ts";

const WIDTHS = [1440, 1280, 768, 390];
/** The short form checks only the widest and the narrowest window by axe. */
const JUDGED_WIDTHS = IS_LONG ? WIDTHS : [1440, 390];

const CUT_NUMBERS = `[...document.querySelectorAll(
  ".number, .shop-index b, .coverage a, .figure, .figure strong, .badge, main dd"
)].filter((one) =>
  getComputedStyle(one).display === "inline"
    ? one.getClientRects().length > 1
    : one.scrollWidth > one.clientWidth + 1
).map(({ textContent }) => textContent)`;

/** The width in pixels by which the page exceeds the window or its own frame. */
export const TOO_WIDE = `Math.max(...[...document.querySelectorAll("html, main")]
  .map((one) => one.scrollWidth - one.clientWidth))`;

/** Texts of the elements whose content is wider than they are. Waits for the first element. */
export async function cutIn(elements: Locator, slackPx = 0): Promise<(string | null)[]> {
  await elements.first().waitFor({ state: "attached" });
  return await elements.evaluateAll(
    (all, slackPx) =>
      all.filter((one) => one.scrollWidth > one.clientWidth + slackPx)
        .map((one) => one.textContent),
    slackPx,
  );
}

/** Tables choose their columns one frame after a change of the window's width. */
const RENDERED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** Resizes the window of an open screen, which takes a fraction of the time of opening it again. */
export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(RENDERED);
}

async function requireFit(page: Page, width: number): Promise<void> {
  assertEquals([width, await page.evaluate(TOO_WIDE)], [width, 0]);
  assertEquals([width, await page.evaluate(CUT_NUMBERS)], [width, []]);
}

export async function fitsAllWays(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await resize(page, width);
    await requireFit(page, width);
  }
}

export async function seeAllWays(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await resize(page, width);
    const violations = JUDGED_WIDTHS.includes(width) ? await violationsOf(page) : [];
    assertEquals([width, violations], [width, []]);
    await requireFit(page, width);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
