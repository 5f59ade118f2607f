/**
 * Finds the product that a request names by id or SKU (docs/decisions/catalogue.md), and suggests
 * SKUs that resemble an unknown SKU. Appends market data to the product's JSON for the response.
 */
import { z } from "@hono/zod-openapi";
import { appendFields, sha256Hex } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { keepNewest } from "../../base/collections.ts";
import type { PlainKey } from "../../platform/store/direct_reads.ts";
import { composed, normaliseSku } from "../../base/text.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { CompetitorPrice, type MarketSource, ProductMarket } from "../prices/product_market.ts";
import { findIndexRow, IndexRow, indexRowKey, listIndexRows } from "../products/index_row_store.ts";
import { parseProduct, type Product, ProductDocument, SHARD_NUMBERS } from "../products/product.ts";
import { skuError } from "../products/product_fields.ts";
import {
  findDeletedDocument,
  findDocument,
  type StoredDocument,
} from "../products/product_store.ts";

export function noSuchProduct(text: string): Failure {
  return new Failure("not_found", `There is no product "${text.slice(0, 200).toWellFormed()}"`);
}

type KeysBeside = (workspaceId: string, id: string) => readonly PlainKey[];

export async function requireDocument(
  workspace: WorkspaceStore,
  id: string,
  includesDeleted: boolean,
  beside?: KeysBeside,
): Promise<StoredDocument> {
  const document = await findById(workspace, id, includesDeleted, beside);
  if (!document) throw noSuchProduct(id);
  return document;
}

async function findById(
  workspace: WorkspaceStore,
  id: string,
  includesDeleted: boolean,
  beside?: KeysBeside,
): Promise<StoredDocument | null> {
  if (!isId(id)) return null;
  const keys = beside?.(workspace.workspaceId, id);
  return await findDocument(workspace, id, keys) ??
    (includesDeleted ? await findDeletedDocument(workspace, id, keys) : null);
}

export async function requireProduct(
  workspace: WorkspaceStore,
  id: string,
  includesDeleted: boolean,
): Promise<Product> {
  return parseProduct((await requireDocument(workspace, id, includesDeleted)).bytes);
}

export async function requireByIdOrSku(
  workspace: WorkspaceStore,
  text: string,
  includesDeleted: boolean,
  beside?: KeysBeside,
): Promise<StoredDocument> {
  const byId = (id: string) => findById(workspace, id, includesDeleted, beside);
  const bySku = async (written: string) => {
    const sku = normaliseSku(written);
    if (skuError(sku) !== null) return null;
    const guessed = await findGuessed(workspace, sku, beside);
    const indexRow = guessed ? null : await findIndexRow(workspace, sku);
    if (indexRow) keepNewest(guesses, guessOf(workspace, sku), indexRow.id, 10_000);
    return guessed ?? (indexRow && await byId(indexRow.id));
  };
  const [, prefix, rest = ""] = /^(sku|id):(.*)$/s.exec(text) ?? [];
  const found = await byId(text) ?? await bySku(text) ??
    (prefix === "sku" ? await bySku(rest) : null) ?? (prefix === "id" ? await byId(rest) : null);
  if (found === null) throw noSuchProduct(text);
  return found;
}

/** Ids of products that requests have named by SKU. */
const guesses = new Map<string, string>();

const guessOf = ({ workspaceId }: WorkspaceStore, sku: string) => `${workspaceId} ${sku}`;

/** Reads all rows in one call; returns null if no id is guessed or the guess is wrong. */
async function findGuessed(
  workspace: WorkspaceStore,
  sku: string,
  beside?: KeysBeside,
): Promise<StoredDocument | null> {
  const id = guesses.get(guessOf(workspace, sku));
  if (id === undefined) return null;
  const { workspaceId } = workspace;
  const keys = [...beside?.(workspaceId, id) ?? [], indexRowKey(workspaceId, sku)];
  const document = await findDocument(workspace, id, keys);
  const row = document?.beside?.at(-1);
  return document && row && new IndexRow(row.value).id === id ? document : null;
}

export const SingleProduct = ProductDocument.extend({
  competitorPrices: z.array(CompetitorPrice),
  market: ProductMarket.nullable(),
}).meta({ id: "SingleProduct" });

export interface BesideProduct {
  readonly beside: KeysBeside;
  /** `document` must have been read together with the rows at the keys `beside`. */
  competitorPrices(
    workspace: WorkspaceStore,
    document: StoredDocument,
  ): Promise<readonly CompetitorPrice[]>;
  readonly market: MarketSource;
}

