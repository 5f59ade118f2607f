/**
 * Reads invented product pages (`tests/fixtures/pages/invented`) in the markup of today's shop
 * systems, and compares the results with the expected ones.
 */
import { readdirSync } from "node:fs";
import type { Availability, Condition } from "../../../src/base/codes.ts";
import type { Extraction } from "../../../src/engine/extraction/extract_price.ts";
import { OWN_DATA } from "../../sample_data.ts";
import { extract, shown } from "./reading_pages.ts";

/** Amounts are in minor units. Absent fields are not judged. */
interface Expected {
  /** The right prices. Empty if no price may be reported. */
  readonly price: readonly number[];
  /** A higher confidence counts as wrong, even for a right price. */
  readonly confidenceMax?: number;
  /** Further right amounts, if their confidence is not above `confidenceMax`. */
  readonly tolerated?: { readonly price: readonly number[]; readonly confidenceMax: number };
  /** True if reporting no price is right, too. */
  readonly mayRefuse?: boolean;
  readonly currency?: string;
  readonly availability?: readonly Availability[];
  readonly condition?: Condition;
  readonly seller?: string;
  readonly isThirdParty?: boolean;
  readonly wasPrice?: number | null;
  readonly lowest30?: number | null;
  readonly says?: string;
}

export interface InventedPage {
  readonly kind: "variants" | "vetoes" | "words" | "bare" | "former";
  readonly name: string;
  readonly url: string;
  /** Our product as its owner describes it. `shopSku` is the shop's number. */
  readonly product: {
    readonly title?: string;
    readonly ean?: string;
    readonly mpn?: string;
    readonly shopSku?: string;
  };
  readonly expected: Expected;
  /** The expected result without knowledge of our product, if different. */
  readonly alone?: Expected;
  readonly html: string;
}

export function pageSets(): readonly string[] {
  return readdirSync(OWN_DATA.path("pages/invented")).map((file) => file.replace(/\.jsonl$/, ""))
    .toSorted();
}

export function inventedPages(set: string): readonly InventedPage[] {
  const text = new TextDecoder().decode(OWN_DATA.bytes(`pages/invented/${set}.jsonl`));
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

export interface Scored {
  readonly page: InventedPage;
  /** `sure`: the price is right, but its confidence is too high. */
  readonly verdict: "right" | "sure" | "wrong" | "none";
  readonly isRight: boolean;
  readonly confidence: number | null;
  readonly message: string;
  /** For each fact that the page states, whether it is read right. */
  readonly facts: Readonly<Record<string, boolean>>;
}

export type Knowledge = "product" | "nothing";

export function score(page: InventedPage, knows: Knowledge): Scored {
  const { title = null, ean = null, mpn = null, shopSku = null } = page.product;
  const expected = knows === "product" ? page.expected : page.alone ?? page.expected;
  const currency = page.url.includes("-en.") ? "GBP" : "EUR";
  const product = knows === "product" ? { title, ean, mpn, shopSku, currency } : null;
  const extraction = extract(page.html, { product }, page.url);
  const { result } = extraction;
  const price = "price" in result ? result.price : null;
  const confidence = "price" in result ? result.confidence : null;
  return {
    page,
    verdict: verdictOf(expected, price, confidence ?? 0, result),
    isRight: price !== null && expected.price.includes(price),
    confidence,
    message: `${page.name}: ${shown(result)}, right is ${expected.price.join(" or ") || "none"}`,
    facts: factsOf(expected, extraction),
  };
}

function verdictOf(
  expected: Expected,
  price: number | null,
  confidence: number,
  result: Extraction["result"],
): Scored["verdict"] {
  const { tolerated, confidenceMax = 1, mayRefuse = false, currency } = expected;
  if (price === null) return expected.price.length === 0 || mayRefuse ? "right" : "none";
  if (currency !== undefined && "price" in result && result.currency !== currency) return "wrong";
  if (expected.price.includes(price)) return confidence <= confidenceMax ? "right" : "sure";
  const isTolerated = tolerated?.price.includes(price) && confidence <= tolerated.confidenceMax;
  return isTolerated ? "right" : "wrong";
}

/** Former and lowest prices are judged only if a price was read. */
function factsOf(expected: Expected, { result, facts }: Extraction): Scored["facts"] {
  const said = [facts.pageStatus, ...facts.warnings, "errorCode" in result ? result.errorCode : ""];
  const { availability, condition, seller, isThirdParty, wasPrice, lowest30, says } = expected;
  const isSeller = (seller === undefined || facts.seller === seller) &&
    (isThirdParty === undefined || facts.isThirdParty === isThirdParty);
  const priced = "price" in result ? result : null;
  return {
    ...(availability && { stock: availability.includes(facts.availability) }),
    ...(condition && { condition: facts.condition === condition }),
    ...((seller !== undefined || isThirdParty !== undefined) && { seller: isSeller }),
    ...(wasPrice !== undefined && { former: (priced?.listPrice ?? null) === wasPrice }),
    ...(lowest30 !== undefined && { low30: (priced?.lowest30 ?? null) === lowest30 }),
    ...(says && { says: said.some((word) => word === says) }),
  };
}
