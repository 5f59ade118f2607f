/** The choices of an import source, as plain lists. The web client imports them too. */

/** Ways in which files arrive. With `pull`, the service fetches the files. */
export const SOURCE_KINDS = ["api", "upload", "pull"] as const;

export const PULL_OUTCOMES = ["running", "imported", "unchanged", "waiting", "failed"] as const;

export const AUTH_KINDS = ["basic", "bearer", "header"] as const;

export const PULL_PERIODS = ["15m", "1h", "24h"] as const;

/** Monday first, as in Temporal. */
export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Day = (typeof DAYS)[number];

export const DEFAULT_SOURCE_HOLD = {
  movePct: 50,
  sharePct: 20,
  costMovePct: 50,
  changedPct: 60,
  deletedPct: 20,
  newPct: 50,
  currencyPct: 1,
} as const;

export const HOLD_BOUNDS = [
  "movePct",
  "costMovePct",
  "sharePct",
  "changedPct",
  "newPct",
  "deletedPct",
  "currencyPct",
] as const satisfies readonly (keyof typeof DEFAULT_SOURCE_HOLD)[];
