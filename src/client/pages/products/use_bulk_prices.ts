/** Sets the prices of many products as they were planned, and takes them back. */
import { useState } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { useChange } from "../../app/use_change.ts";
import {
  reversed,
  type SeenPrice,
  type SetPrices,
  setPrices,
  type SetPricesOutcome,
} from "../../parts/decision/set_prices.ts";
import type { PlannedPrice } from "./price_plan.ts";

const TOUCHED = ["products", "proposals", "overview", "market", "audit"];

interface BulkPricing {
  /** How many were sent; null while nothing is. */
  readonly sent: number | null;
  set(prices: readonly PlannedPrice[], reason: string): void;
}

export function useBulkPrices(onDone: () => void): BulkPricing {
  const { words, show, toasts } = useApp();
  const texts = words.bulkPrices;
  const [sent, setSent] = useState<number | null>(null);
  const tell = ({ left, error }: SetPricesOutcome, text: string, undo?: () => void) => {
    if (error !== null) toasts.refuse(error);
    toasts.tell(left > 0 ? `${text} · ${texts.left(show.number(left))}` : text, undo);
  };
  const undo = useChange({
    run: (call, prices: readonly SeenPrice[]) =>
      setPrices(call, { prices, reason: words.priceEdit.takenBack }),
    touches: TOUCHED,
    onDone: (outcome) => tell(outcome, texts.undone(show.number(outcome.done.length))),
  });
  const change = useChange({
    run: (call, wish: SetPrices) => setPrices(call, wish, setSent),
    touches: TOUCHED,
    onDone: (outcome) => {
      const { done } = outcome;
      const back = () => undo.mutate(done.map(reversed));
      setSent(null);
      tell(outcome, texts.done(show.number(done.length)), done.length > 0 ? back : undefined);
      onDone();
    },
  });
  return {
    sent,
    set: (prices, reason) => change.mutate({ prices: prices.map(priceOf), reason }),
  };
}

function priceOf({ id, currency, fromCents, toCents }: PlannedPrice): SeenPrice {
  return { id, currency, seenCents: fromCents, ourPriceCents: toCents };
}
