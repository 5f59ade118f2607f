import type { Show } from "./show.ts";

/** A margin in percent as it is shown everywhere: one decimal, never more than there is. */
export function shownMargin(marginPct: number | null, show: Pick<Show, "share">): string {
  return show.share(marginPct === null ? null : Math.floor(marginPct * 10) / 10);
}
