/** The pages of a shop by the words of their titles, so that a product of ours finds those it may be on. */
import { TitleIndex } from "../../engine/matching/title_index.ts";
import type { IndexedProduct, SoughtPage } from "./product_index.ts";

/** What of a page leads to it. */
type TitledPage = Pick<SoughtPage, "title" | "brand" | "mpn">;

/** A page that may show a product. */
interface LikelyPage {
  readonly urlHash: string;
  /** How likely the titles name one article, from 0 to 1. */
  readonly score: number;
}

interface Entry {
  readonly entry: number;
  /** Of the words that were indexed: who says the same again costs nothing. */
  readonly words: number;
}

export class PageIndex {
  readonly #titles = new TitleIndex();
  readonly #places: string[] = [];
  readonly #entries = new Map<string, Entry>();

  get size(): number {
    return this.#entries.size;
  }

  /** True where most of the memory is of pages that are gone or have other titles now. */
  get isWorn(): boolean {
    return this.#places.length > 1_000 && this.#places.length > 2 * this.size;
  }

  /** A page as it is now, in the place of what was known of it; one without a title is none. */
  put(urlHash: string, { title, brand, mpn }: TitledPage): void {
    const words = hashOf(`${title ?? ""}\n${brand ?? ""}\n${mpn ?? ""}`);
    if (this.#entries.get(urlHash)?.words === words) return;
    this.remove(urlHash);
    if (title === null || title.trim() === "") return;
    const entry = this.#titles.add({ title, brand, mpns: mpn === null ? [] : [mpn] });
    this.#places[entry] = urlHash;
    this.#entries.set(urlHash, { entry, words });
  }

  remove(urlHash: string): void {
    const known = this.#entries.get(urlHash);
    if (!known) return;
    this.#entries.delete(urlHash);
    this.#titles.remove(known.entry);
  }

  /** The pages from one place on, up to before another (null: to the end). */
  within(from: string, before: string | null): string[] {
    return this.#entries.keys().filter((place) =>
      place >= from && (before === null || place < before)
    ).toArray();
  }

  /** Up to three pages that are likely enough to be looked at, the likeliest first. */
  likelyFor({ title, brand, mpn }: Pick<IndexedProduct, "title" | "brand" | "mpn">): LikelyPage[] {
    const side = this.#titles.read({ title, brand, mpns: mpn === null ? [] : [mpn] });
    return this.#titles.suggest(side).flatMap(({ entry, score }) => {
      const urlHash = this.#places[entry];
      return urlHash === undefined ? [] : [{ urlHash, score }];
    });
  }
}

/** FNV-1a. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
