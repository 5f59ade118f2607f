/** Invents the products, rules and ERP files of a German retailer, and the competitors' shops. */
import type { z } from "zod";
import { formatGerman } from "../../base/money.ts";
import { escapeXml } from "../../base/text.ts";
import { DAY_MS } from "../../base/time.ts";
import type { NewRule } from "../../engine/pricing/rule.ts";

/** A repeatable random number in [0, 1): the same `parts` always give the same number. */
export function chanceOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const unit of parts.join("\u001f")) {
    hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

function choiceOf<T>(list: readonly [T, ...T[]], ...parts: readonly (string | number)[]): T {
  return list[Math.floor(chanceOf(...parts) * list.length)] ?? list[0];
}

export type DemoProduct = Readonly<ReturnType<typeof productAt>>;

const PRODUCTS = 2_000;
const COMPARED_EVERY = 6;
const WATCHED_EVERY = 30;
const UNLINKED_EVERY = 30;
const UNLINKED_BELOW = 1_200;

interface Kind {
  readonly category: string;
  readonly code: string;
  readonly names: readonly [string, ...string[]];
  readonly series: readonly [string, ...string[]];
  readonly fromEuros: number;
  readonly toEuros: number;
}

const BRANDS = [
  "Nordwerk",
  "Albrecht",
  "Lumera",
  "Havelland",
  "Brückmann",
  "Ostara",
  "Silvano",
  "Grünwald",
  "Kestrel",
  "Morava",
] as const;

const KINDS: readonly [Kind, ...Kind[]] = [
  {
    category: "Kühlen & Gefrieren",
    code: "KG",
    names: ["Kühl-Gefrierkombination", "Kühlschrank", "Gefrierschrank", "Weinkühlschrank"],
    series: ["NoFrost", "Frische Plus", "A", "Slim"],
    fromEuros: 289,
    toEuros: 1_399,
  },
  {
    category: "Waschen & Trocknen",
    code: "WT",
    names: ["Waschmaschine", "Wärmepumpentrockner", "Waschtrockner"],
    series: ["8 kg", "9 kg", "7 kg", "10 kg"],
    fromEuros: 349,
    toEuros: 1_199,
  },
  {
    category: "Kaffee & Tee",
    code: "KT",
    names: ["Kaffeevollautomat", "Siebträgermaschine", "Filterkaffeemaschine", "Wasserkocher"],
    series: ["Aroma", "Barista", "Piccolo", "Edition"],
    fromEuros: 29,
    toEuros: 899,
  },
  {
    category: "Bodenpflege",
    code: "BP",
    names: ["Akku-Staubsauger", "Saugroboter", "Bodenstaubsauger", "Waschsauger"],
    series: ["Cyclone", "Silent", "Pro", "Pet"],
    fromEuros: 89,
    toEuros: 799,
  },
  {
    category: "Kopfhörer & Audio",
    code: "AU",
    names: ["Over-Ear-Kopfhörer", "In-Ear-Kopfhörer", "Bluetooth-Lautsprecher", "Soundbar"],
    series: ["Studio", "Sport", "ANC", "Mini"],
    fromEuros: 25,
    toEuros: 549,
  },
  {
    category: "Fernseher",
    code: "TV",
    names: ['LED-Fernseher 43"', 'QLED-Fernseher 55"', 'OLED-Fernseher 65"'],
    series: ["Vista", "Cinema", "Frame", "Gallery"],
    fromEuros: 299,
    toEuros: 2_299,
  },
  {
    category: "Küchenkleingeräte",
    code: "KK",
    names: ["Küchenmaschine", "Stabmixer", "Heißluftfritteuse", "Toaster", "Waffeleisen"],
    series: ["Compact", "XL", "Retro", "Steel"],
    fromEuros: 19,
    toEuros: 449,
  },
  {
    category: "Werkzeug",
    code: "WZ",
    names: ["Akku-Bohrschrauber", "Stichsäge", "Winkelschleifer", "Exzenterschleifer"],
    series: ["12 V", "18 V", "Profi", "Set"],
    fromEuros: 39,
    toEuros: 389,
  },
];

export function demoProducts(): DemoProduct[] {
  return Array.from({ length: PRODUCTS }, (_, index) => productAt(index));
}

function productAt(index: number) {
  const kind = KINDS[index % KINDS.length] ?? KINDS[0];
  const brand = choiceOf(BRANDS, "brand", index);
  const model = 1_000 + Math.floor(chanceOf("model", index) * 9_000);
  const name = choiceOf(kind.names, "name", index);
  const mpn = `${kind.code}${model}`;
  const priceCents = ownPriceCents(kind, index);
  // The cost leaves a margin of 12 to 32 % of the net price, at 19 % VAT.
  const netCents = Math.round(priceCents * 100 / 119);
  const costCents = Math.round(netCents * (0.68 + chanceOf("cost", index) * 0.2));
  return {
    sku: `${kind.code}-${10_001 + index}`,
    title: `${brand} ${name} ${choiceOf(kind.series, "series", index)} ${mpn}`,
    brand,
    category: kind.category,
    // GS1 reserves numbers that begin with 952 for examples.
    ean: withCheckDigit(`952${String(471_100_000 + index)}`),
    mpn,
    priceCents,
    costCents,
    isCompared: index % COMPARED_EVERY === 0,
    isWatchedDaily: index % WATCHED_EVERY === 0,
    isUnlinked: index % UNLINKED_EVERY === COMPARED_EVERY && index < UNLINKED_BELOW,
  };
}

function ownPriceCents({ fromEuros, toEuros }: Kind, index: number): number {
  const share = chanceOf("price", index) ** 2;
  const euros = Math.round(fromEuros + share * (toEuros - fromEuros));
  return euros * 100 + (euros < 100 ? 99 : 0) + (euros >= 100 && index % 3 === 0 ? -1 : 0);
}

export function withCheckDigit(digits: string): string {
  // In a GTIN, the digits before the check digit have the weights 3, 1, 3, …, from right to left.
  const sum = [...digits].reverse()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 1 : 3), 0);
  return digits + String((10 - sum % 10) % 10);
}

