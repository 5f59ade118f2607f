/** The text that `q` searches: one string for all products of a shard (docs/decisions/keys.md). */
import { type IdWalk, mergeIds } from "../../base/heap.ts";
import { hasWords, type WordSearch, wordSearchOf } from "../../base/search_words.ts";
import { NUMBER_MARK, type Product, searchPart, searchText } from "../products/product.ts";

/** Ends the text of each product in a shard. Texts and queries never contain this character. */
const SEPARATOR = "\u0000";

export interface ShardText {
  readonly text: string;
  /** Start of each product's part in `text`, ascending. */
  readonly starts: readonly number[];
  readonly ids: readonly string[];
}

/** Sorted by id. `indexRows` may be in any order. */
export function joinShardText(
  indexRows: readonly { readonly sku: string; readonly id: string; readonly text: string }[],
): ShardText {
  const sorted = indexRows.toSorted((a, b) => a.id < b.id ? -1 : 1);
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const { sku, text } of sorted) {
    const part = `${searchPart(sku, text)}${SEPARATOR}`;
    starts.push(length);
    parts.push(part);
    length += part.length;
  }
  return { text: parts.join(""), starts, ids: sorted.map(({ id }) => id) };
}

/** Estimated bytes of a Latin-1 text. Other texts take twice as much per character. */
export function sizeOfText({ text, ids }: ShardText): number {
  return text.length + ids.length * 40;
}

/** `numbered`: products whose SKU, EAN or MPN begins with the query. `other`: all other results. */
export type HitKind = "all" | "numbered" | "other";

interface ProductSearch {
  /**
   * The first word is searched in the text of the whole shard. The other words are searched only in
   * the texts of products that contain the first word.
   */
  readonly words: readonly RegExp[];
  readonly number: RegExp;
  readonly single: WordSearch;
}

export function productSearchOf(query: string): ProductSearch {
  const single = wordSearchOf(query);
  return {
    words: single.words.map(({ source }) => new RegExp(`(?:${source})`, "g")),
    number: new RegExp(`${NUMBER_MARK}${single.number}`, "g"),
    single,
  };
}

export function isFound({ single }: ProductSearch, product: Product): boolean {
  return hasWords(single, searchPart(product.sku, searchText(product)));
}

/** Sorted by id. `after` is exclusive. Stops searching when the caller has enough. */
export function* searchShards(
  shards: readonly ShardText[],
  search: ProductSearch,
  after: string | null,
  kind: HitKind,
): Generator<string> {
  const walks = shards.map((shard) => {
    const walk: Walk = { shard, search, kind, product: 0, id: undefined };
    moveTo(walk, after === null ? 0 : lastIndex(shard.ids, 0, (id) => id <= after) + 1);
    return walk;
  });
  yield* mergeIds(walks, (walk) => moveTo(walk, walk.product + 1));
}

/** In no particular order. */
export function* findInShards(
  shards: readonly ShardText[],
  search: ProductSearch,
): Generator<string> {
  for (const shard of shards) {
    const walk: Walk = { shard, search, kind: "all", product: 0, id: undefined };
    for (moveTo(walk, 0); walk.id !== undefined; moveTo(walk, walk.product + 1)) yield walk.id;
  }
}

interface Walk extends IdWalk {
  readonly shard: ShardText;
  readonly search: ProductSearch;
  readonly kind: HitKind;
  product: number;
  id: string | undefined;
}

function moveTo(walk: Walk, from: number): void {
  const { shard: { text, starts, ids }, search: { words, number }, kind } = walk;
  // Numbers contain no blanks, so products with a matching number also match the first word.
  const [first, ...rest] = kind === "numbered" ? [number] : words;
  walk.product = ids.length;
  for (let next = from; first !== undefined && next < ids.length;) {
    const at = endOf(first, text, starts[next] ?? text.length);
    if (at === 0) break;
    const product = lastIndex(starts, next, (start) => start < at);
    next = product + 1;
    const isOne = rest.length === 0 && kind !== "other";
    const part = isOne ? "" : text.slice(starts[product], starts[next] ?? text.length);
    if (!rest.every((word) => endOf(word, part, 0) > 0)) continue;
    if (kind === "other" && endOf(number, part, 0) > 0) continue;
    walk.product = product;
    break;
  }
  walk.id = ids[walk.product];
}

function endOf(word: RegExp, text: string, from: number): number {
  word.lastIndex = from;
  return word.test(text) ? word.lastIndex : 0;
}

/** `holds` must be true up to some item and false after that item. */
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
