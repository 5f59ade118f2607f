import { unpackDocument } from "../../src/catalogue/products/product_pack.ts";

/** The value of a row; for a product's row, its unpacked document. */
function storedDocument({ key: [table, , id], value }: Deno.KvEntry<unknown>): unknown {
  const isProduct = (table === "p" || table === "px") && id instanceof Uint8Array &&
    value instanceof Uint8Array;
  return isProduct ? unpackDocument(id.toHex(), new Uint8Array(value)) : value;
}

export function parsedDocument(row: Deno.KvEntry<unknown>): Record<string, unknown> {
  const bytes = storedDocument(row);
  if (!(bytes instanceof Uint8Array)) throw new Error("Not the row of a product");
  return JSON.parse(new TextDecoder().decode(bytes));
}
