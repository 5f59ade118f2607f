/** Counters since the process began, for /metrics only; no decision depends on them. */
export class MarketCounters {
  /** Tables that were loaded, by what from. */
  readonly loads = { catalogue: 0, checkpoint: 0 };
  /** `superseded`: another process was first, or the checkpoint was no longer needed. */
  readonly checkpoints = { written: 0, superseded: 0, failed: 0 };
  /** Products that were read again because they, or the time, had changed. */
  productsReadAnew = 0;
  /** Answers of moves that told only the newest of very many. */
  movesCut = 0;
  /** Days of trends; `skipped`: taken up after midnight, or of a catalogue without room for its market. */
  readonly trendDays = { taken: 0, skipped: 0 };
}
