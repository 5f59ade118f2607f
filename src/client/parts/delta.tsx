import type { Fraction } from "../../base/fraction.ts";
import { changePct } from "../../base/percent.ts";
import { useApp } from "../app/app.ts";
import { Icon } from "./icon.tsx";

interface DeltaProps {
  readonly fromCents: number | null;
  /** A price for a pack is an exact fraction for a piece. */
  readonly toCents: number | Fraction | null;
}

/** A change in percent: sign, arrow and colour say the same. */
export function Delta({ fromCents, toCents }: DeltaProps) {
  const { show } = useApp();
  if (!fromCents || toCents === null) return <>–</>;
  const pct = changePct(fromCents, toCents);
  if (pct === 0) return <>{show.percentChange(0)}</>;
  return (
    <span class={pct > 0 ? "delta up" : "delta down"}>
      <Icon name={pct > 0 ? "up" : "down"} />
      {show.percentChange(pct)}
    </span>
  );
}
