import { useApp } from "../app/app.ts";

/** Full, half or hollow: in stock, unknown, out of stock; said in words, too. */
export function StockDot({ inStock }: { inStock: boolean | null }) {
  const { words } = useApp();
  const state = inStock === null ? "unknown" : inStock ? "in" : "out";
  const text = words.stockDot[state];
  return <span class={`stock-dot ${state}`} role="img" aria-label={text} title={text} />;
}
