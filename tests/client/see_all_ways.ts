import axe from "axe-core";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { IS_LONG } from "../proof.ts";

const WIDTHS = [1440, 1280, 1024, 768, 600, 390];
/** Short test runs check accessibility only in the widest and in the narrowest window. */
const JUDGED_WIDTHS = IS_LONG ? WIDTHS : [1440, 390];

const CUT_NUMBERS = `[...document.querySelectorAll(
  ".number, .shop-index b, .coverage a, .figure, .figure strong, .badge, main dd"
)].filter((one) =>
  getComputedStyle(one).display === "inline"
    ? one.getClientRects().length > 1
    : one.scrollWidth > one.clientWidth + 1
).map(({ textContent }) => textContent)`;

/** How many pixels of content do not fit into the window or into `main`. */
export const TOO_WIDE = `Math.max(...[...document.querySelectorAll("html, main")]
  .map((one) => one.scrollWidth - one.clientWidth))`;

/** Returns the texts of elements whose content is wider than they are. */
export async function cutIn(elements: Locator, slackPx = 0): Promise<(string | null)[]> {
  await elements.first().waitFor({ state: "attached" });
  return await elements.evaluateAll(
    (all, slackPx) =>
      all.filter((one) => one.scrollWidth > one.clientWidth + slackPx)
        .map((one) => one.textContent),
    slackPx,
  );
}

/** Tables adapt their columns one frame after a change of the width. */
const RENDERED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

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

declare global {
  /** Text sizes and colours whose contrast has been checked since the page was loaded. */
  var judgedColours: Set<string> | undefined;
}

interface Verdicts {
  readonly violations: readonly string[];
  readonly isJudged: boolean;
}

/**
 * The browser runs this function in the page, where `axe` is global. Contrast takes half of the
 * time, so each combination of text size and colours is checked only once.
 */
async function judge(): Promise<Verdicts> {
  const judged = globalThis.judgedColours ??= new Set();
  const CONTRAST = "color-contrast";
  const CHOSEN = "data-judge-contrast";
  const shown = document.querySelector("dialog:modal") ?? document.body;
  const texts = [...shown.querySelectorAll("*")].filter((element) =>
    (element.matches("input, select, textarea") ||
      [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim())) &&
    element.checkVisibility({ visibilityProperty: true })
  );
  const known = new Map<Element, string>();
  const coloursBehind = (element: Element): string => {
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
    const own = `${backgroundColor},${backgroundImage},${opacity};`
      .replace("rgba(0, 0, 0, 0),none,1;", "");
    const parent = own.startsWith("rgb(") ? null : element.parentElement;
    const all = own + (parent === null ? "" : known.get(parent) ?? coloursBehind(parent));
    known.set(element, all);
    return all;
  };
  /** Marks one text for each combination of size and colours that is not checked yet. */
  const choose = (among: readonly Element[]) => {
    known.clear();
    const chosen = new Map<string, Element>();
    for (const text of among) {
      const { color, fontSize, fontWeight } = getComputedStyle(text);
      const isLarge = parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.5 : 24);
      const colours = `${isLarge},${color};${coloursBehind(text)}`;
      if (!judged.has(colours)) chosen.set(colours, text);
    }
    for (const text of chosen.values()) text.setAttribute(CHOSEN, "");
    return chosen;
  };
  const forget = (chosen: Map<string, Element>, undecided: Set<Element | undefined>) => {
    for (const [colours, text] of chosen) {
      text.removeAttribute(CHOSEN);
      if (!undecided.has(text)) judged.add(colours);
    }
  };
  axe.configure({ rules: [{ id: CONTRAST, selector: `[${CHOSEN}]` }] });
  const options: axe.RunOptions = {
    // For other result types, axe lists one element per rule, because all would double the time.
    resultTypes: ["violations", "incomplete"],
    elementRef: true,
  };
  const inLight = choose(texts);
  const { violations, passes, incomplete } = await axe.run(document, options);
  const undecided = new Set<Element | undefined>(
    incomplete.filter(({ id }) => id === CONTRAST).flatMap(({ nodes }) => nodes)
      .map(({ element }) => element),
  );
  forget(inLight, undecided);
  document.documentElement.style.colorScheme = "dark";
  const inDark = choose(texts.filter((text) => !undecided.has(text)));
  if (inDark.size > 0) {
    const dark = await axe.run(document, { ...options, runOnly: CONTRAST });
    violations.push(...dark.violations);
  }
  forget(inDark, new Set());
  document.documentElement.style.colorScheme = "";
  return {
    violations: violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`),
    isJudged: passes.length > 5 && texts.length > 0,
  };
}

/** Returns violations that axe rates `serious` or `critical`, in light and dark colours. */
export async function violationsOf(page: Page): Promise<string[]> {
  // The script is large (0.5 MB), so it is loaded only once per page.
  if (await page.evaluate("window.axe === undefined")) {
    // `evaluate` works although the page's policy forbids script elements.
    await page.evaluate(axe.source);
  }
  const { violations, isJudged } = await page.evaluate(judge);
  assertEquals([page.url(), isJudged], [page.url(), true], "the page was hardly judged");
  return [...violations];
}
