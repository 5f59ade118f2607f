/** Every price of a page that a person may choose from, with what speaks for it. */
import { exponentOf } from "../../base/currency.ts";
import { minorOfDecimal } from "../../base/price_text.ts";
import { sha256 } from "../../base/sha256.ts";
import { meantCurrency, writtenAmount } from "./amount.ts";
import type { Method } from "./extractors.ts";
import type { MethodReading } from "./reading.ts";
import type { ShownReading } from "./shown/score_prices.ts";

/** One price that a page has, by one way of reading it. */
export interface PageCandidate {
  /** The same for the same price in the same place, when the page is read again. */
  readonly id: string;
  /** Minor units of `currency`; of one that is not known, hundredths. */
  readonly amount: number;
  readonly currency: string | null;
  readonly source: Method;
  /** Points of a shown price; null where markup names it. */
  readonly score: number | null;
  /** What speaks for a shown price and against it, as codes. */
  readonly features: readonly string[];
  /** As printed; null where markup names it. */
  readonly text: string | null;
}

/** More are no help to a person. */
export const CANDIDATES_MAX = 8;
const ID_BYTES = 6;
/** Of markup, so that the shown ones have room. */
const MARKED_MAX = 4;

/** The prices of the methods, then the shown ones by their points; each way names an amount once. */
export function pageCandidates(
  { methods, shown, currencies }: {
    readonly methods: readonly MethodReading[];
    readonly shown: ShownReading | null;
    /** To be assumed where a price does not say, the likeliest first. */
    readonly currencies: readonly (string | null)[];
  },
): readonly PageCandidate[] {
  const found = new Map<string, PageCandidate>();
  const add = (one: Omit<PageCandidate, "id" | "amount"> & { readonly decimal: string }) => {
    const { decimal, ...rest } = one;
    const amount = minorOfDecimal(decimal, exponentOf(rest.currency ?? ""));
    const key = `${rest.source} ${decimal} ${rest.currency}`;
    if (amount === null || amount === 0 || found.has(key)) return;
    found.set(key, { id: idOf(`${key} ${rest.text ?? ""}`), amount, ...rest });
  };
  for (const price of markedPrices(methods)) {
    if (found.size >= MARKED_MAX) break;
    const { decimal, codes } = writtenAmount(price);
    const currency = meantCurrency(codes, currencies);
    add({ decimal, currency, source: price.source, score: null, features: [], text: null });
  }
  for (const { decimal, codes, score, features, text } of shown?.prices ?? []) {
    if (found.size >= CANDIDATES_MAX) break;
    const currency = meantCurrency(codes, currencies);
    const printed = text.toWellFormed();
    add({ decimal, currency, source: "shown", score, features: [...features], text: printed });
  }
  return [...found.values()];
}

/** The price that each method decides for, then all others that it names. */
function markedPrices(methods: readonly MethodReading[]) {
  const chosen = methods.map(({ outcome }) => ({ amount: outcome, source: outcome.method }));
  const others = methods.flatMap(({ outcome: { method }, candidates }) =>
    candidates.slice(0, MARKED_MAX * 4).map(({ amount }) => ({ amount, source: method }))
  );
  return [...chosen, ...others].flatMap(({ amount, source }) =>
    "decimal" in amount ? [{ decimal: amount.decimal, currency: amount.currency, source }] : []
  );
}

function idOf(text: string): string {
  return sha256(text).subarray(0, ID_BYTES).toHex();
}
