/**
 * Product pages written for tests, in the markup of today's shop systems. A template makes a page for
 * each of its languages from drawn values, and states what is right before any reader sees the page.
 * Values depend on the name of the template alone, so a page is the same in every run.
 */
import type { Availability, Condition } from "../../../../src/base/codes.ts";

export type Tongue = "de" | "en" | "fr";

export const KINDS = ["variants", "vetoes", "words", "bare", "former"] as const;
export type Kind = (typeof KINDS)[number];

/** Our product, as far as its owner knows it. */
export interface OurProduct {
  readonly title: string;
  readonly ean?: string;
  readonly mpn?: string;
  /** The number that the shop gives to it. */
  readonly shopSku?: string;
}

/** What is right. Amounts are in minor units; a field that is not given is not judged. */
export interface Expected {
  /** Any of them is right; without one, no price may be reported. */
  readonly price: readonly number[];
  /** Higher is wrong, even for a right price. */
  readonly confidenceMax?: number;
  /** Amounts that are no mistake up to a confidence. */
  readonly tolerated?: { readonly price: readonly number[]; readonly confidenceMax: number };
  /** No price is right, too. */
  readonly mayRefuse?: boolean;
  readonly currency?: string;
  readonly availability?: readonly Availability[];
  readonly condition?: Condition;
  readonly seller?: string;
  readonly isThirdParty?: boolean;
  /** Null where none may be reported. */
  readonly wasPrice?: number | null;
  readonly lowest30?: number | null;
  /** A status of the page or a warning. */
  readonly says?: string;
}

export interface Made {
  readonly html: string;
  /** Path and query on the shop of the page. */
  readonly path?: string;
  readonly product: OurProduct;
  readonly expected: Expected;
  /** What is right for a reader that does not know our product; else the same. */
  readonly alone?: Expected;
}

export interface Template {
  readonly trait: string;
  readonly tongues: readonly Tongue[];
  readonly make: (draw: Draw) => Made;
}

export interface MadePage extends Required<Omit<Made, "path">> {
  readonly kind: Kind;
  readonly trait: string;
  readonly name: string;
  readonly url: string;
}

export function pagesOf(kind: Kind, templates: readonly Template[]): readonly MadePage[] {
  return templates.flatMap(({ trait, tongues, make }) =>
    tongues.map((tongue, at) => {
      const name = `${kind}: ${trait}, ${tongue} ${at + 1}`;
      const { path = "/p/artikel", product, expected, alone = expected, html } = make(
        new Draw(name, tongue),
      );
      const url = `https://www.haus-${tongue}.example${path}`;
      return { kind, trait, name, url, html, product, expected, alone };
    })
  );
}

const NOUNS = {
  de: ["Akkuschrauber", "Wasserkocher", "Schreibtischlampe", "Bratpfanne", "Rucksack", "Kopfhörer"],
  en: ["Cordless Drill", "Kettle", "Desk Lamp", "Frying Pan", "Backpack", "Headphones"],
  fr: ["Perceuse sans fil", "Bouilloire", "Lampe de bureau", "Poêle", "Sac à dos", "Casque audio"],
} as const;
const BRANDS = ["Norvika", "Talheim", "Brosken", "Ostarum", "Kelvaro", "Lumdal", "Grevoss"];
const ENDINGS = [99, 95, 90, 0, 49, 50];

/** Values of one page. */
export class Draw {
  readonly tongue: Tongue;
  readonly brand: string;
  readonly noun: string;
  /** A name as shops write it, with brand and model. */
  readonly title: string;
  readonly currency: "EUR" | "GBP";
  #state: number;

  constructor(seed: string, tongue: Tongue) {
    this.#state = [...seed].reduce(
      (hash, sign) => Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 16_777_619) >>> 0,
      2_166_136_261,
    );
    this.tongue = tongue;
    this.currency = tongue === "en" ? "GBP" : "EUR";
    this.brand = this.pick(BRANDS);
    this.noun = this.pick(NOUNS[tongue]);
    this.title = `${this.brand} ${this.noun} ${this.pick(["KX", "TR", "VL"])} ${this.digits(3)}`;
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.#below(values.length)];
    if (value === undefined) throw new Error("nothing to draw from");
    return value;
  }

  /** Minor units between two amounts in major units, with an ending that shops use. */
  cents(from: number, to: number): number {
    return (from + this.#below(to - from)) * 100 + this.pick(ENDINGS);
  }

  digits(count: number): string {
    return Array.from({ length: count }, (_, at) => (at === 0 ? 1 : 0) + this.#below(9)).join("");
  }

  gtin(): string {
    const digits = `40${this.digits(10)}`;
    const sum = [...digits].reduce((sum, digit, at) => sum + Number(digit) * (at % 2 ? 3 : 1), 0);
    return `${digits}${(10 - sum % 10) % 10}`;
  }

  say(de: string, en: string, fr: string): string {
    return { de, en, fr }[this.tongue];
  }

  /** `1.299,95 €`, `£1,299.95`, `1 299,95 €`. */
  money(cents: number): string {
    return this.tongue === "en" ? `£${this.bare(cents)}` : `${this.bare(cents)}\u00a0€`;
  }

  /** As `money`, without the currency. */
  bare(cents: number): string {
    const [thousands, decimal] = { de: [".", ","], en: [",", "."], fr: ["\u202f", ","] }[
      this.tongue
    ];
    const [whole = "", rest = ""] = plain(cents).split(".");
    return `${whole.replace(/\B(?=(?:\d{3})+$)/g, thousands ?? "")}${decimal}${rest}`;
  }

  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
}

/** `1299.95`. */
export function plain(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}

export function ld(json: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify({ "@context": "https://schema.org", ...json });
  return `<script type="application/ld+json">${text}</script>`;
}

export function offer(draw: Draw, cents: number, more: Readonly<Record<string, unknown>> = {}) {
  return {
    "@type": "Offer",
    price: plain(cents),
    priceCurrency: draw.currency,
    availability: "https://schema.org/InStock",
    ...more,
  };
}

/** The product of a page with one offer or more. */
export function productLd(
  draw: Draw,
  offers: unknown,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const brand = { "@type": "Brand", name: draw.brand };
  return ld({ "@type": "Product", name: draw.title, brand, ...more, offers });
}

/** JSON as the value of an attribute. */
export function attribute(json: unknown): string {
  return JSON.stringify(json).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
