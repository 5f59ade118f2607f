import fc from "fast-check";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { addProduct, addRule, propose, push, untilJudged } from "../rules/evaluation/market.ts";
import { until } from "../patience.ts";
import { follow, onScreen } from "./browser.ts";
import { learntRule } from "../rules/evaluation/learnt_rule.ts";
import { countOwners, FLOOR, threeRules } from "../rules/evaluation/owned_prices.ts";
import { cutIn, resize, TOO_WIDE } from "./see_all_ways.ts";
import {
  bodyOf,
  cooldownBody,
  cooldownDraftOf,
  draftOf,
} from "../../src/client/pages/rules/rule_draft.ts";
import { listActions, listTriggers, NewRule } from "../../src/engine/pricing/rule.ts";
import { randomRules } from "../engine/random_rule.ts";

type Action = (page: Page) => Promise<unknown>;

const fill = (label: string, text: string): Action => (page) =>
  page.getByLabel(label, { exact: true }).first().fill(text);
const choose = (label: string, option: string): Action => (page) =>
  page.getByLabel(label, { exact: true }).selectOption({ label: option });
const button = (name: string): Action => (page) =>
  page.getByRole("button", { name, exact: true }).click();

interface Made {
  readonly name: string;
  readonly actions: readonly Action[];
  /** Fields of the stored rule as paths with their expected values. */
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
];

function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((one, key) => Reflect.get(Object(one), key), value);
}

onScreen.test("each part of the sentence opens its field, and groups are ticked by name", async ({ app, browser }) => {
  await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 90]]);
  const { items: [shop] } = await app.owner.read("/api/competitors");
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });

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
      const clauses = ["1 Produkt", "1 davon mit genug Angeboten", "1 löst aus"];
      assertEquals(await marks.allTextContents(), [...clauses, "1 Preis ändert sich"]);
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

const LARGE = 12_999;

onScreen.test("sales after a rule's changes are shown by month, and fit a wide window and a phone", async ({ app, browser }) => {
  const { ruleId, cookie } = await learntRule(app, LARGE);
  const page = await browser.open(app, `/rules/${ruleId}`, { cookie });
  const followed = page.locator("section", { hasText: "Was sie getan hat" });
  await followed.getByText("21 Preise, zusammen 42 Tage davor und danach").first().waitFor();
  const sums = (await followed.innerText()).replaceAll("\u00a0", " ");
  match(sums, /Stück\s+294 → 588/);
  match(sums, /Nettomarge\s+1\.910\.853,00 € → 3\.057\.364,80 €/);
  const section = page.locator("section", {
    has: page.getByRole("heading", { name: "Was danach kam" }),
  });
  await section.getByText("20 von 21 Änderungen gezählt. Nicht gezählt: 1 mit weiterer Änderung.")
    .waitFor();
  const said = (await section.innerText()).replaceAll("\u00a0", " ");
  match(said, /März 2026[^]*Stück am Tag\s+20,0 → 40,0/);
  match(said, /14 Tage davor → 14 Tage danach: was folgte, nicht was die Regel bewirkt hat\./);
  const table = section.getByRole("table", { name: "Gezählte Änderungen" });
  await table.getByRole("row").nth(20).waitFor();
  for (const width of [1440, 390]) {
    await resize(page, width);
    const [first = ""] = await table.locator("tbody tr").first().allInnerTexts();
    match(first.replaceAll("\u00a0", " "), /12\.999,00 € → 11\.699,10 €/);
    assertEquals([width, await cutIn(table.locator("td"))], [width, []]);
    assertEquals([width, await page.evaluate(TOO_WIDE)], [width, 0]);
  }
  // Writes 1,234 price changes into the response, because creating so many would take too long.
  await page.route("**/learning?month=2026-04", async (route) => {
    const response = await route.fetch();
    const april = await response.json();
    const leftOut = { ...april.leftOut, noSales: 1_234 };
    await route.fulfill({ response, json: { ...april, changes: 1_234, leftOut } });
  });
  await section.getByRole("button", { name: "Monat danach" }).click();
  await section.getByText(/von 1\.234 Änderungen gezählt\. Nicht gezählt: .*1\.234 /).waitFor();
  await section.getByText("April 2026").waitFor();
  await section.getByText("Unter 20 gezählten Änderungen sagt das nichts.").waitFor();
});

onScreen.test("a rule's page shows its results from the first day", async ({ app, browser }) => {
  const { id, ruleId } = await propose(app);
  await app.manager.act(`/api/proposals/${id}/approve`);
  await untilJudged(app);
  const page = await browser.open(app, `/rules/${ruleId}`);
  const section = page.locator("section", { hasText: "Was sie getan hat" });
  await section.getByText("Noch 14 Tage bis zum vollen Bild.").waitFor();
  const said = (await section.innerText()).replaceAll("\u00a0", " ");
  match(said, /Eingeschaltet seit .*\d\./);
  match(said, /Preise gesetzt\s+1\s+0 von selbst, 1 angenommen/);
  match(said, /Summe der Änderungen\s+−10,00 €\s+1 gesenkt, 0 angehoben/);
  match(said, /Stück\s+–\s+noch nichts gezählt/);
  match(said, /Nicht gezählt: 1 noch zu neu\./);
});

const linkTo = (id: string) => `a[href="/rules/${id}"]`;

