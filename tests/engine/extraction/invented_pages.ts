/**
 * Reads invented product pages in the markup of today's shop systems, with the expected result of each
 * (`tests/fixtures/pages/invented`), and compares the counts of right and wrong prices with floors.
 */
import { ok as assert } from "node:assert/strict";
import type { Availability, Condition } from "../../../src/base/codes.ts";
import type { Extraction } from "../../../src/engine/extraction/extract_price.ts";
import { OWN_DATA } from "../../sample_data.ts";
import { extract, shown } from "./reading_pages.ts";

export const KINDS = ["variants", "vetoes", "words", "bare", "former"] as const;
type Kind = (typeof KINDS)[number];

/** The expected result. Amounts are in minor units. Absent fields are not judged. */
interface Expected {
  /** Any of these prices is right. Empty if no price may be reported. */
  readonly price: readonly number[];
  /** A higher confidence counts as wrong, even for a right price. */
  readonly confidenceMax?: number;
  /** Amounts that also count as right, up to a confidence. */
  readonly tolerated?: { readonly price: readonly number[]; readonly confidenceMax: number };
  /** True if reporting no price is right, too. */
  readonly mayRefuse?: boolean;
  readonly currency?: string;
  readonly availability?: readonly Availability[];
  readonly condition?: Condition;
  readonly seller?: string;
  readonly isThirdParty?: boolean;
  /** Null if no former price may be reported. */
  readonly wasPrice?: number | null;
  readonly lowest30?: number | null;
  /** An expected page status, warning or error code. */
  readonly says?: string;
}

interface InventedPage {
  readonly kind: Kind;
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
  /** The expected result for a reader that does not know our product, if different. */
  readonly alone?: Expected;
  readonly html: string;
}

export function inventedPages(set: string): readonly InventedPage[] {
  const text = new TextDecoder().decode(OWN_DATA.bytes(`pages/invented/${set}.jsonl`));
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

interface Scored {
  readonly page: InventedPage;
  /** `sure`: the price is right, but its confidence is too high. */
  readonly verdict: "right" | "sure" | "wrong" | "none";
  /** True for a right price with any confidence. */
  readonly isRight: boolean;
  readonly confidence: number | null;
  readonly message: string;
  readonly facts: Readonly<Partial<Record<Fact, boolean>>>;
}

const FACTS = ["stock", "condition", "seller", "former", "low30", "says"] as const;
type Fact = (typeof FACTS)[number];

/** Reads a page with or without knowledge of our product. */
export function score(page: InventedPage, knows: "product" | "nothing"): Scored {
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

function countsOf(scored: readonly Scored[]) {
  const count = (wanted: Scored["verdict"]) =>
    scored.filter(({ verdict }) => verdict === wanted).length;
  const high = scored.filter(({ confidence }) => (confidence ?? 0) >= 0.9);
  const wrongHigh = high.filter(({ verdict }) => verdict === "wrong" || verdict === "sure").length;
  return { right: count("right"), wrong: count("wrong"), wrongHigh };
}

/** Minimum of right prices, maximum of wrong prices, maximum of wrong or too sure prices at 0.9. */
type Floor = readonly [right: number, wrong: number, wrongHigh: number];
export type Floors = Readonly<Partial<Record<Kind, Floor>>>;

/** Minimum share of right facts among the pages that state a fact, such as the stock. */
const FACT_SHARE_MIN = 0.9;

/**
 * Fails if a fact is read wrong on too many of the pages that state it. With `missesMax`, only the
 * sum of the misses of all facts is limited.
 */
export function assertFacts(scored: readonly Scored[], missesMax: number | null): void {
  const judgedOf = (fact: Fact) => scored.flatMap(({ facts }) => facts[fact] ?? []);
  if (missesMax !== null) {
    const misses = FACTS.flatMap(judgedOf).filter((isRight) => !isRight).length;
    assert(misses <= missesMax, `${misses} facts are not read right`);
    return;
  }
  for (const fact of FACTS) {
    const judged = judgedOf(fact);
    const right = judged.filter(Boolean).length;
    assert(right >= FACT_SHARE_MIN * judged.length, `${fact}: ${right} of ${judged.length}`);
  }
}

/** Fails if a kind is below its floor, and lists the pages that are not read right. */
export function assertFloors(scored: readonly Scored[], floors: Floors): void {
  for (const kind of KINDS) {
    const own = scored.filter(({ page }) => page.kind === kind);
    const counts = countsOf(own);
    const [right, wrong, wrongHigh] = floors[kind] ?? [0, 0, 0];
    const isAbove = counts.right >= right && counts.wrong <= wrong && counts.wrongHigh <= wrongHigh;
    const bad = own.filter(({ verdict }) => verdict !== "right");
    const message = bad.map(({ verdict, message }) => `${verdict} ${message}`).join("\n");
    assert(isAbove, `${kind}: ${JSON.stringify(counts)}\n${message}`);
  }
}
