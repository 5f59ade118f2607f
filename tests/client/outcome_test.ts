import { match } from "node:assert/strict";
import { learntRule } from "../rules/evaluation/learnt_rule.ts";
import { propose, untilJudged } from "../rules/evaluation/market.ts";
import { bodyOf } from "../api/answers.ts";
import { onScreen } from "./browser.ts";

onScreen.test("a rule's page shows its results from the first day", async ({ app, browser }) => {
  const { id, ruleId } = await propose(app);
  await bodyOf(app.manager.post(`/api/proposals/${id}/approve`), 200);
  await untilJudged(app);
  const page = await browser.open(app, `/rules/${ruleId}`);
  const section = page.locator("section", {
    has: page.getByRole("heading", { name: "Was sie getan hat" }),
  });
  await section.getByText("Noch 14 Tage bis zum vollen Bild.").waitFor();
  const said = (await section.innerText()).replaceAll("\u00a0", " ");
  match(said, /Eingeschaltet seit .*\d\./);
  match(said, /Preise gesetzt\s+1\s+0 von selbst, 1 angenommen/);
  match(said, /Summe der Änderungen\s+−10,00 €\s+1 gesenkt, 0 angehoben/);
  match(said, /Stück\s+–\s+noch nichts gezählt/);
  match(said, /Ohne: 1 noch zu neu\./);
});

onScreen.test("units and margin are summed before and after a rule's prices, on a phone, too", async ({ app, browser }) => {
  const { ruleId: learnt, cookie } = await learntRule(app);
  const later = await browser.visit(app.base, { cookie, viewport: { width: 390, height: 844 } });
  await later.page.goto(`/rules/${learnt}`);
  const followed = later.page.locator("section", { hasText: "Was sie getan hat" });
  await followed.getByText("21 Preise, zusammen 42 Tage davor und danach").first().waitFor();
  const sums = (await followed.innerText()).replaceAll("\u00a0", " ");
  match(sums, /Stück\s+294 → 588/);
  match(sums, /Nettomarge\s+14\.700,00 € → 23\.520,00 €/);
});