onScreen.test("the list says what each rule owns and what precedes it, or that it is not counted yet; the editor says it before a rule is switched on", async ({ app, browser }) => {
  const { front, last } = await threeRules(app);
  const page = await browser.open(app, "/rules");
  await page.getByText("noch nicht gezählt").nth(2).waitFor();
  await countOwners(app);
  await page.reload();
  await page.getByText("setzt bei 3 Produkten den Preis", { exact: true }).waitFor();
  await page.getByText("gilt die mit der kleineren Vorrangzahl").waitFor();
  await page.getByText("setzt bei 2 Produkten den Preis, ruht bei 3 hinter einer Regel").waitFor();
  await page.getByText("setzt bei keinem Produkt den Preis, ruht bei 5 hinter zwei Regeln")
    .waitFor();
  await resize(page, 390);
  await page.getByText("ruht bei 5 hinter zwei Regeln").waitFor();
  assertEquals(await page.evaluate(TOO_WIDE), 0);
  await resize(page, 1280);

  await app.owner.remove(`/api/rules/${last}`);
  const id = await addRule(app.owner, { ...FLOOR, name: "Neu", priority: 9, enabled: false });
  await follow(page, `/rules/${id}`);
  const warning = page.locator(".note", { hasText: "Wenn Sie diese Regel einschalten" });
  await warning.getByText("Bei 3 von 5 Produkten geht „Front“ vor").waitFor();
  await warning.getByText("Bei 2 von 5 Produkten geht „Middle“ vor").waitFor();
  assertEquals(await warning.locator(linkTo(front)).count(), 1);
  // With the highest priority, the rule takes prices from other rules, which the warning names.
  await page.getByRole("button", { name: "Vorrang 9" }).click();
  await page.getByLabel("Vorrang", { exact: true }).fill("0");
  await warning.getByText("Bei 3 Produkten übernimmt sie den Preis von „Front“").waitFor();
  assertEquals(await warning.getByText("geht „Front“ vor").count(), 0);
});

onScreen.test("a product's page says in one line why a rule proposes no price", async ({ app, browser }) => {
  const productId = await addProduct(app.owner, "A");
  await addRule(app.owner, { name: "Billiger" });
  await push(app, [["A", "acme", 120]]);
  const page = await browser.open(app, `/products/${productId}`);
  const rule = page.locator(".verdict > summary", { hasText: "Billiger" });
  await rule.getByText(/120,00/).waitFor();
});

const REFERENCES = { triggers: listTriggers(), actions: listActions() };
const ID = "a".repeat(24);
const KEPT = {
  ...{ id: ID, version: 1, createdBy: { type: "user", id: ID, name: "Jana" } },
  ...{ createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
  ...{ deletedAt: null, stats: { fires30d: 0, lastFiredAt: null } },
} as const;

const ruleOf = (bounds: object, price: object) =>
  NewRule.parse({
    ...{ name: "A rule", scope: { mode: "all" }, currency: "KWD", bounds },
    when: { trigger: "market_index", always: true, groups: ["Baumärkte, online", "A"] },
    actions: [{ type: "propose_price", price }],
  });

/** Rules with fractions and with large and negative amounts, in addition to the random rules. */
const FINE = [
  ruleOf({ markupPct: 8.25, minCents: 1_234_567 }, { adjust: { pct: -1.5 }, deadbandPct: 0.5 }),
  ruleOf({ maxCents: 2_000_000 }, {
    adjust: { cents: -12_345 },
    rounding: { ranges: [{ belowCents: 5_001, endings: ["99", "049"] }, { endings: ["00"] }] },
    fallback: { kind: "cost", pct: 35.5 },
  }),
];

/** The form drops empty bounds and a single unlimited price range, so such rules are left out. */
const shownRules = randomRules.filter(({ bounds, actions }) =>
  (bounds === null || Object.values(bounds).some((one) => one !== null && one !== "ignore")) &&
  !JSON.stringify(actions).includes('[{"belowCents":null,"endings":[]}]')
);

Deno.test("a rule survives its form unchanged, in every notation of numbers", () => {
  const locales = fc.constantFrom("de-DE", "en-GB", "de-CH");
  fc.assert(
    fc.property(shownRules, locales, ({ enabled: _, ...terms }, locale) => {
      const writing = { locale, currency: "EUR" };
      const draft = draftOf({ ...terms, enabled: false, ...KEPT }, writing);
      const { enabled: _enabled, ...said } = NewRule.parse(bodyOf(draft, REFERENCES, writing));
      assertEquals(said, terms);
    }),
    { examples: FINE.flatMap((rule) => [[rule, "de-DE"], [rule, "en-GB"], [rule, "de-CH"]]) },
  );
});

Deno.test("a cooldown is shown in its largest whole unit and stored in minutes", () => {
  const shown = [
    [0, "0", "minutes"],
    [60, "1", "hours"],
    [90, "90", "minutes"],
    [1500, "25", "hours"],
    [1440, "1", "days"],
    [43_200, "30", "days"],
  ] as const;
  for (const [minutes, count, unit] of shown) {
    assertEquals(cooldownDraftOf(minutes, "de-DE"), { count, unit });
    assertEquals(cooldownBody({ count, unit }, "de-DE"), minutes);
  }
  assertEquals(cooldownBody({ count: "1,1", unit: "hours" }, "de-DE"), 66);
  assertEquals(cooldownBody({ count: "", unit: "days" }, "de-DE"), null);
  assertEquals(cooldownBody({ count: "zwei", unit: "days" }, "de-DE"), "zwei");
});
