import type { Situation } from "../../../src/engine/pricing/situation.ts";
import type { Trace } from "../../../src/engine/pricing/trace.ts";
import { guardDetail, saidText } from "../../../src/engine/wording/reason_text.ts";
import { type Audience, createShow } from "../../../src/engine/wording/show.ts";
import {
  anOffer,
  aRule,
  aSituation,
  aTrigger,
  decide,
  HOUR_MS,
  NOW_MS,
  RULE_ID,
} from "../pricing/market.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const german: Audience = {
  language: "de",
  show: createShow({ locale: "de-DE", timeZone: "Europe/Berlin", currency: "EUR" }, () => 0),
};

/** Replaces special blanks by ordinary ones, which are easier to write here. */
const plain = (text: string | null) => text?.replaceAll(/\s/g, " ") ?? null;

function said(when: Record<string, unknown>, situation: Situation): string | null {
  return plain(saidText(german, decide(aTrigger(when), situation).reason.said));
}

Deno.test("saidText() says in German why each trigger fires or rests", () => {
  const undercut = { trigger: "competitor_undercut" };
  const margin = (pct: number) => ({ trigger: "margin_below", marginPct: pct });
  const offers = [anOffer(27_000), anOffer(31_000, { competitor: "Beta" })];
  const market = aSituation(offers);
  const old = anOffer(27_000, { observedAtMs: NOW_MS - 60 * HOUR_MS });
  const ranked = aSituation(offers, {
    history: { ...market.history, rules: { [RULE_ID]: { lastFiredAtMs: null, rank: 1 } } },
  });
  const cases: Readonly<Record<string, readonly [Record<string, unknown>, Situation]>> = {
    "Acme verlangt 270,00 €, 9,7 % weniger als wir (299,00 €).": [undercut, market],
    "Acme verlangt 270,00 €, 9,7 % weniger als wir (299,00 €); das genügt der Regel nicht.": [{
      ...undercut,
      competitorDeltaPct: 20,
    }, market],
    "Acme verlangt 299,00 €, genauso viel wie wir (299,00 €).": [undercut, aSituation([29_900])],
    "Acme verlangt 300,00 €, 0,3 % mehr als wir (299,00 €).": [undercut, aSituation([30_000])],
    "Der Durchschnitt von 2 Preisen ist 290,00 €, 3 % weniger als wir (299,00 €).": [{
      ...undercut,
      reference: "average",
    }, market],
    "Kein Wettbewerberpreis ist brauchbar.": [undercut, aSituation([])],
    "Es gibt keinen zweiten Wettbewerberpreis.": [
      { ...undercut, reference: "second" },
      aSituation([100]),
    ],
    "Zu wenige Wettbewerber haben einen brauchbaren Preis.": [
      { ...undercut, minCompetitors: 3 },
      market,
    ],
    "Das Produkt hat keinen eigenen Preis.": [
      undercut,
      aSituation([100], { product: { ourPriceCents: null } }),
    ],
    "In den letzten 30 Tagen wurde kein Wettbewerberpreis gesehen.": [
      undercut,
      aSituation([], { mode: "simulate" }),
    ],
    "Beta verlangt 310,00 €, 3,7 % mehr als wir (299,00 €).": [{
      ...undercut,
      trigger: "competitor_overcut",
      reference: "highest",
    }, market],
    "Unsere Marge ist nur 33,1 %.": [margin(40), market],
    "Unsere Marge ist 33,1 %, das genügt.": [margin(20), market],
    "Ohne Einkaufspreis lässt sich keine Marge berechnen.": [
      margin(20),
      aSituation([], { product: { costPriceCents: null } }),
    ],
    "0 zählt nicht als Einkaufspreis; ohne ihn lässt sich keine Marge berechnen.": [
      margin(20),
      aSituation([], { product: { costPriceCents: 0 } }),
    ],
    "Unsere Marge ist 33,1 %, mehr als nötig.": [
      { trigger: "margin_above", marginPct: 20 },
      market,
    ],
    "Unser Preis liegt bei 103,1 (Markt = 100), zu weit vom Markt entfernt.": [{
      trigger: "market_index",
      indexAbove: 101,
    }, market],
    "Wir stehen auf Platz 2 von 3, zuvor auf Platz 1.": [{ trigger: "position_change" }, ranked],
    "Wir stehen auf Platz 2 von 3, ein früherer Platz ist noch nicht gespeichert.": [{
      trigger: "position_change",
    }, market],
    "Der neueste Wettbewerberpreis ist 60 Stunden alt.": [{
      trigger: "scrape_stale",
      staleHours: 48,
    }, aSituation([old])],
    "Noch nie wurde ein Wettbewerberpreis gesehen.": [
      { trigger: "scrape_stale" },
      aSituation([anOffer(null)]),
    ],
  };
  for (const [text, [when, situation]] of Object.entries(cases)) {
    assertEquals([when, said(when, situation)], [when, text]);
  }
});

Deno.test("saidText() says that a product is outside the scope of the rule", () => {
  const rule = aRule({ scope: { mode: "attribute", matches: { brand: ["Bose"] } } });
  const { said } = decide(rule, aSituation([100])).reason;
  assertEquals(saidText(german, said), "Das Produkt gehört nicht zu dieser Regel.");
});

Deno.test("guardDetail() names the size of a change, and the competitor of a doubtful price", () => {
  const safe = {
    actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 5 }],
    marginFloor: { pct: 5 },
  };
  const traceOf = (given: Record<string, unknown>, situation: Situation): Trace =>
    decide(aRule(given), situation).trace();
  const objection = (trace: Trace, guard: string) => {
    const facts = trace.guards.find((asked) => asked.guard === guard)?.facts ?? null;
    return facts && plain(guardDetail(german, { code: guard, facts }));
  };
  const unsure = traceOf(safe, aSituation([anOffer(27_000, { confidence: 0.5 })]));
  assertEquals(objection(unsure, "change_too_large"), "\u22129,7 %");
  assertEquals(objection(unsure, "low_confidence"), "Acme");
  const old = traceOf(safe, aSituation([anOffer(29_000, { observedAtMs: NOW_MS - 30 * HOUR_MS })]));
  assertEquals(objection(old, "stale_reference"), "Acme");
  const first = anOffer(10_000, { previousPriceCents: null });
  assertEquals(
    objection(traceOf(safe, aSituation([first], { product: { costPriceCents: 1 } })), "outlier"),
    "Acme: kein früherer Preis zum Vergleich, mehr als 50 % neben unserem (299,00 €)",
  );
  const jumped = anOffer(29_000, { previousPriceCents: 10_000 });
  assertEquals(objection(traceOf(safe, aSituation([jumped])), "outlier"), "Acme");
  const free = traceOf(safe, aSituation([27_000], { product: { costPriceCents: 0 } }));
  assertEquals(
    objection(free, "cost_unknown"),
    "0 zählt nicht als Einkaufspreis; ohne ihn lässt sich keine Marge berechnen.",
  );
  const floored = traceOf({ marginFloor: { pct: 50 } }, aSituation([27_000]));
  assertEquals(objection(floored, "floor_above_current"), "Niedrigster erlaubter Preis: 400,00 €");
});
