import { changePct, type Fraction, ourGapPct } from "../../base/fraction.ts";
import { useApp, useDocument } from "../app/app.ts";
import { Badge, Icon } from "./controls.tsx";
import { isFar } from "../../engine/wording/show.ts";
import { byId, get } from "../api/call.ts";

/** A margin below this percentage after a price change is marked as a warning. */
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

/** If `text` is a shortened number, a tooltip shows all digits. */
export function MarketNumber({ value, text }: { value: number; text: string }) {
  const { show } = useApp();
  return isFar(value) ? <span title={show.number(value)}>{text}</span> : <>{text}</>;
}

/** A full dot means in stock, a half dot means unknown, and a hollow dot means out of stock. */
export function StockDot({ inStock }: { inStock: boolean | null }) {
  const { words } = useApp();
  const state = inStock === null ? "unknown" : inStock ? "in" : "out";
  const text = words.stockDot[state];
  return <span class={`stock-dot ${state}`} role="img" aria-label={text} title={text} />;
}

/**
 * Shows the lowest price of 30 days. Under German law (PAngV), a price reduction must state this
 * price.
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
