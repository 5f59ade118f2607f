import { useQueryClient } from "@tanstack/preact-query";
import { ApiError } from "../../api/api_error.ts";
import type { Wire } from "../../api/wire.ts";
import { useApp } from "../../app/app.ts";
import type { SaveOver } from "../../parts/form/use_save_over.tsx";
import type { Product } from "./product.ts";

type ProductBody = Wire<"ProductChange">;

/** A change of a product as it is sent. */
export interface ProductSave {
  readonly body: ProductBody;
  /** Set where the person was asked. */
  readonly allowLargeChange: boolean | undefined;
}

/**
 * Makes a product, or changes one as it was seen (`over`). A price that looks like a mix-up of units is
 * asked about; null when the person thinks better of it, or somebody else was faster.
 */
export function useSaveProduct(
  over: SaveOver<Product, ProductSave> | null,
): (body: ProductBody) => Promise<Product | null> {
  const { call, words, questions } = useApp();
  const client = useQueryClient();
  const send = async (body: ProductBody, allowLargeChange?: boolean) => {
    const { sku = "", title = "" } = body;
    const saved = over === null
      ? await call((api) => api.POST("/api/products", { body: { ...body, sku, title } }))
      : await over.save({ body, allowLargeChange });
    if (saved !== null) await client.invalidateQueries({ queryKey: ["products"] });
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
