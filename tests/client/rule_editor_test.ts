import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { addProduct, push } from "../rules/evaluation/market.ts";
import { until } from "../patience.ts";
import { follow, onScreen } from "./browser.ts";

/** One step of a person in the editor, such as filling a field or ticking a box. */
type Action = (page: Page) => Promise<unknown>;

const fill = (label: string, text: string): Action => (page) =>
  page.getByLabel(label, { exact: true }).first().fill(text);
const choose = (label: string, option: string): Action => (page) =>
  page.getByLabel(label, { exact: true }).selectOption({ label: option });
const tick = (label: string): Action => (page) => page.getByLabel(label, { exact: true }).check();
const button = (name: string): Action => (page) =>
  page.getByRole("button", { name, exact: true }).click();

interface Made {
  readonly name: string;
  readonly actions: readonly Action[];
  /** Expected values by path in the stored rule. */
  readonly terms: (ids: Readonly<Record<string, string>>) => Record<string, unknown>;
}

const ACTIONS_MAX = 10;

const RULES: readonly Made[] = [
  {
    name: "Drei Shops",
    actions: [
      button("allen Angeboten"),
      (page) => page.locator("details.picker summary").first().click(),
      (page) => page.getByRole("checkbox", { name: "acme.example" }).first().click(),
      (page) => page.getByRole("checkbox", { name: "bravo.example" }).first().click(),
      (page) => page.getByRole("checkbox", { name: "cebra.example" }).first().click(),
      fill("Abstand (− = darunter)", "-1"),
      fill("Endungen", "99"),
      fill("nie unter Einkauf + … %", "8"),
    ],
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
      choose("Einheit", "EUR"),
      choose("Rundung", "auf"),
      fill("Endungen", "990"),
      button("Preis lassen"),
      choose("ohne Wettbewerber", "Einkauf"),
      fill("Aufschlag in % (− = Abschlag)", "35"),
    ],
    terms: () => ({
      "actions.0.price.adjust": { pct: null, cents: -100 },
      "actions.0.price.rounding": { to: "up", ranges: [{ belowCents: null, endings: ["990"] }] },
      "actions.0.price.fallback": { kind: "cost", pct: 35 },
    }),
  },
  {
    name: "Wie Bravo",
    actions: [
      button("alle Produkte"),
      choose("Produkte", "Produkte mit diesen Merkmalen"),
      fill("Wert", "Sony"),
      choose("Bezugspreis", "ein Wettbewerber"),
      choose("Shop", "bravo.example"),
      button("Vorrang, Ruhezeit, Notiz"),
      fill("Ruhezeit", "2"),
      choose("Einheit der Ruhezeit", "Stunden"),
    ],
    terms: ({ bravo }) => ({
      "scope.matches": { brand: ["Sony"] },
      "actions.0.price.reference.competitorId": bravo,
      cooldownMinutes: 120,
    }),
  },
  {
    name: "Glatt ab 50 Euro",
    actions: [
      choose("Rundung", "zum nächsten"),
      button("Andere Endungen bis zu einem Preis"),
      fill("bis zum Preis", "50"),
      fill("Endungen", "99"),
      (page) => page.getByLabel("Endungen", { exact: true }).nth(1).fill("00"),
      fill("Änderungen unter … % lassen", "1"),
    ],
    terms: () => ({
      "actions.0.price.rounding.ranges": [
        { belowCents: 5_000, endings: ["99"] },
        { belowCents: null, endings: ["00"] },
      ],
      "actions.0.price.deadbandPct": 1,
    }),
  },
  {
    name: "Neu und geliefert",
    actions: [
      button("allen Angeboten"),
      tick("nur im gleichen Zustand"),
      tick("nur das gleiche Produkt"),
      tick("mit Versand"),
      choose("Marktplatz-Händler", "ohne sie"),
      fill("mindestens … Wettbewerber", "3"),
      choose("Bezugspreis", "n-günstigster"),
      choose("Richtung", "nur anheben"),
    ],
    terms: () => ({
      "when.minCompetitors": 3,
      "actions.0.price.reference": { kind: "nth", nth: 2, competitorId: null },
      "actions.0.price.direction": "raise",
      "when.sameCondition": true,
      "when.exactOnly": true,
      "when.withShipping": true,
      "when.marketplaces": "without",
    }),
  },
];

function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((one, key) => Reflect.get(Object(one), key), value);
}

