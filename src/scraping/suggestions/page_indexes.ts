/** Indexes of known pages by title, in memory. Before each use, changed pages are read again. */
import { idMark } from "../../base/id.ts";
import { TitleIndex } from "../../engine/matching/title_index.ts";
import type { Vocabulary } from "../../engine/matching/word_lists.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import {
  listPagesOfPart,
  listPageVersions,
  PAGE_PARTS,
  partEnds,
} from "../../shops/discovery/page_store.ts";
import type { IndexedProduct, SoughtPage } from "./product_indexes.ts";

const KEPT_MS = 10 * 60_000;
const READ = 500;

interface Kept {
  readonly index: PageIndex;
  readonly versions: Map<number, string>;
  usedAtMs: number;
}

export class PageIndexes {
  readonly #kept = new Map<string, Kept>();
  /** Time until which an index that was too large for memory is not loaded again, by shop. */
  readonly #refused = new Map<string, number>();
  readonly #pagesMax: number;

  /** `pagesMax` counts the pages of all shops. A page takes about 600 bytes. */
  constructor(pagesMax = 200_000) {
    this.#pagesMax = pagesMax;
  }

  get size(): number {
    return this.#kept.values().reduce((sum, { index }) => sum + index.size, 0);
  }

  /** Null if the index has no room in memory or the process stops. Calls must not overlap. */
  async of(
    workspace: WorkspaceStore,
    competitorId: string,
    nowMs: number,
    stopping: AbortSignal,
  ): Promise<PageIndex | null> {
    const shop = `${workspace.workspaceId} ${competitorId}`;
    if ((this.#refused.get(shop) ?? 0) > nowMs) return null;
    const known = this.#kept.get(shop);
    const kept: Kept = known && !known.index.isWorn
      ? known
      : { index: new PageIndex(), versions: new Map(), usedAtMs: nowMs };
    kept.usedAtMs = nowMs;
    this.#kept.set(shop, kept);
    try {
      const end = await this.#refresh(workspace, competitorId, kept, nowMs, stopping);
      if (end === "fresh") return kept.index;
      if (end === "no room") this.#refused.set(shop, nowMs + KEPT_MS);
    } catch (error) {
      // An incomplete index would hide pages for ever.
      this.#kept.delete(shop);
      throw error;
    }
    this.#kept.delete(shop);
    return null;
  }

  keepOnly(shops: ReadonlySet<string>): void {
    for (const known of [this.#kept, this.#refused]) {
      for (const shop of known.keys()) if (!shops.has(shop)) known.delete(shop);
    }
  }

  async #refresh(
    workspace: WorkspaceStore,
    competitorId: string,
    { index, versions }: Kept,
    nowMs: number,
    stopping: AbortSignal,
  ): Promise<"fresh" | "no room" | "stopped"> {
    // Versions are read before pages, because pages may change meanwhile.
    const latest = await listPageVersions(workspace, competitorId);
    const slice = new TimeSlice();
    for (let part = 0; part < PAGE_PARTS; part++) {
      const version = latest.get(part);
      if (version === undefined || versions.get(part) === version) continue;
      const [from, before] = partEnds(part);
      const gone = new Set(versions.has(part) ? index.within(from, before) : []);
      for (let after: string | null = null;;) {
        const pages = await listPagesOfPart(workspace, competitorId, part, after, READ);
        for (const { urlHash, page } of pages) {
          gone.delete(urlHash);
          if (index.size < 100_000) index.put(urlHash, page);
          await slice.yield();
        }
        after = pages.at(-1)?.urlHash ?? null;
        if (!this.#hasRoom(nowMs)) return "no room";
        if (stopping.aborted) return "stopped";
        if (pages.length < READ || after === null) break;
      }
      for (const urlHash of gone) index.remove(urlHash);
      versions.set(part, version);
    }
    return "fresh";
  }

  /** Deletes unused indexes if there are too many pages. False if there are still too many. */
  #hasRoom(nowMs: number): boolean {
    for (const [shop, { usedAtMs }] of this.#kept) {
      if (this.size <= this.#pagesMax) return true;
      if (nowMs - usedAtMs > KEPT_MS) this.#kept.delete(shop);
    }
    return this.size <= this.#pagesMax;
  }
}

interface LikelyPage {
  readonly urlHash: string;
  /** Likeness of the titles of page and product, from 0 to 1. */
  readonly score: number;
  /** Weights of words; null for the common words of German shops. */
  readonly words: Vocabulary | null;
}

interface Entry {
  readonly entry: number;
  /** Hash of the indexed words. */
  readonly words: number;
}

export class PageIndex {
  readonly #titles = new TitleIndex();
  readonly #places: string[] = [];
  readonly #entries = new Map<string, Entry>();

  get size(): number {
    return this.#entries.size;
  }

  /** True if removed pages and old titles use most of the index's memory. */
  get isWorn(): boolean {
    return this.#places.length > 1_000 && this.#places.length > 2 * this.size;
  }

  /** Removes a page without a title. */
  put(urlHash: string, { title, brand, mpn }: Pick<SoughtPage, "title" | "brand" | "mpn">): void {
    const words = idMark(`${title ?? ""}\n${brand ?? ""}\n${mpn ?? ""}`);
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

  /** `before` is excluded. */
  within(from: string, before: string | null): string[] {
    return this.#entries.keys().filter((place) =>
      place >= from && (before === null || place < before)
    ).toArray();
  }

  /** Returns up to three pages, most similar first. */
  likelyFor({ title, brand, mpn }: Pick<IndexedProduct, "title" | "brand" | "mpn">): LikelyPage[] {
    const side = this.#titles.read({ title, brand, mpns: mpn === null ? [] : [mpn] });
    return this.#titles.suggest(side).flatMap(({ entry, score }) => {
      const urlHash = this.#places[entry];
      return urlHash === undefined ? [] : [{ urlHash, score, words: this.#titles.words }];
    });
  }
}