export async function productInMarket(
  ctx: Context,
  { competitorPrices, market: source }: BesideProduct,
  document: StoredDocument,
  asksForOffers = false,
): Promise<StoredDocument> {
  const { id } = document;
  const [{ markets }, found, prices] = await Promise.all([
    source.beside(ctx, [id]),
    asksForOffers ? source.offersOf(ctx, [id]) : null,
    competitorPrices(ctx, document),
  ]);
  const market = markets.get(id) ?? null;
  const offers = found && (found.get(id) ?? []);
  const fields = { competitorPrices: prices, market };
  const bytes = appendFields(
    document.bytes,
    offers === null ? fields : { ...fields, competitorOffers: offers },
  );
  const isSilent = market === null || (market.links === 0 && market.proposal === null &&
    market.rule === null && market.marginPct === null);
  if (offers === null && prices.length === 0 && isSilent) return { ...document, bytes };
  // The ETag covers the appended data, because they can change while the document stays the same.
  const hash = sha256Hex(bytes.subarray(document.bytes.length)).slice(0, 16);
  return { ...document, bytes, etag: `${document.etag}-${hash}` };
}

/** If more SKUs than this resemble an unknown SKU, the error suggests no SKU. */
export const NEAR_SKUS_MAX = 3;
export const WANTED_SKUS_MAX = 10_000;
const EDITED_UNITS = { min: 5, max: 40 };
const COMPARED_MAX = 64;
const ROWS_PER_YIELD = 1_000;
const HASH_BASE = 0x01000193;
const NONE: readonly string[] = [];

/** Keeps letters and digits, in upper case. O becomes the digit 0, and I and L become 1. */
function formOf(sku: string): string {
  return composed(sku, "NFKC").toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
}

interface Wanted {
  readonly form: string;
  readonly same: string[];
  readonly near: string[];
}

export class NearSkus {
  readonly #byForm = new Map<string, Wanted>();
  readonly #byHash = new Map<number, Wanted[]>();

  constructor(skus: Iterable<string>) {
    for (const sku of skus) {
      const form = formOf(sku);
      if (form === "" || this.#byForm.has(form)) continue;
      if (this.#byForm.size === WANTED_SKUS_MAX) break;
      const wanted: Wanted = { form, same: [], near: [] };
      this.#byForm.set(form, wanted);
      for (const hash of hashesOf(form)) {
        const others = this.#byHash.getOrInsertComputed(hash, () => []);
        if (others.length < COMPARED_MAX) others.push(wanted);
      }
    }
  }

  pass(number: string, sku = number): void {
    const form = formOf(number);
    const same = this.#byForm.get(form);
    if (same) keep(same.same, sku);
    for (const hash of hashesOf(form)) {
      for (const wanted of this.#byHash.get(hash) ?? []) {
        if (areOneLetterApart(wanted.form, form)) keep(wanted.near, sku);
      }
    }
  }

  of(sku: string): readonly string[] {
    const { same, near } = this.#byForm.get(formOf(sku)) ?? { same: NONE, near: NONE };
    const found = same.length > 0 ? same : near;
    return found.length > NEAR_SKUS_MAX ? NONE : found.toSorted();
  }
}

function keep(found: string[], sku: string): void {
  if (found.length <= NEAR_SKUS_MAX && !found.includes(sku)) found.push(sku);
}

function hashesOf(text: string): number[] {
  const { length } = text;
  if (length < EDITED_UNITS.min || length > EDITED_UNITS.max) return [];
  const powers = [1];
  const heads = [0];
  for (let at = 0; at < length; at++) {
    powers.push(Math.imul(powers[at] ?? 0, HASH_BASE));
    heads.push((Math.imul(heads[at] ?? 0, HASH_BASE) + text.charCodeAt(at) + 1) | 0);
  }
  const whole = heads[length] ?? 0;
  const hashes = [whole >>> 0];
  for (let at = 0; at < length; at++) {
    const behind = powers[length - 1 - at] ?? 0;
    const without = whole + Math.imul((heads[at] ?? 0) - (heads[at + 1] ?? 0), behind);
    hashes.push(without >>> 0);
  }
  return hashes;
}

function areOneLetterApart(one: string, other: string): boolean {
  let from = 0;
  while (from < one.length && one[from] === other[from]) from++;
  let [end, otherEnd] = [one.length, other.length];
  while (end > from && otherEnd > from && one[end - 1] === other[otherEnd - 1]) {
    end--;
    otherEnd--;
  }
  const [left, otherLeft] = [one.slice(from, end), other.slice(from, otherEnd)];
  if (left.length <= 1 && otherLeft.length <= 1) return left !== otherLeft;
  return left.length === 2 && otherLeft === `${left[1]}${left[0]}`;
}

export async function findNearSkus(
  workspace: WorkspaceStore,
  unknown: ReadonlySet<string>,
  goOn: () => Promise<void>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const near = new NearSkus(unknown);
  let passed = 0;
  for (const shard of SHARD_NUMBERS) {
    for await (const { sku, indexRow } of listIndexRows(workspace, shard)) {
      if (!indexRow.isDeleted) near.pass(sku);
      if (++passed % ROWS_PER_YIELD === 0) await goOn();
    }
  }
  const found = [...unknown].map((sku) => [sku, near.of(sku)] as const);
  return new Map(found.filter(([, skus]) => skus.length > 0));
}
