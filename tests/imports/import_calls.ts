/** Uploads as clients send them, and small files in the house format. */
import type { Caller } from "../caller.ts";

export const IMPORT = "/api/public/v1/products/import";

export function sendXml(
  caller: Caller,
  body: Uint8Array | string,
  query = "",
  headers: Record<string, string> = {},
): Promise<Response> {
  return caller.post(IMPORT + query, body, { "Content-Type": "application/xml", ...headers });
}

export function importXml(caller: Caller, body: Uint8Array | string, query = "") {
  return importFile(caller, body, "application/xml", query);
}

export async function importFile(
  caller: Caller,
  body: Uint8Array | string,
  type: string,
  query = "",
) {
  const answer = await sendXml(caller, body, query, { "Content-Type": type });
  let known = JSON.parse(await answer.text());
  while (known.data.status === "queued" || known.data.status === "running") {
    known = await (await caller.get(`${IMPORT}/${known.data.jobId}`)).json();
  }
  return known;
}

/** An item in the house format. `price` has no end date and no tier. */
export interface Item {
  readonly sku?: string;
  readonly title?: string;
  readonly price?: string;
  readonly more?: string;
}

export function itemsXml(items: readonly Item[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><ITEMS>${items.map(itemXml).join("")}</ITEMS>`;
}

function itemXml({ sku, title, price, more = "" }: Item): string {
  const element = (name: string, text: string | undefined) =>
    text === undefined ? "" : `<${name}>${text}</${name}>`;
  const row = price === undefined ? "" : `<SALESPRICE><PRICE>${price}</PRICE></SALESPRICE>`;
  return `<ITEM>${element("SKU", sku)}${element("TITLE", title)}${row}${more}</ITEM>`;
}
