/** The rules of the demo, as a pricing manager would write them. */
import type { NewRule } from "../../engine/pricing/rule.ts";
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
