/**
 * What a shop's page teaches about where its shop has prices: amounts, and which of them each place
 * has first. No HTML, at most 40 prices and 4 KB.
 */
import type { WorkBudget } from "../work_budget.ts";
import { isSameAmount, type WrittenAmount } from "../amount.ts";
import { has, type ScoredPrice } from "../shown/score_prices.ts";
import { PlaceSelectors } from "./place_selectors.ts";
import { placeText, type PricePlace } from "./recipe.ts";
import type { StatePrice } from "./state_prices.ts";

/** An amount of a page. */
export interface DigestPrice extends WrittenAmount {
  readonly score: number;
}

/** What a place has on a page. */
export interface PlaceFind extends PricePlace {
  /** The price that it finds first, by its place in `prices`. */
  readonly at: number;
  /** How many different amounts it finds. */
  readonly amounts: number;
}

/** What else than a recipe says of the price of a page. */
export interface DigestReference extends WrittenAmount {
  /** True where the markup of the page says it. */
  readonly isMarked: boolean;
}

/** What is kept of a page to learn from. */
export interface PageDigest {
  /** Null where nothing sure says which price is meant. */
  readonly reference: DigestReference | null;
  readonly prices: readonly DigestPrice[];
  readonly finds: readonly PlaceFind[];
}

/** All that a page has of prices. */
export interface PagePrices {
  /** Those that it shows. */
  readonly shown: readonly ScoredPrice[];
  /** Those that its scripts hold. */
  readonly state: readonly StatePrice[];
}

/** Bounds on what one page may leave behind. */
export const DIGEST_BYTES_MAX = 4_096;
const PRICES_MAX = 40;
/** Of them, so that there is room for what is shown. */
const STATE_BYTES_MAX = 1_200;
/** Of one price, as JSON, beside its texts. */
const ROOM = 64;

/**
 * Prices in the order in which a place stands for them: that of the page, those that are struck last.
 * Nobody pays them, unless the shop calls its own price so.
 */
export function inPageOrder(prices: readonly ScoredPrice[]): readonly ScoredPrice[] {
  const rank = (price: ScoredPrice) => Number(has(price, "struck", "old"));
  return prices.toSorted((a, b) => rank(a) - rank(b) || a.at - b.at);
}

/**
 * An amount of the data with the points of its best place on the page; 0 where it is not shown, which
 * speaks neither for it nor against it.
 */
export function stateAmount(
  state: StatePrice,
  shown: readonly ScoredPrice[],
): DigestPrice {
  const place = shown.find((price) => isSameAmount(price, state));
  const { decimal } = state;
  if (!place) return { decimal, codes: state.codes, score: 0 };
  const codes = state.codes.length > 0 ? state.codes : place.codes;
  return { decimal, codes, score: place.score };
}

/**
 * Makes a digest of what a page has, as far as there is room: what scripts hold, those first that are
 * what is meant; then the prices of an amount that is asked for, a plain decimal, and the best ones,
 * each with its selectors.
 */
export function digestOf(
  { shown: prices, state }: PagePrices,
  reference: DigestReference | null,
  work: WorkBudget,
  wanted: string | null = null,
): PageDigest {
  const places = new PlaceSelectors(work);
  const finds = new Map<string, { readonly first: ScoredPrice; readonly amounts: Set<string> }>();
  for (const price of inPageOrder(prices)) {
    for (const selector of places.of(price.whole)) {
      work.take(1);
      finds.getOrInsertComputed(selector, () => ({ first: price, amounts: new Set() }))
        .amounts.add(price.decimal);
    }
  }
  const kept = new Keeping(reference);
  const isWanted = ({ decimal }: Pick<DigestPrice, "decimal">) => decimal === wanted;
  putState(
    kept,
    { shown: prices, state },
    (price) => isWanted(price) || (reference !== null && isSameAmount(price, reference)),
  );
  for (const price of prices.toSorted((a, b) => Number(isWanted(b)) - Number(isWanted(a)))) {
    if (!kept.put(price)) break;
    for (const selector of places.of(price.whole)) {
      const find = finds.get(selector);
      if (find) kept.find({ selector }, find.first, find.amounts.size);
    }
  }
  return kept.digest();
}

/** What each place in the data has first, those that have what is meant before others. */
function putState(
  kept: Keeping,
  { shown, state }: PagePrices,
  isMeant: (price: DigestPrice) => boolean,
): void {
  const amounts = Map.groupBy(state, ({ statePath }) => statePath);
  const finds = [...amounts.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { statePath } = first;
    const price = stateAmount(first, shown);
    return [{ statePath, price, count: new Set(own.map(({ decimal }) => decimal)).size }];
  });
  const rank = (price: DigestPrice) => isMeant(price) ? 0 : price.score > 0 ? 1 : 2;
  for (
    const { statePath, price, count } of finds.toSorted((a, b) => rank(a.price) - rank(b.price))
  ) {
    if (kept.bytes > STATE_BYTES_MAX) return;
    kept.find({ statePath }, price, count);
  }
}

/** A digest that grows up to its bounds. */
class Keeping {
  readonly #prices: DigestPrice[] = [];
  readonly #places = new Map<DigestPrice, number>();
  readonly #finds: PlaceFind[] = [];
  readonly #known = new Set<string>();
  readonly #reference: DigestReference | null;
  #bytes: number;

  constructor(reference: DigestReference | null) {
    this.#reference = reference;
    this.#bytes = ROOM + JSON.stringify(reference).length;
  }

  digest(): PageDigest {
    return { reference: this.#reference, prices: this.#prices, finds: this.#finds };
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** False where there is no room. */
  put(price: DigestPrice): boolean {
    if (this.#places.has(price)) return true;
    const { decimal, codes, score } = price;
    const kept = { decimal, codes, score };
    if (this.#prices.length >= PRICES_MAX || !this.#fits(kept)) return false;
    this.#places.set(price, this.#prices.length);
    this.#prices.push(kept);
    return true;
  }

  find(place: PricePlace, first: DigestPrice, amounts: number): void {
    if (this.#known.has(placeText(place)) || !this.put(first)) return;
    const at = this.#places.get(first);
    const find = at === undefined ? null : { ...place, at, amounts };
    if (find === null || !this.#fits(find)) return;
    this.#known.add(placeText(place));
    this.#finds.push(find);
  }

  #fits(part: DigestPrice | PlaceFind): boolean {
    const bytes = JSON.stringify(part).length + 1;
    if (this.#bytes + bytes > DIGEST_BYTES_MAX) return false;
    this.#bytes += bytes;
    return true;
  }
}
