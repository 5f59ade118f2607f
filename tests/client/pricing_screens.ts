/** Rules and proposals for tests that look at every screen. */
import type { Page } from "playwright-core";
import { addRule, decideOnce, push, untilJudged } from "../rules/evaluation/market.ts";
import type { TestApp } from "../harness.ts";
import { hostileTitles } from "./hostile_titles.ts";

const openDetails = async (page: Page) => {
  const closed = page.locator("button.piece[aria-expanded=false]");
  while (await closed.count() > 0) await closed.first().click();
  await page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)");
};

const rejectWithReason = async (page: Page) => {
  await page.keyboard.press("j");
  if (await page.locator(".decide-buttons").count() === 0) await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Mit Grund ablehnen …" }).click();
  await page.locator(".decide [aria-pressed=true]").waitFor();
};

/** Gives product `X-0` a rule and a proposal. The rule's name and description are hostile texts. */
export async function fillPricing(app: TestApp, productId: string) {
  const [name = ""] = hostileTitles();
  const scope = { mode: "attribute", matches: { brand: [name] } };
  const ruleId = await addRule(app.owner, { name, description: name, scope });
  await push(app, [["X-0", "acme", 9.5]]);
  await untilJudged(app);
  await decideOnce(app);
  return [
    { path: "/rules", sign: "tbody tr.opens" },
    { path: "/rules/new?template=follow", sign: ".sum-bar", act: openDetails },
    { path: "/rules/new", sign: ".sum-bar", act: openDetails },
    { path: `/rules/${ruleId}`, sign: ".sum-bar", act: openDetails },
    { path: "/proposals", sign: "tbody tr.opens" },
    { path: "/proposals", sign: "tbody tr.opens", act: (page: Page) => page.keyboard.press("j") },
    { path: "/proposals", sign: "tbody tr.opens", act: rejectWithReason },
    { path: "/proposals?status=rejected", sign: ".empty" },
    { path: `/products/${productId}`, sign: ".verdict", act: openDetails },
  ];
}
