import type { Fraction } from "../../base/fraction.ts";
import { gapPct } from "../../base/percent.ts";
import { useApp } from "../app/app.ts";

interface GapProps {
  readonly ourCents: number | null;
  /** For one of ours; a price for a pack is an exact fraction. */
  readonly theirs: Fraction | null;
}

/** How far we are from a price of the market: + where we are dearer, − where we are cheaper. */
export function Gap({ ourCents, theirs }: GapProps) {
  const { show } = useApp();
  const pct = ourCents === null || theirs === null ? null : gapPct(ourCents, theirs);
  if (pct === null) return <>–</>;
  const side = pct > 0 ? "dearer" : pct < 0 ? "cheaper" : undefined;
  return <span class={side}>{show.percentChange(pct)}</span>;
}
