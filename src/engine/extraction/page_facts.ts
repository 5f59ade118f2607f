/** Facts of a page: the product, the page's status, and the prices that were found. */
import { decodeHTMLStrict } from "entities/decode";
import { sha256 } from "../../base/bytes.ts";
import { type Availability, gtin14, isGtin } from "../../base/codes.ts";
import { exponentOf, formatMajor } from "../../base/money.ts";
import { minorOfDecimal } from "../../base/price_text.ts";
import { meantCurrency, onlyCode, plainDecimal, writtenAmount } from "./amount.ts";
import type { Method } from "./extractors.ts";
import { type DescribedProduct, describedProduct, titlesOf } from "./page_product.ts";
import type { PageStatus, PageWarning } from "./page_status.ts";
import { type MethodReading, pricedOf, type Reading, readingsIn } from "./reading.ts";
import { has, type ScoredPrice, type ShownReading } from "./shown/scored_price.ts";
import type { OfferSources, StatedOffer } from "./stated_offer.ts";
import { variantFact } from "./variants/page_variants.ts";

interface PageCandidate {
  readonly id: string;
  /** The price in minor units of `currency`, or in hundredths if the currency is unknown. */
  readonly amount: number;
  readonly currency: string | null;
  readonly source: Method;
  readonly score: number | null;
  readonly features: string[];
  readonly text: string | null;
}

export const CANDIDATES_MAX = 8;
const MARKED_MAX = 4;

function pageCandidates({ methods, shown, taken, page, identity }: ReadSoFar): PageCandidate[] {
  const currencies = [taken?.currency, page.extractor.currency, identity.currency]
    .map((one) => one ?? null);
  const found = new Map<string, PageCandidate>();
  const add = (one: Omit<PageCandidate, "id" | "amount"> & { readonly decimal: string }) => {
    const { decimal, ...rest } = one;
    const amount = minorOfDecimal(decimal, exponentOf(rest.currency ?? ""));
    const key = `${rest.source} ${decimal} ${rest.currency}`;
    if (amount === null || amount === 0 || found.has(key)) return;
    const id = sha256(`${key} ${rest.text ?? ""}`).subarray(0, 6).toHex();
    found.set(key, { id, amount, ...rest });
  };
  for (const price of markedPrices(methods)) {
    if (found.size >= MARKED_MAX) break;
    const { decimal, codes } = writtenAmount(price);
    const currency = meantCurrency(codes, currencies);
    add({ decimal, currency, source: price.method, score: null, features: [], text: null });
  }
  const isOld = (price: ScoredPrice) =>
    Number(has(price, "struck") || (has(price, "old") && !has(price, "rate")));
  const shownPrices = shown?.prices.toSorted((a, b) => isOld(a) - isOld(b)) ?? [];
  for (const { decimal, codes, score, features, text } of shownPrices) {
    if (found.size >= CANDIDATES_MAX) break;
    const currency = meantCurrency(codes, currencies);
    const printed = text.toWellFormed();
    add({ decimal, currency, source: "shown", score, features: [...features], text: printed });
  }
  return [...found.values()];
}

function markedPrices(methods: readonly MethodReading[]) {
  const others = methods.flatMap(({ outcome: { method }, candidates }) =>
    pricedOf(candidates.slice(0, MARKED_MAX * 4)).map(({ amount }) => ({ ...amount, method }))
  );
  return [...readingsIn(methods), ...others];
}

/** `warnings` says what may be wrong with the selector or JSON path that a person set. */
export type PageFacts = Readonly<ReturnType<typeof readFacts>> & {
  readonly pageStatus: PageStatus;
  readonly availability: Availability;
  readonly warnings: readonly PageWarning[];
};

export interface ReadSoFar extends OfferSources {
  readonly taken:
    | { readonly method: Method; readonly price: number; readonly currency: string }
    | null;
  readonly stated: StatedOffer | null;
}

const GTINS_MAX = 20;

export function readFacts(read: ReadSoFar) {
  const { page, taken } = read;
  const decimal = taken && plainDecimal(formatMajor(taken.price, exponentOf(taken.currency)));
  const about = productsOf(read);
  const first = <T>(pick: (one: Described) => T | null): T | null =>
    about.map(pick).find((value) => value !== null) ?? null;
  const sold = about[0]?.sold ?? null;
  return {
    title: cut(
      first(({ subject }) => subject.names[0] ?? null) ??
        titlesOf(page.html).find((text) => text.trim() !== "") ?? null,
      300,
    ),
    brand: cut(first(({ subject }) => subject.brand)),
    /** The GTIN (8, 12, 13 or 14 digits) of the first product that has exactly one GTIN. */
    gtin: first(gtinOf),
    /** At most 20 GTINs of the priced offer, or of the page's products if the offer has none. */
    ownGtins: ownGtinsOf(about),
    /** At most 20 GTINs of the product and all its offers, including packs and variants. */
    gtins: gtinsOf(read, about),
    mpn: cut(sold?.traits.mpn ?? first(({ subject }) => subject.mpn)),
    sku: cut(sold?.traits.sku ?? first(({ subject }) => subject.sku)),
    condition: read.stated?.condition ?? markedCondition(read, about),
    seller: cut(read.stated?.seller ?? sold?.seller ?? null),
    isThirdParty: read.stated?.isThirdParty ?? false,
    variant: read.variant && variantFact(read.variant, decimal),
    unitPrice: unitPriceOf(read.shown, taken?.currency ?? null),
    /** Possible prices; those from the markup come first. */
    candidates: pageCandidates(read),
  };
}

