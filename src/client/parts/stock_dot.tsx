import { useApp } from "../app/app.ts";

/**
 * Shows the stock as a full (in stock), half (unknown) or hollow (out of stock) dot, and in words
 * for screen readers.
 */
export function StockDot({ inStock }: { inStock: boolean | null }) {
  const { words } = useApp();
  const state = inStock === null ? "unknown" : inStock ? "in" : "out";
  const text = words.stockDot[state];
  return <span class={`stock-dot ${state}`} role="img" aria-label={text} title={text} />;
}
