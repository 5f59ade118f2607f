/**
 * Product pages written for tests, in the markup of today's shop systems. A template makes a page for
 * each of its languages from drawn values, and states what is right before any reader sees the page.
 */
import type { Availability, Condition } from "../../../../src/base/codes.ts";
import { Draw, plain, type Tongue } from "./draw.ts";
import { ld, type Parts, shopPage } from "./shop_frame.ts";

export const KINDS = ["variants", "vetoes", "words", "bare", "former"] as const;
export type Kind = (typeof KINDS)[number];

/** Our product, as far as its owner knows it. */
export interface OurProduct {
  readonly title?: string;
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
  /** Null if none may be reported. */
  readonly wasPrice?: number | null;
  readonly lowest30?: number | null;
  /** A status of the page or a warning. */
  readonly says?: string;
}

/** Variants of these prices, none of which is chosen: any of them, unsure, or none. */
export function openVariant(price: readonly number[]): Expected {
  return { price, confidenceMax: 0.7, mayRefuse: true, says: "variant_open" };
}

/** Amounts that are no sale price: none, or a doubtful one. */
export function noSale(...amounts: readonly number[]): Expected {
  return { price: [], tolerated: { price: amounts, confidenceMax: 0.6 } };
}

export interface Made extends Parts {
  readonly expected: Expected;
  /** What is right for a reader that does not know our product; else the same. */
  readonly alone?: Expected;
  /** Our product; its title is that of the page unless given. */
  readonly product?: OurProduct;
  /** Path and query on the shop of the page. */
  readonly path?: string;
}

export interface Template {
  readonly trait: string;
  readonly tongues: readonly Tongue[];
  readonly make: (draw: Draw) => Made;
}

export interface MadePage extends Required<Pick<Made, "product" | "expected" | "alone">> {
  readonly kind: Kind;
  readonly trait: string;
  readonly name: string;
  readonly url: string;
  readonly html: string;
}

export function pagesOf(kind: Kind, templates: readonly Template[]): readonly MadePage[] {
  return templates.flatMap(({ trait, tongues, make }) =>
    tongues.map((tongue, at) => {
      const name = `${kind}: ${trait}, ${tongue} ${at + 1}`;
      const draw = new Draw(name, tongue);
      const { path = "/p/artikel", product, expected, alone = expected, ...parts } = make(draw);
      const url = `https://www.haus-${tongue}.example${path}`;
      const html = shopPage(draw, parts);
      return {
        kind,
        trait,
        name,
        url,
        html,
        product: { title: draw.title, ...product },
        expected,
        alone,
      };
    })
  );
}

type Json = Readonly<Record<string, unknown>>;

export function offer(draw: Draw, cents: number, more: Json = {}) {
  return {
    "@type": "Offer",
    price: plain(cents),
    priceCurrency: draw.currency,
    availability: "https://schema.org/InStock",
    ...more,
  };
}

/** The product of a page with one offer or more. */
export function productLd(draw: Draw, offers: unknown, more: Json = {}): string {
  const brand = { "@type": "Brand", name: draw.brand };
  return ld({ "@type": "Product", name: draw.title, brand, ...more, offers });
}

/** The product of a page with its offer as microdata that nobody sees. */
export function productItem(draw: Draw, cents: number, availability: string | null): string {
  const { price, priceCurrency } = offer(draw, cents);
  const stock = availability &&
    `<link itemprop="availability" href="https://schema.org/${availability}">`;
  return `<div itemscope itemtype="https://schema.org/Product"><meta itemprop="name" content="${draw.title}"><meta
itemprop="brand" content="${draw.brand}"><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta
itemprop="price" content="${price}"><meta itemprop="priceCurrency" content="${priceCurrency}">${
    stock ?? ""
  }</div></div>`;
}

/** JSON as the value of an attribute. */
export function attribute(json: unknown): string {
  return JSON.stringify(json).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
