/**
 * Distinguishes prices in sentences from prices that stand alone. A sentence may mention prices of
 * other articles.
 */
import { ancestorsOf, type HtmlElement, textOf } from "../page/html_element.ts";
import type { PlaceWordsOf } from "./place_words.ts";
import { withoutNotes } from "./scored_price.ts";
import { isPriceLabel } from "./shown_prices.ts";

const BLOCKS: ReadonlySet<string> = new Set("p li blockquote q dd figcaption h2 h3 h4".split(" "));
const HEADINGS: ReadonlySet<string> = new Set(["h2", "h3", "h4"]);
const QUOTES: ReadonlySet<string> = new Set(["blockquote", "q"]);
const LEVELS_UP = 5;
const PROSE_LEVELS_UP = 11;
/** A text with this many words is running text. */
const WORDS_OF_TEXT = 12;
const WORDS_OF_SENTENCE = 5;
const WORDS_OF_PROSE = 3;
const WORDS_BEFORE = 2;
const WORD = /\p{L}{2,}/gu;
const SENTENCE_END = /\p{L}{2}[.!?](?:\s|$)/u;

export function isRunningText(element: HtmlElement, words: PlaceWordsOf): boolean {
  const block = blockOf(element, words);
  if (block === null) return false;
  if (QUOTES.has(block.name)) return true;
  const text = withoutNotes(textOf(block, 500));
  const count = text.match(WORD)?.length ?? 0;
  if (count >= WORDS_OF_TEXT) return true;
  const [lead = ""] = text.split(/\d/, 1);
  // A long text in a heading is no label: `10 € für Ihre Anmeldung zum Newsletter`.
  if (HEADINGS.has(block.name) && count >= WORDS_OF_SENTENCE && !isPriceLabel(lead)) return true;
  // A text that starts with a price is about this price, such as its stock or delivery time.
  if ((lead.match(WORD)?.length ?? 0) < WORDS_BEFORE || isPriceLabel(lead)) return false;
  if (count >= WORDS_OF_SENTENCE && SENTENCE_END.test(text)) return true;
  return count >= WORDS_OF_PROSE && isInProse(block, words);
}

/** Null inside a part of the page whose class names a price. */
function blockOf(element: HtmlElement, words: PlaceWordsOf): HtmlElement | null {
  const found = ancestorsOf(element, LEVELS_UP).find((at) =>
    words.of(at).mean("price") || BLOCKS.has(at.name)
  );
  return found === undefined || words.of(found).mean("price") ? null : found;
}

function isInProse(block: HtmlElement, words: PlaceWordsOf): boolean {
  return ancestorsOf(block, PROSE_LEVELS_UP).some((at) => words.of(at).mean("prose"));
}