interface Described extends Omit<DescribedProduct, "availability"> {
  readonly sold: Reading | null;
}

function productsOf(read: ReadSoFar): Described[] {
  const { methods, taken } = read;
  const sold = readingsIn(methods).find(({ method }) => method === taken?.method) ?? null;
  const others = methods.filter(({ outcome }) => outcome !== sold).flatMap(({ candidates }) => {
    const one = describedProduct(candidates, read);
    return one ? [{ ...one, sold: null }] : [];
  });
  return sold ? [{ ...sold, sold }, ...others] : others;
}

function markedCondition({ methods, taken }: ReadSoFar, about: readonly Described[]) {
  const own = about[0]?.sold?.condition ?? null;
  if (own !== null) return own;
  const offers = offersOf(about, methods);
  const same = pricedOf(offers).filter(({ amount }) =>
    taken !== null && minorOfDecimal(amount.decimal, exponentOf(taken.currency)) === taken.price
  );
  const [known] = [same, offers]
    .map((some) => [...new Set(some.flatMap(({ condition }) => condition ?? []))])
    .filter(({ length }) => length > 0);
  return known?.length === 1 ? known[0] ?? null : null;
}

function gtinOf(one: Described): string | null {
  const [gtin = null, ...others] = numbersOf(one);
  return others.length === 0 ? gtin : null;
}

function ownGtinsOf(about: readonly Described[]): string[] {
  const [first] = about;
  const sold = first?.sold ? knownGtins(first.offer.gtins) : [];
  const own = sold.length > 0 ? sold : knownGtins(about.flatMap(numbersOf));
  return own.slice(0, GTINS_MAX);
}

function numbersOf({ subject, offer }: Described): string[] {
  const own = knownGtins(offer.gtins);
  return own.length > 0 ? own : knownGtins(subject.gtins);
}

function knownGtins(texts: readonly string[]): string[] {
  const known = new Map<string | null, string>();
  for (const gtin of texts.flatMap((text) => gtinIn(text) ?? [])) {
    known.getOrInsert(gtin14(gtin), gtin);
  }
  return [...known.values()];
}

function offersOf(about: readonly Described[], methods: readonly MethodReading[]) {
  const subjects = new Set(about.map(({ subject }) => subject));
  return methods.flatMap(({ candidates }) => candidates)
    .filter(({ subject }) => subjects.has(subject));
}

function gtinsOf({ methods }: ReadSoFar, about: readonly Described[]): string[] {
  const named = [...about, ...offersOf(about, methods)].flatMap(({ offer, subject }) => [
    ...offer.gtins,
    ...subject.gtins,
  ]);
  return [...new Set(named.flatMap((text) => gtinIn(text) ?? []))].slice(0, GTINS_MAX);
}

/** Spreadsheets drop the leading zero of a UPC, so 11 digits are padded to 12. */
function gtinIn(text: string): string | null {
  const written = text.slice(0, 30).replace(/[\s-]/g, "");
  const digits = written.length === 11 ? written.padStart(12, "0") : written;
  return isGtin(digits) ? digits : null;
}

function cut(text: string | null, charactersMax = 100): string | null {
  const clean = decodeHTMLStrict(text?.slice(0, charactersMax) ?? "")
    .replace(/\s+/g, " ").trim();
  return clean.toWellFormed() || null;
}

const PER =
  /(?:\/|(?<!\p{L})(?:pro|je|per))\s?(\d{1,4}(?:[.,]\d{1,3})?)?\s?(kg|mg|g|ml|cl|l|liter|litre|m²|m2|qm|cm|m|st(?:ü|ue)ck|stk)(?![\p{L}\d])/iu;
const OUT_OF_PLACE: ReadonlySet<string> = new Set(["tile", "region", "option", "link"]);

/** `per` is the quantity that the price is for, such as `1 kg` or `100 ml`. */
function unitPriceOf(shown: ShownReading | null, currency: string | null) {
  for (const price of shown?.prices ?? []) {
    if (price.features.some((feature) => OUT_OF_PLACE.has(feature))) continue;
    const per = PER.exec(price.beside);
    const unit = per?.[2];
    const code = codeOf(price, currency);
    if (unit === undefined || code === null) continue;
    const amount = minorOfDecimal(price.decimal, exponentOf(code));
    if (amount !== null && amount > 0) return { amount, per: `${per?.[1] ?? 1} ${unit}` };
  }
  return null;
}

function codeOf({ codes }: ScoredPrice, currency: string | null): string | null {
  if (currency === null) return onlyCode(codes);
  return codes.length === 0 || codes.includes(currency) ? currency : null;
}

export const NO_FACTS: PageFacts = {
  pageStatus: "unread",
  availability: "unknown",
  title: null,
  brand: null,
  gtin: null,
  ownGtins: [],
  gtins: [],
  mpn: null,
  sku: null,
  condition: null,
  seller: null,
  isThirdParty: false,
  unitPrice: null,
  candidates: [],
  warnings: [],
  variant: null,
};
