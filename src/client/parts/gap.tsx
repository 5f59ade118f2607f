import type { Fraction } from "../../base/fraction.ts";
import { gapPct } from "../../base/percent.ts";
import { useApp } from "../app/app.ts";
import { MarketNumber } from "./market_number.tsx";

interface GapProps {
  readonly ourCents: number | null;
  /** For one of ours; a price for a pack is an exact fraction. */
  readonly theirs: Fraction | null;
}

/** How far we are from a price of the market: + where we are dearer, − where we are cheaper. */
export function Gap({ ourCents, theirs }: GapProps) {
  const pct = ourCents === null || theirs === null ? null : gapPct(ourCents, theirs);
  return pct === null ? <>–</> : <GapPct pct={pct} />;
}

/** As `Gap`, of a gap in percent that is known. */
export function GapPct({ pct }: { pct: number }) {
  const { show } = useApp();
  const side = pct > 0 ? "dearer" : pct < 0 ? "cheaper" : undefined;
  return (
    <span class={side}>
      <MarketNumber value={pct} text={show.percentChange(pct)} />
    </span>
  );
}
