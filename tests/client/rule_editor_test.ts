/** Rules that aim at a price are made in the editor, each in a few actions, and told back in a sentence. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { bodyOf } from "../api/answers.ts";
import { addProduct, push } from "../evaluation/market.ts";
import { startTestApp } from "../harness.ts";
import { browserTest } from "./browser.ts";

/** What a person does on the way to one rule: each fills, chooses, opens or ticks one thing. */
type Action = (page: Page) => Promise<unknown>;

const fill = (label: string, text: string): Action => (page) =>
  page.getByLabel(label, { exact: true }).first().fill(text);
const choose = (label: string, option: string): Action => (page) =>
  page.getByLabel(label, { exact: true }).selectOption({ label: option });
const click = (text: string): Action => (page) => page.getByText(text, { exact: true }).click();
const button = (name: string): Action => (page) =>
  page.getByRole("button", { name, exact: true }).click();

interface Made {
  readonly name: string;
  readonly actions: readonly Action[];
  readonly sentence: string;
  /** What of the stored rule says it. */
  readonly terms: (ids: Readonly<Record<string, string>>) => Record<string, unknown>;
}

const ACTIONS_MAX = 10;

const RULES: readonly Made[] = [
  {
    name: "Drei Shops",
    actions: [
      click("Welche Angebote zählen"),
      (page) => page.locator("details.picker summary").first().click(),
      (page) => page.getByRole("checkbox", { name: "acme.example" }).first().click(),
      (page) => page.getByRole("checkbox", { name: "bravo.example" }).first().click(),
      (page) => page.getByRole("checkbox", { name: "cebra.example" }).first().click(),
      fill("Abstand (− = darunter)", "-1"),
      fill("Endungen", "99"),
      fill("nie unter Einkauf + … %", "8"),
    ],
    sentence:
      "Bei jeder Prüfung (von acme.example, bravo.example, cebra.example): schlage 1 % unter dem Günstigsten, ab …,99 vor – für alle Produkte, nie unter Einkauf + 8 %.",
    terms: ({ acme, bravo, cebra }) => ({
      "when.always": true,
      "when.competitorIds": [acme, bravo, cebra],
      "actions.0.price.adjust": { pct: -1, cents: null },
      "actions.0.price.rounding": { to: "down", ranges: [{ belowCents: null, endings: ["99"] }] },
      "bounds.markupPct": 8,
    }),
  },
  {
    name: "Nachziehen",
    actions: [
      choose("Auslöser", "ein Wettbewerber günstiger ist"),
      fill("um mindestens … %", "2"),
      button("oder wenn …"),
      (page) => page.getByLabel("um mindestens … %", { exact: true }).nth(1).fill("2"),
      fill("höchstens … % auf einmal", "7"),
      fill("höchstens … × am Tag", "1"),
      fill("höchstens … % über UVP", "0"),
    ],
    sentence:
      "Wenn der günstigste Wettbewerber mindestens 2 % günstiger ist als wir, oder wenn der günstigste Wettbewerber mindestens 2 % teurer ist als wir, dann schlage wie Günstigster vor – für alle Produkte, nie über UVP (falls da), höchstens 7 % auf einmal, höchstens 1 × täglich.",
    terms: () => ({
      "when.trigger": "competitor_undercut",
      "when.or": [{ trigger: "competitor_overcut", competitorDeltaPct: 2 }],
      "bounds.maxMovePct": 7,
      "bounds.maxMovesPerDay": 1,
      "bounds.aboveTargetPct": 0,
    }),
  },
  {
    name: "Ohne Wettbewerber",
    actions: [
      fill("Abstand (− = darunter)", "-1"),
      choose("in", "EUR"),
      choose("Rundung", "auf"),
      fill("Endungen", "990"),
      choose("ohne Wettbewerber", "Einkauf"),
      fill("Aufschlag in % (− = Abschlag)", "35"),
    ],
    sentence:
      "Bei jeder Prüfung: schlage 1,00 € unter dem Günstigsten, auf …9,90, sonst Einkauf + 35 % vor – für alle Produkte.",
    terms: () => ({
      "actions.0.price.adjust": { pct: null, cents: -100 },
      "actions.0.price.rounding": { to: "up", ranges: [{ belowCents: null, endings: ["990"] }] },
      "actions.0.price.fallback": { kind: "cost", pct: 35 },
    }),
  },
];

function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((one, key) => Reflect.get(Object(one), key), value);
}

browserTest(
  "rules that aim at a price are made in at most ten actions each, and told back in one sentence",
  async (browser) => {
    await using app = await startTestApp();
    await addProduct(app.owner, "A");
    await push(app, [["A", "acme", 90], ["A", "bravo", 92], ["A", "cebra", 95]]);
    const { items } = await bodyOf(app.owner.get("/api/competitors"), 200);
    const ids = Object.fromEntries(
      items.map(({ domain, id }: { domain: string; id: string }) => [domain.split(".")[0], id]),
    );
    const { page, complaints } = await browser.visit(app.base, { cookie: app.ownerCookie });
    for (const { name, actions, sentence, terms } of RULES) {
      const all = [...actions, fill("Name der Regel", name), button("Speichern")];
      ok(all.length <= ACTIONS_MAX, `${name} takes ${all.length} actions`);
      await page.goto("/rules/new");
      for (const act of all) await act(page);
      await page.getByRole("heading", { level: 1, name }).waitFor();
      const shown = (await page.locator(".rule-sentence").textContent() ?? "")
        .replaceAll("\u00a0", " ");
      assertEquals(shown, sentence);
      const rules = await bodyOf(app.owner.get("/api/rules"), 200);
      const rule = rules.find((one: { name: string }) => one.name === name);
      assertEquals(rule.sentence.de.replaceAll("\u00a0", " "), sentence);
      for (const [path, value] of Object.entries(terms(ids))) {
        assertEquals([name, path, at(rule, path)], [name, path, value]);
      }
    }
    assertEquals(complaints, []);
  },
);
