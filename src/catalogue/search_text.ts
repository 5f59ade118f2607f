/** The text that `q` looks through: one string for all products of a shard (design §5). */
import { fold } from "../base/text.ts";

/** Between two products; no text of a product and no filter holds it. */
const SEPARATOR = "\u0000";

export interface ShardText {
  readonly text: string;
  /** Where each product's part starts, ascending. */
  readonly starts: readonly number[];
  readonly ids: readonly string[];
}

/** `text` of a card is folded already. */
export function joinShardText(
  cards: readonly { readonly sku: string; readonly id: string; readonly text: string }[],
): ShardText {
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const { sku, text } of cards) {
    const part = `${fold(sku)}\n${text}${SEPARATOR}`;
    starts.push(length);
    parts.push(part);
    length += part.length;
  }
  return { text: parts.join(""), starts, ids: cards.map(({ id }) => id) };
}

/** Characters that a shard keeps in memory, ids included: about its bytes, twice that beyond Latin-1. */
export function sizeOfText({ text, ids }: ShardText): number {
  return text.length + ids.length * 40;
}

/** The ids of the products whose part contains the folded `needle`, in the order of the shard. */
export function searchShard({ text, starts, ids }: ShardText, needle: string): string[] {
  const found: string[] = [];
  let product = 0;
  for (let at = text.indexOf(needle); at >= 0;) {
    product = productAt(starts, at, product);
    const id = ids[product];
    if (id !== undefined) found.push(id);
    const next = starts[product + 1];
    at = next === undefined ? -1 : text.indexOf(needle, next);
  }
  return found;
}

/** The last start at or before `at`, looked for from `from` on. */
function productAt(starts: readonly number[], at: number, from: number): number {
  let low = from;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? Infinity) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
