import { deepStrictEqual as assertEquals } from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";

declare global {
  /** The colours that axe has judged since the page was loaded. */
  var judgedColours: Set<string> | undefined;
}

interface Verdicts {
  /** Violations of impact `serious` or `critical`. */
  readonly violations: readonly string[];
  readonly isJudged: boolean;
}

/**
 * Runs in the page, where `axe` is a global variable. All rules judge the page as it is shown. The
 * contrast takes axe as long as all other rules together. So it is judged once for each combination
 * of the colours of a text and its background, in both colour schemes.
 */
async function judge(): Promise<Verdicts> {
  const judged = globalThis.judgedColours ??= new Set();
  const CONTRAST = "color-contrast";
  const CHOSEN = "data-judge-contrast";
  // Behind a dialog, axe gives no verdict on colours.
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
  /** For each combination of colours that is not judged yet, marks one text. */
  const choose = (among: readonly Element[]) => {
    known.clear();
    const chosen = new Map<string, Element>();
    for (const text of among) {
      const { color, fontSize, fontWeight } = getComputedStyle(text);
      // Large texts need less contrast.
      const isLarge = parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.5 : 24);
      const colours = `${isLarge},${color};${coloursBehind(text)}`;
      if (!judged.has(colours)) chosen.set(colours, text);
    }
    for (const text of chosen.values()) text.setAttribute(CHOSEN, "");
    return chosen;
  };
  const forget = (
    chosen: ReadonlyMap<string, Element>,
    undecided: ReadonlySet<Element | undefined>,
  ) => {
    for (const [colours, text] of chosen) {
      text.removeAttribute(CHOSEN);
      if (!undecided.has(text)) judged.add(colours);
    }
  };
  axe.configure({ rules: [{ id: CONTRAST, selector: `[${CHOSEN}]` }] });
  const options: axe.RunOptions = {
    // Reporting the nodes of other verdicts would double the time.
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

/** Violations of impact `serious` or `critical`. The contrast is judged in light and dark. */
export async function violationsOf(page: Page): Promise<string[]> {
  // The script has half a megabyte, so it is injected only once per page.
  if (await page.evaluate("window.axe === undefined")) {
    // Evaluated by the browser's protocol, because the page's policy forbids added script elements.
    await page.evaluate(axe.source);
  }
  const { violations, isJudged } = await page.evaluate(judge);
  assertEquals([page.url(), isJudged], [page.url(), true], "the page was hardly judged");
  return [...violations];
}
