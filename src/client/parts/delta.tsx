import { useApp } from "../frame/app.ts";
import { Icon } from "./icon.tsx";

interface DeltaProps {
  readonly fromCents: number | null;
  readonly toCents: number | null;
}

/** A change in percent: sign, arrow and colour say the same. */
export function Delta({ fromCents, toCents }: DeltaProps) {
  const { show } = useApp();
  if (!fromCents || toCents === null) return <>–</>;
  const pct = (toCents - fromCents) / fromCents * 100;
  if (pct === 0) return <>{show.percentChange(0)}</>;
  return (
    <span class={pct > 0 ? "delta up" : "delta down"}>
      <Icon name={pct > 0 ? "up" : "down"} />
      {show.percentChange(pct)}
    </span>
  );
}
