/** Accessibility check of a page with axe-core. */
import { ok } from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

interface AxeResult {
  readonly violations: readonly Violation[];
  readonly passes: readonly unknown[];
  /** Checked without a verdict, such as colours behind an open dialog. */
  readonly incomplete: readonly unknown[];
}

/** The rules whose verdict can differ between colour schemes. */
export const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Violations of impact `serious` or `critical`; an empty `rules` means all rules. */
export async function violationsOf(page: Page, rules: readonly string[] = []): Promise<string[]> {
  // Half a megabyte: injected once per page.
  if (await page.evaluate("window.axe === undefined")) {
    // Evaluated through the protocol: the page's policy forbids added script elements.
    await page.evaluate(axe.source);
  }
  const options = {
    // Reporting the nodes of all other verdicts doubles the time.
    resultTypes: ["violations"],
    ...(rules.length > 0 && { runOnly: { type: "rule", values: rules } }),
  };
  const { violations, passes, incomplete } = await page.evaluate<AxeResult>(
    `axe.run(${JSON.stringify(options)})`,
  );
  // Behind an open dialog only colours are checked, and those without a verdict.
  const isJudged = rules.length === 0
    ? passes.length > 5
    : passes.length + violations.length + incomplete.length > 0;
  ok(isJudged, `${page.url()} was hardly judged`);
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}
