import { useQueryClient } from "@tanstack/preact-query";
import { ApiError } from "../../api/api_error.ts";
import { saveOver } from "../../api/save_over.ts";
import { useApp } from "../../app/app.ts";
import type { Product } from "./product.ts";
import { productValues } from "./product_values.ts";

/**
 * Makes the product or changes it as it was seen; throws `Overtaken` when it is another one by now. A
 * price that looks like a mix-up of units is asked about; null
 * when the person thinks better of it.
 */
export function useSaveProduct(
  product: Product | null,
): (body: Readonly<Record<string, unknown>>) => Promise<Product | null> {
  const { call, words, questions, show } = useApp();
  const isSameInForm = (one: Product, other: Product) =>
    JSON.stringify(productValues(one, show)) === JSON.stringify(productValues(other, show));
  const client = useQueryClient();
  const send = async (body: Readonly<Record<string, unknown>>, allowLargeChange?: boolean) => {
    const saved = product === null
      ? await call<Product>("/api/products", { method: "POST", body })
      : await saveOver<Product>(call, {
        path: `/api/products/${product.id}`,
        body,
        query: { allowLargeChange },
        isSeen: (latest) => isSameInForm(latest, product),
      });
    await client.invalidateQueries({ queryKey: ["products"] });
    return saved;
  };
  return async (body) => {
    try {
      return await send(body);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "price_unit_suspicious") throw error;
      const { large, largeText, largeYes } = words.products.form;
      const isMeant = await questions.ask({ title: large, text: largeText, yes: largeYes });
      return isMeant ? await send(body, true) : null;
    }
  };
}
