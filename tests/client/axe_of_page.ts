/** Accessibility check of a page with axe-core. */
import { ok } from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";

interface Verdicts {
  /** Violations of impact `serious` or `critical`. */
  readonly violations: readonly string[];
  readonly violated: number;
  readonly passed: number;
  /** Number of rules without a verdict, such as colours behind an open dialog. */
  readonly undecided: number;
}

/** The rules whose verdict can differ between colour schemes. */
export const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Violations of impact `serious` or `critical`; an empty `rules` means all rules. */
export async function violationsOf(page: Page, rules: readonly string[] = []): Promise<string[]> {
  // The script has half a megabyte, so it is injected only once per page.
  if (await page.evaluate("window.axe === undefined")) {
    // Evaluated by the browser's protocol, because the page's policy forbids added script elements.
    await page.evaluate(axe.source);
  }
  const options = {
    // Reporting the nodes of other verdicts would double the time.
    resultTypes: ["violations"],
    ...(rules.length > 0 && { runOnly: { type: "rule", values: rules } }),
  };
  // The page counts the verdicts, because all verdicts with their nodes have half a megabyte.
  const { violations, violated, passed, undecided } = await page.evaluate<Verdicts>(
    `axe.run(${JSON.stringify(options)}).then(({ violations, passes, incomplete }) => ({
      violations: violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 200)),
      violated: violations.length,
      passed: passes.length,
      undecided: incomplete.length,
    }))`,
  );
  // Behind an open dialog, only colours are checked, and axe gives no verdict on them.
  const isJudged = rules.length === 0 ? passed > 5 : passed + violated + undecided > 0;
  ok(isJudged, `${page.url()} was hardly judged`);
  return [...violations];
}
