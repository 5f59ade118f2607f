/** The rules of the demo, as a pricing manager would write them. */

import { daysBefore } from "../../base/time.ts";
import { recordSales } from "../../catalogue/sales/record_sales.ts";
import type { NewRule } from "../../engine/pricing/rule.ts";
import { chanceOf } from "./chance.ts";
import type { DemoProduct } from "./demo_catalogue.ts";
import { contextOf, type DemoStage } from "./demo_stage.ts";
import type { z } from "zod";

type RuleInput = z.input<typeof NewRule>;

export const DEMO_RULES: readonly RuleInput[] = [
  {
    name: "Kaffee und Küche: günstigster Preis",
    description: "Hier vergleichen Kunden genau: mitgehen, solange 8 % Marge bleiben.",
    enabled: true,
    priority: 10,
    cooldownMinutes: 240,
    when: { trigger: "competitor_undercut", competitorDeltaPct: 3 },
    scope: { mode: "attribute", matches: { category: ["Kaffee & Tee", "Küchenkleingeräte"] } },
    marginFloor: { pct: 8 },
    actions: [
      { type: "propose_price", formula: "match_cheapest", rounding: "x.99" },
      { type: "alert_inapp", severity: "medium" },
    ],
  },
  {
    name: "Großgeräte: 1 % unter dem Günstigsten",
    description: "Nur wenn der Abstand deutlich ist.",
    enabled: true,
    priority: 20,
    cooldownMinutes: 720,
    when: { trigger: "competitor_undercut", competitorDeltaPct: 6, minCompetitors: 2 },
    scope: {
      mode: "attribute",
      matches: { category: ["Kühlen & Gefrieren", "Waschen & Trocknen", "Fernseher"] },
    },
    marginFloor: { pct: 12 },
    actions: [{ type: "propose_price", formula: "min_competitor_minus_1pct" }],
  },
  {
    name: "Audio: Spielraum nach oben nutzen",
    description: "Alle anderen sind mindestens 1 % teurer.",
    enabled: true,
    priority: 30,
    cooldownMinutes: 1_440,
    when: { trigger: "competitor_overcut", competitorDeltaPct: 1, minCompetitors: 2 },
    scope: { mode: "attribute", matches: { category: { contains: "Audio" } } },
    actions: [{ type: "propose_price", formula: "match_cheapest", rounding: "x.99" }],
  },
  {
    name: "Marge unter 12 %",
    description: "Warnt, ändert nichts.",
    enabled: true,
    priority: 90,
    cooldownMinutes: 10_080,
    when: { trigger: "margin_below", marginPct: 12 },
    scope: { mode: "attribute", matches: { category: ["Fernseher"] } },
    actions: [{ type: "alert_inapp", severity: "high" }],
  },
  {
    name: "Werkzeug: Zielmarge 25 %",
    description: "Entwurf, noch nicht eingeschaltet.",
    enabled: false,
    priority: 50,
    when: { trigger: "margin_below", marginPct: 20 },
    scope: { mode: "attribute", matches: { category: ["Werkzeug"] } },
    actions: [{ type: "propose_price", formula: "target_margin_pct", targetMarginPct: 25 }],
  },
];

/** Limited because a call accepts 5,000 rows. */
const PRODUCTS_PER_CALL = 50;

/** Reports the units sold on a number of days up to and including a date. */
export async function tellSales(
  stage: DemoStage,
  products: readonly DemoProduct[],
  until: string,
  days: number,
): Promise<void> {
  const dates = Array.from({ length: days }, (_, at) => daysBefore(until, at));
  for (let from = 0; from < products.length; from += PRODUCTS_PER_CALL) {
    const rows = products.slice(from, from + PRODUCTS_PER_CALL).flatMap((product) =>
      dates.map((date) => ({ sku: product.sku, date, units: unitsSold(product, date) }))
    );
    await recordSales(contextOf(stage, stage.erp), { rows });
  }
}

/** Cheap articles sell more often than expensive ones, and some days are better than others. */
function unitsSold({ sku, priceCents }: DemoProduct, date: string): number {
  const usual = 0.4 + 4 * chanceOf("popular", sku) * Math.min(1, 15_000 / priceCents);
  return Math.floor(usual * 2 * chanceOf("sold", sku, date));
}
