/** A price that a person sets in place of the proposed one: written as prices of products are. */
import { Failure, refuseFields } from "../../base/failure.ts";
import { showMoney } from "../../base/money.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { ProductPatch } from "../../catalogue/products/product_input.ts";
import { suspiciousPrices, withPrices } from "../../catalogue/products/product_money.ts";
import type { StoredProposal } from "./proposal.ts";

export interface ChosenPriceInput {
  /** In major units. */
  readonly price?: ProductPatch["ourPrice"];
  /** In minor units; both must agree. */
  readonly priceCents?: ProductPatch["ourPriceCents"];
  /** Lets a price through that is exactly 10^exponent times what it was. */
  readonly allowsLargeChange?: boolean;
}

/**
 * In minor units; null where nobody chose one. Refuses with `validation_failed` what is no price above
 * 0, and with `price_unit_suspicious` one that looks like minor units written as major ones.
 */
export function chosenCents(
  { currency }: Pick<StoredProposal, "currency">,
  product: Product,
  { price, priceCents, allowsLargeChange = false }: ChosenPriceInput,
): number | null {
  if (price === undefined && priceCents === undefined) return null;
  const priced = withPrices(product, product.currency, {
    ...(price !== undefined && { ourPrice: price }),
    ...(priceCents !== undefined && { ourPriceCents: priceCents }),
  });
  if ("refused" in priced) {
    throw refuseFields(priced.refused.map(({ message }) => ({ path: "price", message })));
  }
  const { ourPriceCents: cents } = priced.product;
  if (cents === null || cents < 1) {
    throw refuseFields([{ path: "price", message: "Must be above 0" }]);
  }
  if (!allowsLargeChange && suspiciousPrices(product, priced.product).length > 0) {
    const [was, is] = [product.ourPriceCents ?? 0, cents].map((one) => showMoney(one, currency));
    throw new Failure(
      "price_unit_suspicious",
      `"price" would go from ${was} to ${is}, as if the integer that was read had been sent back: ` +
        "write major units, or repeat with ?allowLargeChange=true",
      { fields: [{ path: "price", message: "Is written in major units" }] },
    );
  }
  return cents;
}
