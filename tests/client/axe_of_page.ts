/** What axe-core has against a page, by the rules of those who cannot see or point as others do. */
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
  /** Looked at without a verdict, such as colours behind an open dialog. */
  readonly incomplete: readonly unknown[];
}

/** What another colour scheme may change. */
export const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** What axe-core calls serious or worse, by all of its rules or by those that are named. */
export async function violationsOf(page: Page, rules: readonly string[] = []): Promise<string[]> {
  // Half a megabyte, for the first look at a page alone.
  if (await page.evaluate("window.axe === undefined")) {
    // Through the protocol: the policy of the page lets nobody add a script to it.
    await page.evaluate(axe.source);
  }
  const options = {
    // Nodes of the other verdicts are told one by one otherwise, which takes as long as the rest.
    resultTypes: ["violations"],
    ...(rules.length > 0 && { runOnly: { type: "rule", values: rules } }),
  };
  const { violations, passes, incomplete } = await page.evaluate<AxeResult>(
    `axe.run(${JSON.stringify(options)})`,
  );
  // Behind an open dialog the colours alone are looked at without a verdict.
  const isJudged = rules.length === 0
    ? passes.length > 5
    : passes.length + violations.length + incomplete.length > 0;
  ok(isJudged, `${page.url()} was hardly judged`);
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}
