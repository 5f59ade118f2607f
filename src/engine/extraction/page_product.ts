/**
 * Decides which product of a page is the wanted one. Every described product gets points if it has
 * our number, fits the page's address or heading, or is called the main entity. If no product fits,
 * a product of a list is chosen only if no other product is equally likely.
 */
import {
  type Candidate,
  compareDecimals,
  type Identity,
  NO_IDENTITY,
  type Subject,
} from "./amount.ts";
import {
  areOneName,
  hasAddressOf,
  isAmong,
  isNamedOtherwise,
  likenessOf,
  numberKey,
  type PageIdentity,
  wordsOfNames,
} from "./page_identity.ts";

/** Unknown fields are missing or null. */
export interface WantedProduct {
  readonly sku?: string | null;
  readonly ean?: string | null;
  readonly mpn?: string | null;
  readonly shopSku?: string | null;
  readonly title?: string | null;
  /** If a page has offers in several currencies, only the offers in our currency are used. */
  readonly currency?: string | null;
}

export interface ChosenProduct {
  readonly candidates: readonly Candidate[];
  readonly why: string;
  /**
   * False if other products are equally likely, or if the product's name or address does not fit
   * the page.
   */
  readonly isSure: boolean;
}

/**
 * Products that fit equally well are treated as variants of one product. Null if no product has a
 * price, if the priced products are not the subject of the page, or if the priced products are a
 * list.
 */
export function chooseProduct(
  candidates: readonly Candidate[],
  page: PageIdentity,
  wanted: WantedProduct | null,
): ChosenProduct | null {
  const ranked = ranksOf(candidates, page, wanted);
  const priced = ranked.filter(({ prices }) => prices.length > 0);
  const best = priced.toSorted((a, b) => b.rank - a.rank)[0];
  if (!best) return null;
  const peers = priced.filter(({ rank }) => rank === best.rank);
  if (best.fits) {
    return { candidates: peers.flatMap(({ own }) => own), why: best.why, isSure: true };
  }
  if (isOtherProduct(best.subject, ranked)) return null;
  const isOnly = peers.length === 1 || haveOnePrice(priced);
  if (best.subject.standing === "listed" && !isOnly) return null;
  // The product does not fit the page, so the product's address is of another page.
  const isElsewhere = best.subject.urls.length > 0;
  const isSure = isOnly && best.subject.standing !== "listed" && !isElsewhere &&
    !isNamedOtherwise(best.subject, page);
  return { candidates: best.own, why: isOnly ? "the only product" : "the first product", isSure };
}

export type DescribedProduct = Pick<
  Candidate,
  "subject" | "offer" | "availability" | "condition"
>;

/** The product that fits the page, or else the only product outside lists. */
export function describedProduct(
  candidates: readonly Candidate[],
  page: PageIdentity,
  wanted: WantedProduct | null,
): DescribedProduct | null {
  if (candidates.length === 0) return null;
  const ranked = ranksOf(candidates, page, wanted).filter(({ fits, subject }) =>
    fits || subject.standing !== "listed"
  ).toSorted((a, b) => b.rank - a.rank);
  const [best, next] = ranked;
  if (!best || (!best.fits && next !== undefined)) return null;
  const availability = best.own.find((one) => one.availability !== "unknown")?.availability;
  return {
    subject: best.subject,
    offer: best.own.length === 1 ? best.own[0]?.offer ?? NO_IDENTITY : NO_IDENTITY,
    availability: availability ?? "unknown",
    condition: best.own.find((one) => one.condition !== null)?.condition ?? null,
  };
}

interface RankedSubject {
  readonly subject: Subject;
  readonly own: readonly Candidate[];
  readonly rank: number;
  readonly fits: boolean;
  readonly why: string;
  readonly prices: readonly string[];
}

function ranksOf(
  candidates: readonly Candidate[],
  page: PageIdentity,
  wanted: WantedProduct | null,
): RankedSubject[] {
  const bySubject = Map.groupBy(candidates, ({ subject }) => subject);
  return [...bySubject].map(([subject, own]) => {
    const reasons = reasonsFor(subject, own, page, wanted).filter(({ points }) => points > 0);
    const points = reasons.reduce((sum, reason) => sum + reason.points, 0);
    return {
      subject,
      own,
      rank: points + (subject.standing === "listed" ? 0 : 1),
      fits: reasons.length > 0,
      why: reasons.map(({ why }) => why).join(", "),
      prices: own.flatMap(({ amount }) => "decimal" in amount ? [amount.decimal] : []),
    };
  });
}

function reasonsFor(
  subject: Subject,
  own: readonly Candidate[],
  page: PageIdentity,
  wanted: WantedProduct | null,
) {
  const isWanted = fitsWanted(identitiesOf({ subject, own }), wanted);
  return [
    { points: isWanted ? 16 : 0, why: "has the number that is looked for" },
    { points: hasAddressOf(subject, page) ? 4 : 0, why: "has the address of the page" },
    { points: likenessOf(subject, page), why: "has the heading of the page" },
    { points: subject.standing === "main" ? 2 : 0, why: "is the main entity" },
  ];
}

function identitiesOf({ subject, own }: Pick<RankedSubject, "subject" | "own">): Identity[] {
  return [subject, ...own.map(({ offer }) => offer)];
}

/**
 * True for another number of the same series, such as `06019K6000` and `06019K6005`. Such numbers
 * have at least six characters, of which at most three differ.
 */
export function isSiblingOf(
  identities: readonly Identity[],
  wanted: WantedProduct | null,
): boolean {
  const ours = wanted?.mpn ? numberKey(wanted.mpn) : "";
  if (ours.length < 6 || fitsWanted(identities, wanted)) return false;
  return identities.flatMap(({ numbers }) => numbers).map(numberKey).some((theirs) => {
    if (theirs.length !== ours.length) return false;
    const differences = [...ours].filter((character, at) => character !== theirs[at]).length;
    return differences > 0 && differences <= 3;
  });
}

export function fitsWanted(identities: readonly Identity[], wanted: WantedProduct | null): boolean {
  if (!wanted) return false;
  return identities.some(({ gtins, numbers }) =>
    isAmong(wanted.ean, [...gtins, ...numbers]) || isAmong(wanted.mpn, numbers)
  );
}

function isOtherProduct(subject: Subject, ranked: readonly RankedSubject[]): boolean {
  if (subject.names.length + subject.urls.length === 0) return false;
  const words = wordsOfNames(subject);
  return ranked.some(({ fits, subject: main }) => fits && !areOneName(words, wordsOfNames(main)));
}

function haveOnePrice(ranked: readonly RankedSubject[]): boolean {
  const prices = ranked.flatMap(({ prices }) => prices);
  return prices.every((price) => compareDecimals(price, prices[0] ?? "") === 0);
}
