/** The page indexes of a process: read when they are asked for, brought up to date part by part. */
import {
  listPagesOfPart,
  listPageVersions,
  PAGE_PARTS,
  partEnds,
} from "../../shops/discovery/page_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { PageIndex } from "./page_index.ts";

/** Of one shop; pages beyond are found by their numbers alone. */
const PAGES_PER_SHOP_MAX = 100_000;
/** Of all shops of a process: some 600 bytes each. */
const PAGES_MAX = 200_000;
/** An index that was used so lately makes no room for another one. */
const KEPT_MS = 10 * 60_000;
/** Pages that are read at once. */
const READ = 500;

interface Kept {
  readonly index: PageIndex;
  /** By part: the version up to which the index has it. */
  readonly versions: Map<number, string>;
  usedAtMs: number;
}

export class PageIndexes {
  readonly #kept = new Map<string, Kept>();
  /** By shop: until when nobody tries to find room for it. */
  readonly #refused = new Map<string, number>();
  readonly #pagesMax: number;

  /** `pagesMax`: in all, for tests. */
  constructor(pagesMax = PAGES_MAX) {
    this.#pagesMax = pagesMax;
  }

  /** Pages of all indexes. */
  get size(): number {
    return this.#kept.values().reduce((sum, { index }) => sum + index.size, 0);
  }

  /**
   * The index of a shop with every page that was committed before the call; null where others, used
   * lately, leave it no room, and when the process stops. One call at a time.
   */
  async of(
    workspace: WorkspaceStore,
    competitorId: string,
    nowMs: number,
    stopping: AbortSignal,
  ): Promise<PageIndex | null> {
    const shop = nameOf(workspace, competitorId);
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
      // Half an index would hide pages for good.
      this.#kept.delete(shop);
      throw error;
    }
    this.#kept.delete(shop);
    return null;
  }

  /** Whether the next call of `of` has little to do. */
  isReady(workspace: WorkspaceStore, competitorId: string, nowMs: number): boolean {
    const shop = nameOf(workspace, competitorId);
    return this.#kept.has(shop) || (this.#refused.get(shop) ?? 0) > nowMs;
  }

  /** Gives the memory of shops back that are looked for no more. */
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
    // Versions are read first: what comes meanwhile is read again the next time.
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
          if (index.size < PAGES_PER_SHOP_MAX) index.put(urlHash, page);
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

  /** Takes away what nobody used lately, where that makes room. */
  #hasRoom(nowMs: number): boolean {
    for (const [shop, { usedAtMs }] of this.#kept) {
      if (this.size <= this.#pagesMax) return true;
      if (nowMs - usedAtMs > KEPT_MS) this.#kept.delete(shop);
    }
    return this.size <= this.#pagesMax;
  }
}

function nameOf({ workspaceId }: WorkspaceStore, competitorId: string): string {
  return `${workspaceId} ${competitorId}`;
}
