import { blankProduct, type Product } from "../../src/catalogue/products/product.ts";

export const MADE_AT = "2026-03-02T09:00:00.000Z";

export function madeProduct(given: Partial<Product> = {}): Product {
  const id = "a".repeat(24);
  const blank = blankProduct({ id, sku: "S-1", title: "T", currency: "EUR", createdAt: MADE_AT });
  return { ...blank, ...given };
}
