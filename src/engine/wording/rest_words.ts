/** Why a rule rests, whatever its trigger is, in both languages. The compiler asks for every reason. */
import type { Rest } from "../pricing/said.ts";
import type { Sentences } from "./sentences.ts";

type RestWords = {
  readonly [One in Rest as One["code"]]: Sentences<One["facts"]>;
};

type Unusable = Extract<Rest, { code: "no_reference" }>["facts"];

/** "vat_unknown: no usable competitor price (1 stale, 2 out_of_stock)" */
function wireUnusable({ leftOut, lacksVat }: Unusable, text: string): string {
  const reasons = leftOut.map(({ why, count }) => `${count} ${why}`).join(", ");
  return `${lacksVat ? "vat_unknown: " : ""}${text}${reasons === "" ? "" : ` (${reasons})`}`;
}

export const REST_WORDS: RestWords = {
  out_of_scope: {
    de: () => "Das Produkt gehört nicht zu dieser Regel.",
    en: () => "The product does not belong to this rule.",
    wire({ field, value }) {
      const shown = value ?? "not set";
      return field === "sku"
        ? `out of scope: sku ${shown} is not listed`
        : `out of scope: ${field} is ${shown}`;
    },
  },
  unseen: {
    de: ({ days }) => `In den letzten ${days} Tagen wurde kein Wettbewerberpreis gesehen.`,
    en: ({ days }) => `No competitor price was seen in the last ${days} days.`,
    wire: ({ days }) => `no competitor observation in the last ${days} days`,
  },
  no_own_price: {
    de: () => "Das Produkt hat keinen eigenen Preis.",
    en: () => "The product has no price of its own.",
    wire: () => "no_own_price: the product has no own price",
  },
  no_reference: {
    de: () => "Kein Wettbewerberpreis ist brauchbar.",
    en: () => "No competitor price is usable.",
    wire: (facts) => wireUnusable(facts, "no usable competitor price"),
  },
  too_few_references: {
    de: () => "Zu wenige Wettbewerber haben einen brauchbaren Preis.",
    en: () => "Too few competitors have a usable price.",
    wire: (facts) =>
      wireUnusable(
        facts,
        `fewer than ${facts.minCompetitors} competitors have a usable price`,
      ),
  },
  no_second: {
    de: () => "Es gibt keinen zweiten Wettbewerberpreis.",
    en: () => "There is no second competitor price.",
    wire: () => "there is no second competitor price",
  },
  cost_unknown: {
    de: ({ isZero }) =>
      isZero
        ? "0 zählt nicht als Einkaufspreis; ohne ihn lässt sich keine Marge rechnen."
        : "Ohne Einkaufspreis lässt sich keine Marge rechnen.",
    en: ({ isZero }) =>
      isZero
        ? "0 counts as no cost; without the cost there is no margin."
        : "Without the cost there is no margin.",
    wire: ({ isZero }) =>
      `cost_unknown: ${isZero ? "a cost of 0 is none, " : ""}the margin cannot be computed`,
  },
  vat_unknown: {
    de: () => "Ohne Umsatzsteuersatz lässt sich keine Marge rechnen.",
    en: () => "Without a VAT rate there is no margin.",
    wire: () => "vat_unknown: the margin cannot be computed",
  },
  told: { de: ({ text }) => text, en: ({ text }) => text, wire: ({ text }) => text },
};
