import type { Fraction } from "../../base/fraction.ts";
import { changePct, ourGapPct } from "../../base/percent.ts";
import { useApp } from "../app/app.ts";
import { Badge, Icon } from "./controls.tsx";
import { isFar } from "../../engine/wording/show.ts";

/** A margin below this percentage after a price change is marked. */
export const THIN_PCT = 10;

export function MarginAfter({ pct, text }: { readonly pct: number | null; readonly text: string }) {
  return pct !== null && pct < THIN_PCT ? <Badge tone="warn">{text}</Badge> : <>{text}</>;
}

interface DeltaProps {
  readonly fromCents: number | null;
  /** The price of one piece; a fraction if it was computed from the price of a pack. */
  readonly toCents: number | Fraction | null;
}

/** A change in percent, with sign and arrow. Only `Gap` has a colour. */
export function Delta({ fromCents, toCents }: DeltaProps) {
  if (!fromCents || toCents === null) return <>–</>;
  return <DeltaPct pct={changePct(fromCents, toCents)} />;
}

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

interface GapProps {
  readonly ourCents: number | null;
  /**
   * The price of one piece. A fraction is exact even if the price of a pack does not divide evenly.
   */
  readonly theirs: Fraction | null;
}

/** Our distance from a market price: + if we are dearer, − if we are cheaper. */
export function Gap({ ourCents, theirs }: GapProps) {
  const pct = ourCents === null || theirs === null ? null : ourGapPct(ourCents, theirs);
  return pct === null ? <>–</> : <GapPct pct={pct} />;
}

export function GapPct({ pct }: { pct: number }) {
  const { show } = useApp();
  const side = pct > 0 ? "dearer" : pct < 0 ? "cheaper" : undefined;
  return (
    <span class={side}>
      <MarketNumber value={pct} text={show.percentChange(pct)} />
    </span>
  );
}

/** Adds a tooltip with all digits if `text` is shortened. */
export function MarketNumber({ value, text }: { value: number; text: string }) {
  const { show } = useApp();
  return isFar(value) ? <span title={show.number(value)}>{text}</span> : <>{text}</>;
}
