import { isFar } from "../../engine/wording/show.ts";
import { useApp } from "../app/app.ts";

interface MarketNumberProps {
  /** A percentage or an index. */
  readonly value: number;
  /** As it is shown. */
  readonly text: string;
}

/** A figure of the market; one so far off that it is told by a few digits has all of them in its title. */
export function MarketNumber({ value, text }: MarketNumberProps) {
  const { show } = useApp();
  return isFar(value) ? <span title={show.number(value)}>{text}</span> : <>{text}</>;
}
