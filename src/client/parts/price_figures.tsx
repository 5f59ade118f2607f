/** Prices, margins, effects on profit and price ranges, as texts and small drawings. */
import { changePct, type Fraction, ourGapPct } from "../../base/fraction.ts";
import { useApp, useDocument } from "../app/app.ts";
import { Badge, Icon } from "./controls.tsx";
import { isFar, type Show } from "../../engine/wording/show.ts";
import { byId, get } from "../api/call.ts";
import { shopClass, useShopColours } from "./shops.tsx";
import type { Proposal } from "../../rules/proposals/proposal.ts";
import { daysBetween, shortDay } from "../formats/day.ts";
import type { Words } from "../words/words.ts";
import type { Workspace } from "../../accounts/workspace.ts";

/** A margin below this percentage after a price change gets a warning colour. */
export const THIN_PCT = 10;

export function MarginAfter({ pct, text }: { readonly pct: number | null; readonly text: string }) {
  return pct !== null && pct < THIN_PCT ? <Badge tone="warn">{text}</Badge> : <>{text}</>;
}

export function Delta(
  { fromCents, toCents }: { fromCents: number | null; toCents: number | Fraction | null },
) {
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

export function Gap({ ourCents, theirs }: { ourCents: number | null; theirs: Fraction | null }) {
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

/** If `text` shortens the number, a tooltip shows all its digits. */
export function MarketNumber({ value, text }: { value: number; text: string }) {
  const { show } = useApp();
  return isFar(value) ? <span title={show.number(value)}>{text}</span> : <>{text}</>;
}

/** A full dot means in stock, a hollow dot out of stock, and a half dot unknown. */
export function StockDot({ inStock }: { inStock: boolean | null }) {
  const { words } = useApp();
  const state = inStock === null ? "unknown" : inStock ? "in" : "out";
  const text = words.stockDot[state];
  return <span class={`stock-dot ${state}`} role="img" aria-label={text} title={text} />;
}

/**
 * Shows the lowest price of the last 30 days, which German law (PAngV) requires with a price
 * reduction.
 */
export function LowestPrice({ productId }: { readonly productId: string }) {
  const { words: { product: texts, auditLog, proposals }, show } = useApp();
  const { data: lowest } = useDocument(get("/api/products/{id}/lowest-price", byId(productId)));
  if (!lowest) return null;
  const gross = lowest.lowestGrossCents;
  return (
    <p class="lowest small">
      {lowest.reduced ? texts.lowestBeforeCut : texts.lowest}:{" "}
      <strong>{show.money(lowest.lowestCents, lowest.currency)}</strong>
      <span class="soft">
        {lowest.lowestCents === null ? texts.lowestNone : proposals.asOf(show.date(lowest.at))}
        {typeof gross === "number" && `, ${texts.gross} ${show.money(gross, lowest.currency)}`}
        . {!lowest.complete && texts.lowestIncomplete} {texts.lowestNote}{" "}
        <a href={`/products/${productId}/price-evidence?at=${lowest.at}`}>{texts.evidence.link}</a>
      </span>
      {lowest.leftOut.map(({ at, toCents, currency, by, reason }) => (
        <span key={at} class="soft">
          {texts.lowestWithout(show.money(toCents, currency), show.dateTime(at), by.name)}
          {reason && `: ${auditLog.quote(reason)}`}
        </span>
      ))}
    </p>
  );
}

interface RangeTick {
  readonly key: string;
  readonly cents: number;
  readonly shopId?: string;
}

interface RangeBarProps {
  readonly ticks: readonly RangeTick[];
  readonly ourCents: number | null;
  readonly spoken: string;
  readonly isSmall?: boolean;
}

const SIDE = 15;
/** Sizes in pixels, except `edge`: the free space at each end, in percent of the width. */
const LARGE = { height: 40, tick: 14, radius: 9, edge: 3 };
const SMALL = { height: 16, tick: 5, radius: 5, edge: 6 };

export function placeInRange(cents: number, all: readonly number[], edge = LARGE.edge): number {
  const [low, high] = [Math.min(...all), Math.max(...all)];
  return high === low ? 50 : edge + (cents - low) / (high - low) * (100 - 2 * edge);
}

export function RangeBar({ ticks, ourCents, spoken, isSmall = false }: RangeBarProps) {
  const colours = useShopColours();
  const { height, tick, radius, edge } = isSmall ? SMALL : LARGE;
  const middle = height / 2;
  const all = [...ticks.map(({ cents }) => cents), ...(ourCents === null ? [] : [ourCents])];
  const placeOf = (cents: number) => `${placeInRange(cents, all, edge)}%`;
  return (
    <svg
      class={isSmall ? "range-bar mini-range" : "range-bar"}
      width="100%"
      height={height}
      role="img"
      aria-label={spoken}
    >
      {isSmall ? <line class="range-axis" x1="0" x2="100%" y1={middle} y2={middle} /> : (
        <>
          <rect class="range-part cheapest" x="0" y="18" width={`${SIDE}%`} height="4" />
          <rect
            class="range-part middle"
            x={`${SIDE}%`}
            y="18"
            width={`${100 - 2 * SIDE}%`}
            height="4"
          />
          <rect
            class="range-part dearest"
            x={`${100 - SIDE}%`}
            y="18"
            width={`${SIDE}%`}
            height="4"
          />
        </>
      )}
      {/* Drawn before the ticks, so that the dot hides no tick. */}
      {ourCents !== null && (
        <circle class="range-own" cx={placeOf(ourCents)} cy={middle} r={radius} />
      )}
      {ticks.map(({ key, shopId, cents }) => (
        <line
          key={key}
          class={shopId === undefined
            ? "range-tick"
            : `range-tick ${shopClass(colours.get(shopId) ?? 1)}`}
          x1={placeOf(cents)}
          x2={placeOf(cents)}
          y1={middle - tick}
          y2={middle + tick}
        />
      ))}
    </svg>
  );
}

type Effect = Pick<Proposal, "effect" | "currency" | "currentCents" | "proposedCents">;

export function effectLabel(
  { fields, proposals }: Words,
  { effect }: Pick<Proposal, "effect">,
): string {
  return effect?.basis === "30d" ? proposals.effect30d : fields.effect;
}

export function effectSumText({ proposals }: Words, show: Show, cents: number): string {
  return proposals.together(show.money(Math.abs(cents)), cents < 0);
}

export function effectText(
  { proposals }: Words,
  show: Show,
  { effect, currency, currentCents, proposedCents }: Effect,
): string {
  if (effect === null) return "–";
  // If the price changes but the effect is 0, nothing was sold in 30 days.
  if (effect.cents === 0 && effect.basis === "30d" && currentCents !== proposedCents) {
    return proposals.noSales;
  }
  return proposals.effectOf[effect.basis](show.moneyChange(effect.cents, currency));
}

export function effectAsOf(
  { proposals }: Words,
  show: Show,
  { effect, createdAt }: Pick<Proposal, "effect" | "createdAt">,
): string | null {
  const isOld = daysBetween(createdAt, Date.now(), show.timeZone) > 0;
  return effect?.basis === "30d" && isOld ? proposals.asOf(shortDay(show, createdAt)) : null;
}

/** In minor units; 0 if unknown, or if prices are compared without shipping. */
export function parcelCents(
  product: { readonly shippingPriceCents?: number | null; readonly currency: string },
  workspace: Workspace | null,
): number {
  if (!workspace?.compareDelivered) return 0;
  const ofAll = product.currency === workspace.currency ? workspace.ownShippingCents : null;
  return product.shippingPriceCents ?? ofAll ?? 0;
}
