/** Generates a file whose values depend on item numbers, so that tests can check each product. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { everyItem, valuesOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { counts, type Item, itemsXml } from "./import_calls.ts";

const DUPLICATES = 20;
const UNTITLED = 15;
const LINKED_EVERY = 10;
const SHOPS = ["shop-0.example", "shop-1.example", "shop-2.example"];

export async function addSilentShops(owner: Caller): Promise<void> {
  for (const domain of SHOPS) await owner.create("/api/competitors", { domain, enabled: false });
}

const priceOf = (n: number): number => 100 + (n * 7_919) % 900_000;

function itemOf(n: number): Item {
  const cents = priceOf(n);
  const price = `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, "0")}`;
  const url = `https://${SHOPS[n % 3]}/p/${n}`;
  const link = n % LINKED_EVERY === 0 ? `<COMPETITOR><URL>${url}</URL></COMPETITOR>` : "";
  const more = `<BRAND>Marke ${n % 40}</BRAND><CATEGORY>Gruppe ${n % 25}</CATEGORY>${link}`;
  return { sku: `S-${n}`, title: `Artikel ${n}`, price, more };
}

/** The file has `count` valid items, and further items that are duplicates or refused. */
export function numberedItems(count: number): string {
  const items = Array.from({ length: count }, (_, n) => itemOf(n));
  const step = Math.floor((count - 1) / DUPLICATES);
  const price = "0,01";
  const early = Array.from({ length: DUPLICATES }, (_, n) => ({ ...itemOf(n * step), price }));
  const untitled = Array.from({ length: UNTITLED }, (_, n) => ({ sku: `U-${n}`, price: "1,00" }));
  return itemsXml([...early, ...items, ...untitled]);
}

export async function requireExactStats(owner: Caller, jobId: string, items: number) {
  const job = await owner.read(`/api/imports/${jobId}`);
  assertEquals([job.status, job.count], ["succeeded", items + DUPLICATES + UNTITLED]);
  assertEquals([job.errorCount, job.warningCount], [UNTITLED, DUPLICATES]);
  const links = items / LINKED_EVERY;
  assertEquals(job.stats, counts(items, 0, DUPLICATES, UNTITLED, links));
}

export async function requireEachProduct(owner: Caller, count: number): Promise<void> {
  const products = await everyItem(owner, "/api/products?limit=200");
  const found = valuesOf(products, "sku", "ourPrice", "title").map(String)
    .filter((product) => product.startsWith("S-"));
  const wanted = Array.from({ length: count }, (_, n) => `S-${n},${priceOf(n)},Artikel ${n}`);
  assertEquals(found.sort(), wanted.sort());
}
