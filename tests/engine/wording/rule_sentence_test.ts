import fc from "fast-check";
import { Bounds } from "../../../src/engine/pricing/bounds.ts";
import { PriceAim } from "../../../src/engine/pricing/actions.ts";
import { referenceFields } from "../../../src/engine/pricing/reference.ts";
import { NewRule, refuseRule } from "../../../src/engine/pricing/rule.ts";
import { ruleSentence } from "../../../src/engine/wording/rule_sentence.ts";
import type { SentenceSpeaker } from "../../../src/engine/wording/price_sentence.ts";
import { createShow } from "../../../src/engine/wording/show.ts";
import { extent } from "../../proof.ts";
import { COMPETITORS, type Path, pathsOf, randomRules, withoutPath } from "../random_rule.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const [A, B, C] = COMPETITORS;
const SHOPS: Readonly<Record<string, string>> = { [A]: "Adler", [B]: "Brandt", [C]: "Cebra" };
const nameOf = (id: string) => SHOPS[id] ?? id;
const show = (locale: string) => createShow({ locale, timeZone: "UTC", currency: "EUR" }, () => 0);
const SPEAKERS: readonly SentenceSpeaker[] = [
  { language: "de", show: show("de-DE"), nameOf },
  { language: "en", show: show("en-GB"), nameOf },
];

function sentencesOf(given: Record<string, unknown>): string[] {
  const rule = NewRule.parse({ name: "A rule", scope: { mode: "all" }, ...when({}), ...given });
  return SPEAKERS.map((speaker) => ruleSentence(rule, speaker).replaceAll("\u00a0", " "));
}

const aim = (price: Record<string, unknown>, rest: Record<string, unknown> = {}) => ({
  actions: [{ type: "propose_price", price }],
  ...rest,
});
const when = (more: Record<string, unknown>) => ({
  when: { trigger: "market_index", always: true, ...more },
});
const rounded = (ending: string, to = "down") => ({
  rounding: { to, ranges: [{ endings: [ending] }] },
});
const matching = (matches: Record<string, unknown>) => ({ scope: { mode: "attribute", matches } });

