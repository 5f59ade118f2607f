/**
 * The text that `q` looks through: one string for all products of a shard (docs/decisions/keys.md).
 */
import { fold } from "../../base/text.ts";
import { type IdWalk, mergeIds } from "./merge_ids.ts";

/** Between two products; no text of a product and no filter holds it. */
const SEPARATOR = "\u0000";

export interface ShardText {
  readonly text: string;
  /** Where each product's part starts, ascending. */
  readonly starts: readonly number[];
  /** Ascending, so that a search can go on after an id. */
  readonly ids: readonly string[];
}

interface SearchCard {
  readonly sku: string;
  readonly id: string;
  /** Folded already. */
  readonly text: string;
}

/** The text of a shard's cards, whatever their order. */
export function joinShardText(cards: readonly SearchCard[]): ShardText {
  const sorted = cards.toSorted((a, b) => a.id < b.id ? -1 : 1);
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const { sku, text } of sorted) {
    const part = `${fold(sku)}\n${text}${SEPARATOR}`;
    starts.push(length);
    parts.push(part);
    length += part.length;
  }
  return { text: parts.join(""), starts, ids: sorted.map(({ id }) => id) };
}

/**
 * Characters that a shard keeps in memory, ids included: about its bytes, twice that beyond
 * Latin-1.
 */
export function sizeOfText({ text, ids }: ShardText): number {
  return text.length + ids.length * 40;
}

/**
 * The ids after `after` of the products whose part contains the folded `needle`, ascending. Looks
 * only as far as ids are taken: a common word costs as little as a page needs.
 */
export function* searchShards(
  shards: readonly ShardText[],
  needle: string,
  after: string | null,
): Generator<string> {
  const searches = shards.map((shard) => beginSearch(shard, needle, after));
  yield* mergeIds(searches, (search) => searchOn(search, search.product + 1));
}

/** How many products of a shard contain the folded `needle`. */
export function countHits(shard: ShardText, needle: string): number {
  const search = beginSearch(shard, needle, null);
  let count = 0;
  for (; search.id !== undefined; count++) searchOn(search, search.product + 1);
  return count;
}

/** Stands on a product that contains the needle. */
interface Search extends IdWalk {
  readonly shard: ShardText;
  readonly needle: string;
  product: number;
  id: string | undefined;
}

function beginSearch(shard: ShardText, needle: string, after: string | null): Search {
  const search: Search = { shard, needle, product: 0, id: undefined };
  searchOn(search, after === null ? 0 : lastIndex(shard.ids, 0, (id) => id <= after) + 1);
  return search;
}

/** Moves to the first product from `from` on that contains the needle. */
function searchOn(search: Search, from: number): void {
  const { shard: { text, starts, ids }, needle } = search;
  const start = starts[from];
  const at = start === undefined ? -1 : text.indexOf(needle, start);
  search.product = at < 0 ? ids.length : lastIndex(starts, from, (start) => start <= at);
  search.id = ids[search.product];
}

/**
 * The last index for which `holds`, in a list where it holds for a beginning; one less than `from`
 * when it holds for none from there on. Looks near `from` first: matches lie close together.
 */
function lastIndex<T>(list: readonly T[], from: number, holds: (item: T) => boolean): number {
  const isIn = (at: number) => {
    const item = list[at];
    return item !== undefined && holds(item);
  };
  let step = 1;
  while (isIn(from + step - 1)) step *= 2;
  let low = from + (step >> 1) - 1;
  let high = from + step - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isIn(middle)) low = middle;
    else high = middle;
  }
  return low;
}