onScreen.test("each part of the sentence opens its field, and groups are ticked by name", async ({ app, browser }) => {
  await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 90]]);
  const { items: [shop] } = await app.owner.read("/api/competitors");
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });

  // Groups are edited on the shop's page.
  await page.goto(`/competitors/${shop.id}`);
  await page.getByRole("button", { name: "Einstellungen", exact: true }).click();
  await page.getByLabel("Gruppen").fill("Online; Große Ketten");
  await page.getByLabel("Marktplatz").check();
  await page.getByLabel("Verkauft selbst als").fill("Acme GmbH, Berlin; Acme");
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("Gespeichert", { exact: true }).first().waitFor();
  const stored = await app.owner.read(`/api/competitors/${shop.id}`);
  const facts = [stored.groups, stored.isMarketplace, stored.sellerNames];
  assertEquals(facts, [["Online", "Große Ketten"], true, ["Acme GmbH, Berlin", "Acme"]]);

  const made = await app.owner.create("/api/rules", {
    name: "Knöpfe",
    when: { trigger: "market_index", always: true, withShipping: true },
    scope: { mode: "all" },
    bounds: { maxMovePct: 7, maxCents: 5_000 },
    actions: [{
      type: "propose_price",
      price: { adjust: { pct: -1 }, fallback: { kind: "cost", pct: 35 } },
    }],
  });
  await follow(page, `/rules/${made.id}`);
  const pieces: readonly (readonly [piece: string, field: string])[] = [
    ["mit Versand", "when.withShipping"],
    ["1 % unter", "actions.0.price.adjust"],
    ["dem Günstigsten", "actions.0.price.reference.kind"],
    ["alle Produkte", "scope.mode"],
    ["höchstens 7 % auf einmal", "bounds.maxMovePct"],
    ["nie über 50,00 €", "bounds.maxCents"],
    ["sonst den Einkaufspreis + 35 %", "actions.0.price.fallback"],
    ["Vorrang, Ruhezeit, Notiz", "priority"],
  ];
  for (const [piece, field] of pieces) {
    await page.getByRole("button", { name: piece }).first().click();
    await page.locator(`[name="${field}"]:focus`).waitFor();
  }
  // A second click on the same part closes the fields.
  await page.getByRole("button", { name: "Vorrang, Ruhezeit, Notiz" }).click();
  await page.locator('[name="priority"]').waitFor({ state: "detached" });

  await page.locator('[data-name="when.groups"]').click();
  await page.getByRole("checkbox", { name: "Große Ketten" }).first().check();
  await page.getByText("Bei jeder Prüfung (von Gruppe Große Ketten, mit Versand)").waitFor();
  await page.getByRole("button", { name: "Speichern" }).click();
  const read = async () => (await app.owner.read(`/api/rules/${made.id}`)).when;
  await until("the group is stored", async () => (await read()).groups.join() === "Große Ketten");
  assertEquals((await read()).withShipping, true);
});

onScreen.test("rules for a price goal take at most ten actions each, and are shown as the sentence of the service", async ({ app, browser }) => {
  await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 90], ["A", "bravo", 92], ["A", "cebra", 95]]);
  const { items } = await app.owner.read("/api/competitors");
  const ids = Object.fromEntries(
    items.map(({ domain, id }: { domain: string; id: string }) => [domain.split(".")[0], id]),
  );
  const page = await browser.open(app, "/rules");
  for (const { name, actions, terms } of RULES) {
    const all = [...actions, fill("Name der Regel", name), button("Speichern")];
    ok(all.length <= ACTIONS_MAX, `${name} takes ${all.length} actions`);
    await follow(page, "/rules/new");
    for (const act of all) await act(page);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    if (name === "Drei Shops") {
      await page.getByText("Angebote, die zählen: 3; Produkte mit genug davon: 1").waitFor();
      await page.getByText("Preise, die sich ändern: 1").waitFor();
      const marks = page.locator(".clause-count > [aria-hidden]");
      assertEquals(
        await marks.allTextContents(),
        ["1 Produkt", "1 davon mit genug Angeboten", "1 löst aus", "1 Preis ändert sich"],
      );
    }
    const shown = await page.locator(".rule-sentence").textContent();
    const rules = await app.owner.read("/api/rules");
    const rule = rules.find((one: { name: string }) => one.name === name);
    assertEquals(shown, rule.sentence.de);
    for (const [path, value] of Object.entries(terms(ids))) {
      assertEquals([name, path, at(rule, path)], [name, path, value]);
    }
  }
});