Deno.test("ruleSentence() describes rules in plain words", () => {
  const below5000 = { belowCents: 5_000, endings: ["99"] };
  const inRanges = { to: "nearest", ranges: [below5000, { endings: ["00"] }] };
  const differing = (trigger: string) => ({ trigger, competitorDeltaPct: 2 });
  const either = { ...differing("competitor_undercut"), or: [differing("competitor_overcut")] };
  const narrow = { maxMovePct: 7, aboveTargetPct: 0 };
  const filter = {
    exactOnly: true,
    sameCondition: true,
    withShipping: true,
    marketplaces: "without",
  };
  const rules: Readonly<Record<string, readonly [english: string, Record<string, unknown>]>> = {
    "Bei jeder Prüfung (von Adler, Brandt, Cebra): schlage 1 % unter dem Günstigsten vor, abgerundet auf …,99 – für alle Produkte, nie unter Einkauf + 8 %.":
      [
        "At every check (of Adler, Brandt, Cebra): propose 1% below the cheapest, rounded down to x.99 – for all products, never below cost + 8%.",
        aim({ adjust: { pct: -1 }, ...rounded("99") }, {
          ...when({ competitorIds: [A, B, C] }),
          bounds: { markupPct: 8 },
        }),
      ],
    "Bei jeder Prüfung: schlage 0,01 € unter dem 2.-Günstigsten vor – für alle Produkte, 8 Tage Pause nach 3 Senkungen in 7 Tagen, 300 Preise am Tag.":
      [
        "At every check: propose €0.01 below the 2nd cheapest – for all products, 8 days' rest after 3 cuts in 7 days, 300 prices a day.",
        aim({ reference: { kind: "nth", nth: 2 }, adjust: { cents: -1 } }, {
          brake: { cuts: 3, days: 7, restDays: 8 },
          budgetPerDay: 300,
        }),
      ],
    "Bei jeder Prüfung (mindestens 3 Shops): schlage den Median vor, gerundet auf …,95 – für alle Produkte.":
      [
        "At every check (if at least 3 shops offer it): propose the median, rounded to x.95 – for all products.",
        aim(
          { reference: { kind: "median" }, ...rounded("95", "nearest") },
          when({ minCompetitors: 3 }),
        ),
      ],
    "Bei jeder Prüfung: schlage 1,00 € unter dem Günstigsten vor, aufgerundet auf …9,90, sonst den Einkaufspreis + 35 % – für alle Produkte.":
      [
        "At every check: propose €1.00 below the cheapest, rounded up to x9.90, else cost + 35% – for all products.",
        aim({
          adjust: { cents: -100 },
          ...rounded("990", "up"),
          fallback: { kind: "cost", pct: 35 },
        }),
      ],
    "Bei jeder Prüfung: schlage die UVP − 10 % vor – für Produkte der Marke Sony, nie unter 12 % Marge.":
      [
        "At every check: propose the RRP − 10% – for products of brand Sony, never below 12% margin.",
        aim({ reference: { kind: "target" }, adjust: { pct: -10 } }, {
          ...matching({ brand: ["Sony"] }),
          marginFloor: { pct: 12 },
        }),
      ],
    "Wenn der günstigste Wettbewerber mindestens 2 % günstiger ist als wir, oder wenn der günstigste Wettbewerber mindestens 2 % teurer ist als wir, dann schlage den Preis des Günstigsten vor – für alle Produkte, nie über der UVP (falls da), höchstens 7 % auf einmal, höchstens 1 × täglich.":
      [
        "When the cheapest competitor is at least 2% cheaper than we are, or when the cheapest competitor is at least 2% more expensive than we are, propose the lowest competitor price – for all products, never above RRP (if any), at most 7% at once, at most 1 × daily.",
        aim({}, { when: either, bounds: { ...narrow, maxMovesPerDay: 1 } }),
      ],
    "Wenn der günstigste Wettbewerber teurer ist als wir, dann schlage 2 % unter dem Schnitt vor, nur anheben – für alle Produkte.":
      [
        "When the cheapest competitor is more expensive than we are, propose 2% below the mean, only raise – for all products.",
        aim({ reference: { kind: "average" }, adjust: { pct: -2 }, direction: "raise" }, {
          when: { trigger: "competitor_overcut" },
        }),
      ],
    "Bei jeder Prüfung: schlage den Preis des Günstigsten vor, gerundet bis 50,00 € auf …,99, darüber auf …,00, unter 1 % Änderung nichts – für alle Produkte, nie über der UVP (falls da), höchstens 7 % auf einmal.":
      [
        "At every check: propose the lowest competitor price, rounded to x.99 below €50.00, to x.00 above, no changes below 1% – for all products, never above RRP (if any), at most 7% at once.",
        aim({ rounding: inRanges, deadbandPct: 1 }, { bounds: narrow }),
      ],
    "Bei jeder Prüfung (gleiches Produkt, gleicher Zustand, mit Versand, ohne Marktplätze): schlage den Preis von Brandt vor – für alle Produkte.":
      [
        "At every check (same product, same condition, with shipping, without marketplaces): propose the price of Brandt – for all products.",
        aim({ reference: { kind: "competitor", competitorId: B } }, when(filter)),
      ],
    "Wenn unsere Marge unter 5 % liegt (von Adler, Gruppe Baumärkte, ohne Gruppe Resterampe, nur Marktplätze), dann setze selbst 0,05 € unter dem Günstigsten fest, abgerundet auf …,99, wenn es sicher ist und sich der Preis höchstens um 10 % ändert, und melde es per E-Mail an a@shop.example (hoch) – für Produkte der Marken Sony oder mit „Mie“ im Namen und der Kategorie Audio, nie unter 12 % Marge, Ruhezeit 30 min.":
      [
        "When our margin is below 5% (of Adler, group Baumärkte, without group Resterampe, only marketplaces), apply €0.05 below the cheapest by itself, rounded down to x.99, when it is safe and the price changes by 10% at most, and alert by e-mail to a@shop.example (high severity) – for products of the brands Sony or with “Mie” in the name and category Audio, never below 12% margin, cooldown 30 min.",
        {
          when: {
            trigger: "margin_below",
            marginPct: 5,
            competitorIds: [A],
            groups: ["Baumärkte"],
            excludeGroups: ["Resterampe"],
            marketplaces: "only",
          },
          ...matching({ brand: ["Sony", { contains: "Mie" }], category: ["Audio"] }),
          marginFloor: { pct: 12 },
          actions: [
            { type: "auto_apply_if_safe", price: { adjust: { cents: -5 }, ...rounded("99") } },
            { type: "alert_email", severity: "high", to: ["a@shop.example"] },
          ],
          cooldownMinutes: 30,
        },
      ],
    "Bei jeder Prüfung (von Gruppe Online): melde es in der App – für Produkte der Kategorien Audio, Kaffee oder Küche.":
      [
        "At every check (of group Online): alert in the app – for products in the categories Audio, Kaffee or Küche.",
        {
          actions: [{ type: "alert_inapp" }],
          ...when({ groups: ["Online"] }),
          ...matching({ category: ["Audio", "Kaffee", "Küche"] }),
        },
      ],
  };
  for (const [german, [english, given]] of Object.entries(rules)) {
    assertEquals(sentencesOf(given), [german, english]);
  }
});