export const DEMO_SHOPS = [
  { name: "Technikhaus Weber", kind: "both", level: 1.01, share: 0.95 },
  { name: "Haushalt24", kind: "json_ld", level: 0.995, share: 0.85 },
  { name: "Elektro Brandt", kind: "both", level: 1.03, share: 0.8 },
  { name: "SparMarkt Online", kind: "opengraph", level: 0.985, share: 0.7 },
  { name: "Kücheneck", kind: "down", level: 1.05, share: 0.45 },
] as const;
export type DemoShop = (typeof DEMO_SHOPS)[number];

export interface DemoOffer {
  readonly product: DemoProduct;
  readonly shop: DemoShop;
  readonly path: string;
  /** Condition of the offered item as schema.org names it; absent for an unused item. */
  readonly condition?: string;
}

export function demoOffers(products: readonly DemoProduct[]): DemoOffer[] {
  return products.filter(({ isCompared }) => isCompared).flatMap((product) =>
    DEMO_SHOPS.filter(({ name, share }) => chanceOf("sells", name, product.sku) < share)
      .map((shop) => ({ product, shop, path: pathOf(product, shop) }))
  );
}

function pathOf({ sku }: DemoProduct, { name, kind }: DemoShop): string {
  const isSpecial = kind === "opengraph" && chanceOf("special", name, sku) < 0.02;
  return `/${isSpecial ? "angebote" : "p"}/${sku.toLowerCase()}.html`;
}

