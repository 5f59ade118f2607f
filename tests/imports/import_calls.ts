/** Helpers for tests of imports: send files, and read what they have changed. */
import type { Caller } from "../caller.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { testWith } from "../opened.ts";

export const IMPORT = "/api/public/v1/products/import";

type Content = Uint8Array | string;

export function sendXml(caller: Caller, body: Content, query = "", headers = {}) {
  return caller.post(IMPORT + query, body, { "Content-Type": "application/xml", ...headers });
}

export function importXml(caller: Caller, body: Content, query = "") {
  return importFile(caller, body, "application/xml", query);
}

export async function importFile(caller: Caller, body: Content, type: string, query = "") {
  const answer = await sendXml(caller, body, query, { "Content-Type": type });
  let known = JSON.parse(await answer.text());
  while (known.data.status === "queued" || known.data.status === "running") {
    known = await (await caller.get(`${IMPORT}/${known.data.jobId}`)).json();
  }
  return known;
}

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

export const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

export type ImportBench = Awaited<ReturnType<typeof startBench>>;

export async function startBench(settings?: Record<string, unknown>) {
  const app = await startTestApp();
  const key = await app.key(["products:write"]);
  if (settings) await app.owner.change("/api/settings", settings);
  return {
    app,
    key,
    /** Sends items as XML, or a text or bytes with the content type `type`. Returns the job. */
    async send(file: readonly Item[] | Content, query = "", type = "text/csv") {
      app.clock.advance(60_000);
      const isRaw = typeof file === "string" || file instanceof Uint8Array;
      const [body, sentAs] = isRaw ? [file, type] : [itemsXml(file), "application/xml"];
      return (await importFile(key, body, sentAs, query)).data;
    },
    async preview(file: BlobPart, name = "artikel.csv", profile?: object) {
      const form = new FormData();
      if (profile) form.append("profile", JSON.stringify(profile));
      form.append("file", new File([file], name));
      return (await key.act("/api/public/v1/import-profiles/preview", form)).data;
    },
    async products() {
      const path = "/api/products?limit=200&includeDeleted=true";
      const { items } = await app.owner.read(path);
      const bySku = items.map((product: { sku: string }) => [product.sku, product]);
      return new Map<string, ReturnType<typeof JSON.parse>>(bySku);
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

export async function sendItems(app: TestApp, items: readonly Item[], query = "") {
  app.clock.advance(60_000);
  const key = await app.key(["products:write"]);
  return (await importFile(key, itemsXml(items), "application/xml", query)).data;
}

export function articles(
  count = 20,
  { price = "100,00", cost = "60,00", currency = "EUR", title = "Artikel", from = 0 } = {},
): Item[] {
  const more = `<COSTPRICE>${cost}</COSTPRICE><CURRENCY>${currency}</CURRENCY>`;
  const articleOf = (n: number) => ({ sku: `S-${n}`, title: `${title} ${n}`, price, more });
  return Array.from({ length: count }, (_, n) => articleOf(from + n));
}

export const counts = (
  inserted: number,
  updated: number,
  skipped: number,
  errors = 0,
  competitorsLinked = 0,
) => ({ inserted, updated, skipped, errors, competitorsLinked });

export const withBench = testWith(() => startBench());
export const withVat = testWith(() => startBench({ pricesIncludeVat: true, vatRatePct: 19 }));