/** Returns the rule without the value at `path`; null if the value is required or the default. */
function without(rule: unknown, path: Path): NewRule | null {
  const read = NewRule.safeParse(withoutPath(rule, path));
  if (!read.success || refuseRule(read.data, { currency: "EUR" }).length > 0) return null;
  return JSON.stringify(read.data) === JSON.stringify(rule) ? null : read.data;
}

type NewRule = ReturnType<typeof NewRule.parse>;

const UNSAID: ReadonlySet<unknown> = new Set(["name", "description", "enabled"]);

/** Fields that random rules must contain; fields of individual triggers are not required. */
const FIELDS = [
  ...Object.keys(NewRule.shape).filter((name) => !UNSAID.has(name)),
  ...Object.keys(referenceFields).map((name) => `when.${name}`),
  ...Object.keys(Bounds.shape).map((name) => `bounds.${name}`),
  ...Object.keys(PriceAim.shape).map((name) => `actions.price.${name}`),
];

Deno.test("the sentence of a random rule depends on each of its fields, in both languages", () => {
  const drawn = new Set<string>();
  const property = fc.property(randomRules, (rule) => {
    const sentences = SPEAKERS.map((speaker) => ruleSentence(rule, speaker));
    for (const sentence of sentences) {
      ok(!/undefined|null|NaN|\[object|…(?![,.\d])/.test(sentence), sentence);
    }
    for (const path of pathsOf(rule)) {
      const bare = UNSAID.has(path[0]) ? null : without(rule, path);
      if (bare === null) continue;
      for (const [at, speaker] of SPEAKERS.entries()) {
        const changed = ruleSentence(bare, speaker) !== sentences[at];
        ok(changed, `${path.join(".")} is not said: ${sentences[at]}`);
      }
      drawn.add(path.filter((key) => typeof key === "string").join("."));
    }
  });
  fc.assert(property, { numRuns: extent(20_000, 60), seed: 7, endOnFailure: true });
  const isDrawn = (name: string) =>
    [...drawn].some((path) => path === name || path.startsWith(`${name}.`));
  assertEquals(FIELDS.filter((name) => !isDrawn(name)), [], "never drawn");
});

Deno.test("a daily time is shown with its days, and whether it is the only trigger", () => {
  const said = (schedule: Record<string, unknown>) =>
    sentencesOf(aim({}, { schedule })).map((sentence) => sentence.split(", ").at(-1));
  assertEquals(said({ at: "06:00" }), ["täglich 06:00.", "daily 06:00."]);
  const days = ["mon", "tue", "wed", "thu", "fri"];
  const workdays = ["nur werktags 06:00.", "only weekdays 06:00."];
  assertEquals(said({ at: "06:00", days, only: true }), workdays);
  assertEquals(said({ at: "18:30", days: ["sat", "tue"] }), ["Di/Sa 18:30.", "Tue/Sat 18:30."]);
});

Deno.test("a cooldown is shown in its largest whole unit", () => {
  const said = (cooldownMinutes: number) =>
    sentencesOf(aim({}, { cooldownMinutes })).map((sentence) => sentence.split(", ").at(-1));
  assertEquals(said(10_080), ["Ruhezeit 7 Tage.", "cooldown 7 days."]);
  assertEquals(said(1_440), ["Ruhezeit 1 Tag.", "cooldown 1 day."]);
  assertEquals(said(360), ["Ruhezeit 6 Stunden.", "cooldown 6 hours."]);
  assertEquals(said(90), ["Ruhezeit 90 min.", "cooldown 90 min."]);
});
