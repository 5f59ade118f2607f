/** Products with open proposals, most with sales, for tests of the proposals' financial effect. */
import { rulesAppOf } from "../evaluation/market.ts";
import type { TestApp } from "../../harness.ts";

export interface Article {
  readonly sku: string;
  readonly currency: string;
  readonly ours: number;
  readonly rival: number;
  readonly cost: number;
  readonly sold: number | null;
}

export const ARTICLES: readonly Article[] = Array.from({ length: 48 }, (_, n) => articleOf(n));

function articleOf(n: number): Article {
  const ours = 4_000 + n * 731;
  const step = [-9.3, -8, -5.1, -2, -0.4, 0.7, 2, 3.3, 8, 11.7][n % 10] ?? 0;
  return {
    sku: `P-${n}`,
    currency: n % 6 === 5 ? "CHF" : "EUR",
    ours,
    rival: Math.round(ours * (100 + step) / 100),
    // At our current price, every fourth article has a margin of only 7 %.
    cost: Math.round(ours / 1.19 * (n % 4 === 3 ? 0.93 : 0.6)),
    sold: n % 7 === 2 ? null : n % 7 === 4 ? 0 : 1 + n * 3 % 17,
  };
}

export async function fillMoney(tested: TestApp): Promise<void> {
  const app = rulesAppOf(tested);
  await app.owner.change("/api/settings", { pricesIncludeVat: true, vatRatePct: 19 });
  await app.addRule({
    name: "As the cheapest",
    when: { trigger: "market_index", always: true },
    actions: [{ type: "propose_price", price: { adjust: { pct: 0 } } }],
  });
  await app.addProducts(ARTICLES.map(({ sku, currency, ours, cost }) => (
    { sku, currency, ourPrice: ours / 100, costPrice: cost / 100 }
  )));
  const sales = ARTICLES.flatMap(({ sku, sold }) => sold === null ? [] : [[sku, sold] as const]);
  await app.sell(Object.fromEntries(sales));
  for (const currency of ["EUR", "CHF"]) {
    const shown = ARTICLES.filter((one) => one.currency === currency);
    await app.push(shown.map(({ sku, rival }) => [sku, "acme", rival / 100]), { currency });
  }
}
