import type { Fraction } from "../../base/fraction.ts";
import { changePct } from "../../base/percent.ts";
import { useApp } from "../app/app.ts";
import { MarketNumber } from "./market_number.tsx";
import { Icon } from "./icon.tsx";

interface DeltaProps {
  readonly fromCents: number | null;
  /** A price for a pack is an exact fraction for a piece. */
  readonly toCents: number | Fraction | null;
}

/** A change in percent: sign and arrow say the same. Colour says where a price stands, not how it moved. */
export function Delta({ fromCents, toCents }: DeltaProps) {
  if (!fromCents || toCents === null) return <>–</>;
  return <DeltaPct pct={changePct(fromCents, toCents)} />;
}

/** As `Delta`, of a change in percent that is known. */
export function DeltaPct({ pct }: { pct: number }) {
  const { show } = useApp();
  if (pct === 0) return <>{show.percentChange(0)}</>;
  return (
    <span class="delta">
      <Icon name={pct > 0 ? "up" : "down"} />
      <MarketNumber value={pct} text={show.percentChange(pct)} />
    </span>
  );
}
