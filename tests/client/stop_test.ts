import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import { addRule } from "../rules/evaluation/market.ts";
import { onScreen } from "./browser.ts";

const AUTO = {
  marginFloor: { pct: 10 },
  actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 20 }],
};

onScreen.test("all automatic prices are stopped with a reason, every screen says so, and they resume", async ({ app, browser }) => {
  await addRule(app.owner, AUTO);
  const page = await browser.open(app, "/rules");
  await page.getByRole("link", { name: "Regel anlegen" }).waitFor();
  assertEquals(await page.getByRole("button", { name: "Automatik stoppen" }).count(), 0);
  await bodyOf(app.owner.patch("/api/settings", { autoApply: true }), 200);
  await page.reload();
  await page.getByRole("button", { name: "Automatik stoppen" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Eine Regel setzt Preise selbst, in den letzten 24 Stunden 0 Preise.")
    .waitFor();
  await dialog.getByLabel("Warum? Das sehen alle").fill("Preiskampf mit Acme");
  await dialog.getByRole("button", { name: "Alle automatischen Preise stoppen" }).click();
  const banner = page.getByRole("region", { name: "Alle automatischen Preise sind gestoppt" });
  match(await banner.innerText(), /Seit .* durch .*: Preiskampf mit Acme/);
  await page.getByRole("button", { name: "Automatik stoppen" }).waitFor({ state: "detached" });
  const settings = await bodyOf(app.owner.get("/api/settings"), 200);
  assertEquals(settings.automationStop.reason, "Preiskampf mit Acme");
  await page.goto("/products");
  await banner.getByRole("button", { name: "Wieder laufen lassen" }).click();
  await banner.waitFor({ state: "detached" });
  assertEquals((await bodyOf(app.owner.get("/api/settings"), 200)).automationStop, null);
});