export function shopPriceCents({ product, shop }: DemoOffer, at: Date): number {
  const key = `${shop.name} ${product.sku}`;
  const holdDays = 4 + Math.floor(chanceOf("hold", key) * 14);
  const step = Math.floor((at.getTime() / DAY_MS + chanceOf("phase", key) * holdDays) / holdDays);
  const own = 1 + (chanceOf("own level", key) - 0.5) * 0.08;
  const move = 1 + (chanceOf("move", key, step) - 0.5) * 0.06;
  const cents = product.priceCents * shop.level * own * move;
  return cents < 10_000 ? Math.round(cents / 10) * 10 - 1 : Math.round(cents / 100) * 100 - 1;
}

export function isInStock({ product, shop }: DemoOffer, at: Date): boolean {
  const week = Math.floor(at.getTime() / (7 * DAY_MS));
  return chanceOf("stock", shop.name, product.sku, week) > 0.06;
}

export function unitsSold({ sku, priceCents }: DemoProduct, date: string): number {
  const usual = 0.4 + 4 * chanceOf("popular", sku) * Math.min(1, 15_000 / priceCents);
  return Math.floor(usual * 2 * chanceOf("sold", sku, date));
}

export const DEMO_RULES: readonly z.input<typeof NewRule>[] = [
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

export interface PlacedOffer extends DemoOffer {
  readonly domain: string;
  readonly url: string;
}

export interface ErpItem {
  readonly product: DemoProduct;
  readonly priceCents: number;
  readonly links: readonly PlacedOffer[];
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<ITEMS>\n';
const TAIL = "</ITEMS>\n";

/** `validFrom` is a day such as "01.09.2026". */
export function erpFile(items: readonly ErpItem[], validFrom: string): string {
  return HEAD + items.map((item) => itemXml(item, validFrom)).join("") + TAIL;
}

export function priceFile(items: readonly ErpItem[], validFrom: string): string {
  const faults = [
    "  <ITEM><TITLE>Artikel ohne Nummer</TITLE></ITEM>\n",
    "  <ITEM><SKU>NEU-90001</SKU></ITEM>\n",
    `  <ITEM><SKU>NEU-90002</SKU><TITLE>Kabeltrommel 25 m</TITLE><BRAND>Grünwald</BRAND>` +
    "<CATEGORY>Werkzeug</CATEGORY><EAN>4006381333932</EAN>" +
    `<SALESPRICE><PRICE>auf Anfrage</PRICE><VALIDUNTIL/></SALESPRICE></ITEM>\n`,
  ];
  const prices = items.map(({ product, priceCents }) =>
    `  <ITEM>${element("SKU", product.sku)}${priceXml(priceCents, validFrom)}</ITEM>\n`
  );
  return HEAD + prices.join("") + faults.join("") + TAIL;
}

export function brokenFile(items: readonly ErpItem[], validFrom: string): string {
  const whole = priceFile(items, validFrom);
  return whole.slice(0, Math.floor(whole.length / 2));
}

function itemXml({ product, priceCents, links }: ErpItem, validFrom: string): string {
  const head = [
    element("SKU", product.sku),
    element("TITLE", product.title),
    element("BRAND", product.brand),
    element("CATEGORY", product.category),
    element("EAN", product.ean),
    element("MPN", product.mpn),
    element("CURRENCY", "EUR"),
    element("COSTPRICE", formatGerman(product.costCents, 2)),
  ];
  const shops = links.map(({ shop, domain, url }) =>
    `<COMPETITOR>${element("NAME", shop.name)}${element("DOMAIN", domain)}${element("URL", url)}` +
    "</COMPETITOR>"
  );
  const competitors = shops.length === 0 ? "" : `<COMPETITORS>${shops.join("")}</COMPETITORS>`;
  return `  <ITEM>${head.join("")}${priceXml(priceCents, validFrom)}${competitors}</ITEM>\n`;
}

function priceXml(priceCents: number, validFrom: string): string {
  return `<SALESPRICE>${element("PRICE", formatGerman(priceCents, 2))}` +
    `${element("VALIDFROM", validFrom)}<VALIDUNTIL/></SALESPRICE>`;
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}
