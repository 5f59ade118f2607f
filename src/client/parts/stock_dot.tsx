import { useApp } from "../app/app.ts";

/** A full dot means in stock, a half dot unknown, a hollow dot out of stock. */
export function StockDot({ inStock }: { inStock: boolean | null }) {
  const { words } = useApp();
  const state = inStock === null ? "unknown" : inStock ? "in" : "out";
  const text = words.stockDot[state];
  return <span class={`stock-dot ${state}`} role="img" aria-label={text} title={text} />;
}
