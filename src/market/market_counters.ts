/** Counters since the process started, for /metrics only; no decision depends on them. */
export class MarketCounters {
  /** Number of loaded tables, by source. */
  readonly loads = { catalogue: 0, checkpoint: 0 };
  /** `superseded`: another process was first, or the checkpoint was no longer needed. */
  readonly checkpoints = { written: 0, superseded: 0, failed: 0 };
  /** Number of products that were read again because they changed or because time has passed. */
  productsReadAnew = 0;
  /** Number of answers that contained only the newest of very many moves. */
  movesCut = 0;
  /** Number of days of trends; `skipped`: begun after midnight, or the market table has no room. */
  readonly trendDays = { taken: 0, skipped: 0 };
}
