import {
  NO_HISTORY,
  type Offer,
  type PricedProduct,
} from "../../../src/engine/pricing/situation.ts";
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

/** Replaces special spaces by ordinary ones, which are easier to write in this test. */
const plain = (text: string | null) => text?.replaceAll(/\s/g, " ") ?? null;

const OFFERS = [anOffer(27_000), anOffer(31_000, { competitor: "Beta" })];

function said(
  when: Record<string, unknown>,
  offers: readonly (Offer | number)[] = OFFERS,
  about?: Parameters<typeof aSituation>[1],
): string | null {
  return plain(saidText(german, decide(aTrigger(when), aSituation(offers, about)).reason.said));
}

const UNDERCUT = { trigger: "competitor_undercut" };
const OVERCUT = { trigger: "competitor_overcut", reference: "highest" };
const POSITION = { trigger: "position_change" };
const margin = (marginPct: number) => ({ trigger: "margin_below", marginPct });
const product = (product: Partial<PricedProduct>) => ({ product });
const costing = (costPriceCents: number | null) => product({ costPriceCents });
const SIMULATED = { mode: "simulate" } as const;
const UNCOUNTED_COST =
  "0 zählt nicht als Einkaufspreis; ohne ihn lässt sich keine Marge berechnen.";
const FORMER_RANK = {
  history: { ...NO_HISTORY, rules: { [RULE_ID]: { lastFiredAtMs: null, rank: 1 } } },
};
const OLD = anOffer(27_000, { observedAtMs: NOW_MS - 60 * HOUR_MS });

const TEXTS: Readonly<Record<string, Parameters<typeof said>>> = {
  "Acme verlangt 270,00 €, 9,7 % weniger als wir (299,00 €).": [UNDERCUT],
  "Acme verlangt 270,00 €, 9,7 % weniger als wir (299,00 €); das genügt der Regel nicht.": [
    { ...UNDERCUT, competitorDeltaPct: 20 },
  ],
  "Acme verlangt 299,00 €, genauso viel wie wir (299,00 €).": [UNDERCUT, [29_900]],
  "Acme verlangt 300,00 €, 0,3 % mehr als wir (299,00 €).": [UNDERCUT, [30_000]],
  "Acme verlangt 299,10 €, 0,10 € mehr als wir (299,00 €).": [UNDERCUT, [29_910]],
  "Der Durchschnitt von 2 Preisen ist 290,00 €, 3 % weniger als wir (299,00 €).": [
    { ...UNDERCUT, reference: "average" },
  ],
  "Kein Wettbewerberpreis ist brauchbar.": [UNDERCUT, []],
  "Es gibt keinen zweiten Wettbewerberpreis.": [{ ...UNDERCUT, reference: "second" }, [100]],
  "Zu wenige Wettbewerber haben einen brauchbaren Preis.": [{ ...UNDERCUT, minCompetitors: 3 }],
  "Das Produkt hat keinen eigenen Preis.": [UNDERCUT, [100], product({ ourPriceCents: null })],
  "In den letzten 30 Tagen wurde kein Wettbewerberpreis gesehen.": [UNDERCUT, [], SIMULATED],
  "Beta verlangt 310,00 €, 3,7 % mehr als wir (299,00 €).": [OVERCUT],
  "Unsere Marge ist nur 33,1 %.": [margin(40)],
  "Unsere Marge ist 33,1 %, das genügt.": [margin(20)],
  "Ohne Einkaufspreis lässt sich keine Marge berechnen.": [margin(20), [], costing(null)],
  [UNCOUNTED_COST]: [margin(20), [], costing(0)],
  "Unsere Marge ist 33,1 %, mehr als nötig.": [{ trigger: "margin_above", marginPct: 20 }],
  "Unser Preis liegt bei 103,1 (Markt = 100), zu weit vom Markt entfernt.": [
    { trigger: "market_index", indexAbove: 101 },
  ],
  "Wir stehen auf Platz 2 von 3, zuvor auf Platz 1.": [POSITION, OFFERS, FORMER_RANK],
  "Wir stehen auf Platz 2 von 3, ein früherer Platz ist noch nicht gespeichert.": [POSITION],
  "Der neueste Wettbewerberpreis ist 60 Stunden alt.": [{ trigger: "scrape_stale" }, [OLD]],
  "Noch nie wurde ein Wettbewerberpreis gesehen.": [{ trigger: "scrape_stale" }, [anOffer(null)]],
};

for (const [text, given] of Object.entries(TEXTS)) {
  Deno.test(`saidText() says in German: ${text}`, () => assertEquals(said(...given), text));
}

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
  const detail = (
    guard: string,
    offer: Offer | number,
    product: Partial<PricedProduct> = {},
    terms: Record<string, unknown> = safe,
  ) => {
    const { guards } = decide(aRule(terms), aSituation([offer], { product })).trace();
    const facts = guards.find((asked) => asked.guard === guard)?.facts ?? null;
    return facts && plain(guardDetail(german, { code: guard, facts }));
  };
  const unsure = anOffer(27_000, { confidence: 0.5 });
  assertEquals(detail("change_too_large", unsure), "\u22129,7 %");
  assertEquals(detail("low_confidence", unsure), "Acme");
  const old = anOffer(29_000, { observedAtMs: NOW_MS - 30 * HOUR_MS });
  assertEquals(detail("stale_reference", old), "Acme");
  assertEquals(
    detail("outlier", anOffer(10_000, { previousPriceCents: null }), { costPriceCents: 1 }),
    "Acme: kein früherer Preis zum Vergleich, mehr als 50 % neben unserem (299,00 €)",
  );
  assertEquals(detail("outlier", anOffer(29_000, { previousPriceCents: 10_000 })), "Acme");
  assertEquals(detail("cost_unknown", 27_000, { costPriceCents: 0 }), UNCOUNTED_COST);
  const floor = detail("floor_above_current", 27_000, {}, { marginFloor: { pct: 50 } });
  assertEquals(floor, "Niedrigster erlaubter Preis: 400,00 €");
});
