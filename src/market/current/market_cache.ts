/** The market tables of this process, with a common memory limit (docs/decisions/market.md). */

import { countActiveProducts } from "../../catalogue/products/change_log_store.ts";
import { roomLog } from "../../platform/log.ts";
import type { RuleCache } from "../../rules/rule.ts";
import {
  type CurrentMarket,
  KeptTable,
  MarketCounters,
  type TableSetup,
  tooLarge,
} from "./kept_table.ts";
import type { Reader } from "./read_market.ts";

export type MarketCacheOptions = Partial<TableSetup> & {
  readonly bytesMax: number;
  readonly ruleCache: RuleCache;
};

const log = roomLog("market");

export class MarketCache {
  readonly #tables = new Map<string, KeptTable>();
  readonly #ended = new AbortController();
  readonly #setup: TableSetup;

  constructor(options: MarketCacheOptions) {
    this.#setup = {
      counters: new MarketCounters(),
      smallMax: 2_000,
      patienceMs: 10_000,
      backOffFactor: 5,
      ended: this.#ended.signal,
      ...options,
    };
  }

  /**
   * Commits of other processes may be missing for up to 250 ms. Throws `market_too_large`, and
   * `unavailable` if loading takes more than 10 s.
   */
  async read(workspace: Reader): Promise<CurrentMarket> {
    return await this.#tableOf(workspace).read(workspace);
  }

  /** Throws `market_too_large` above 500,000 products. */
  async readLabelled(workspace: Reader): Promise<CurrentMarket> {
    for (;;) {
      const kept = this.#tableOf(workspace);
      const current = await kept.read(workspace);
      if (current.table.size > 500_000) throw tooLarge();
      if (await kept.fillLabels(workspace, current.table)) return current;
    }
  }

  /** Returns null instead of waiting for a large table. */
  async readIfLoaded(workspace: Reader): Promise<CurrentMarket | null> {
    if (this.#ended.signal.aborted) return null;
    const isLoaded = this.#tables.get(workspace.workspaceId)?.isLoaded === true;
    if (!isLoaded && await countActiveProducts(workspace) > this.#setup.smallMax) {
      this.warm(workspace);
      return null;
    }
    const kept = this.#tableOf(workspace);
    return await kept.read(workspace);
  }

  warm(workspace: Reader): void {
    this.#tableOf(workspace).warm(workspace);
  }

  /** Must be called every second, but never twice at the same time. */
  async tend(): Promise<void> {
    for (const [workspaceId, kept] of [...this.#tables]) {
      if (this.#ended.signal.aborted) return;
      await kept.tend().catch((error: unknown) => {
        // Readers get the same error when they read.
        log.warning("market not kept", { workspaceId, error });
      });
    }
  }

  size(): number {
    return this.#tables.values().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#tables.values().map((kept) => kept.settle()));
  }

  #tableOf(workspace: Reader): KeptTable {
    const { workspaceId } = workspace;
    const kept = this.#tables.get(workspaceId) ??
      new KeptTable(this.#setup, () => this.#forgetOldest(workspaceId));
    this.#tables.delete(workspaceId);
    this.#tables.set(workspaceId, kept);
    kept.noteAsked(workspace);
    return kept;
  }

  #forgetOldest(keptId: string): void {
    for (const [id, kept] of this.#tables) {
      if (this.size() <= this.#setup.bytesMax) return;
      if (id !== keptId && kept.isLoaded) this.#tables.delete(id);
    }
  }
}
