import type { CheckedGroup, DerivedRows } from "./derived_rows.ts";
import { listKnownImports } from "./prices/price_history_store.ts";
import { type Card, type CardPrices, hasSamePrices, PRICE_NUMBERS } from "./products/card.ts";
import { listCards } from "./products/card_store.ts";
import { listGenerations } from "./products/generation_store.ts";
import { searchText, shard, SHARD_NUMBERS } from "./products/product.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";

/** One for each product, of its SKU. */
export const CARDS: DerivedRows = {
  expect: ({ product, isDeleted }) => [
    cardText(product.sku, { isDeleted, text: searchText(product), prices: product }),
  ],

  async *survey(workspace, sums) {
    const generations = await listGenerations(workspace);
    const imports = await listKnownImports(workspace);
    for await (const { sku, card, number } of walkCards(workspace)) {
      const name = nameOf(sku);
      if (!generations.has(number)) yield `${name} is in shard ${number} without a generation`;
      if (shard(sku) !== number) yield `${name} is in shard ${number} instead of ${shard(sku)}`;
      if (card.firstPriceJob !== null && !imports.has(card.firstPriceJob)) {
        yield `${name} has its price from import ${card.firstPriceJob}, whose sender nobody knows`;
      }
      sums.find(card.id, cardText(sku, card));
    }
  },

  async *compare(workspace, { products, has }: CheckedGroup) {
    const found = new Set<string>();
    for await (const { sku, card } of walkCards(workspace)) {
      if (!has(card.id)) continue;
      const name = nameOf(sku);
      const checked = products.get(card.id);
      if (checked?.product.sku !== sku) {
        yield `${name} names product ${card.id}, which is not there or has another SKU`;
        continue;
      }
      found.add(card.id);
      if (checked.isDeleted !== card.isDeleted) yield `${name} is wrong about deletion`;
      if (searchText(checked.product) !== card.text) yield `${name} has an old text`;
      if (!hasSamePrices(card.prices, checked.product)) yield `${name} has old prices`;
    }
    for (const [id, { product }] of products) {
      if (!found.has(id)) yield `Product ${id} has no card of its SKU "${product.sku}"`;
    }
  },
};

async function* walkCards(workspace: WorkspaceStore) {
  for (const number of SHARD_NUMBERS) {
    for await (const row of listCards(workspace, number)) yield { ...row, number };
  }
}

function nameOf(sku: string): string {
  return `The card of SKU "${sku}"`;
}

function cardText(
  sku: string,
  { isDeleted, text, prices }: Pick<Card, "isDeleted" | "text" | "prices">,
): string {
  return `card\n${sku}\n${isDeleted}\n${text}\n${pricesText(prices)}`;
}

function pricesText(prices: CardPrices): string {
  return [prices.currency, ...PRICE_NUMBERS.map((name) => prices[name])].join(" ");
}
