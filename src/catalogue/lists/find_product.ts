/** Which product a path means (docs/decisions/catalogue.md). */
import { Failure } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { normaliseSku } from "../../base/text.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { misfitOfSku } from "../products/product_fields.ts";
import { findCard } from "../products/card_store.ts";
import {
  findCardAndDocument,
  findDeletedDocument,
  findDocument,
  type StoredDocument,
} from "../products/product_store.ts";
import type { SkuMemory } from "./sku_memory.ts";

export function noSuchProduct(text: string): Failure {
  return new Failure("not_found", `There is no product "${text.slice(0, 200).toWellFormed()}"`);
}

/**
 * The active product of an id; the deleted one too when `includesDeleted`. Refuses with
 * `not_found`.
 */
export async function requireDocument(
  workspace: WorkspaceStore,
  id: string,
  includesDeleted: boolean,
): Promise<StoredDocument> {
  const document = isId(id)
    ? await findDocument(workspace, id) ??
      (includesDeleted ? await findDeletedDocument(workspace, id) : null)
    : null;
  if (!document) throw noSuchProduct(id);
  return document;
}

/** Reads what is shown beside a product; begun as soon as its id is known or guessed. */
export type ReadBeside<T> = (id: string) => Promise<T>;

export interface DocumentWith<T> {
  readonly document: StoredDocument;
  readonly beside: T;
}

interface Search<T> {
  readonly workspace: WorkspaceStore;
  readonly skus: SkuMemory;
  readonly readBeside: ReadBeside<T>;
}

/**
 * The active product that an id or a SKU names: an id first, then the whole text as a SKU, then what
 * follows `sku:` or `id:`. Refuses with `not_found`.
 */
export async function requireByIdOrSku<T>(
  search: Search<T>,
  text: string,
): Promise<DocumentWith<T>> {
  const [, prefix, rest = ""] = /^(sku|id):(.*)$/s.exec(text) ?? [];
  const found = await findById(search, text) ?? await findBySku(search, text) ??
    (prefix === "sku" ? await findBySku(search, rest) : null) ??
    (prefix === "id" ? await findById(search, rest) : null);
  if (!found) throw noSuchProduct(text);
  return found;
}

async function findById<T>(
  { workspace, readBeside }: Search<T>,
  id: string,
): Promise<DocumentWith<T> | null> {
  if (!isId(id)) return null;
  const [document, beside] = await Promise.all([findDocument(workspace, id), readBeside(id)]);
  return document && { document, beside };
}

/** Active products only: the card of a deleted one leads nowhere. */
async function findBySku<T>(search: Search<T>, text: string): Promise<DocumentWith<T> | null> {
  const { workspace, skus, readBeside } = search;
  const sku = normaliseSku(text);
  if (misfitOfSku(sku) !== null) return null;
  const guess = skus.guess(workspace.workspaceId, sku);
  if (guess !== null) {
    const [{ card, document }, beside] = await Promise.all([
      findCardAndDocument(workspace, sku, guess),
      readBeside(guess),
    ]);
    if (card?.id === guess) return document && { document, beside };
  }
  const card = await findCard(workspace, sku);
  if (!card || card.isDeleted) return null;
  skus.note(workspace.workspaceId, sku, card.id);
  return await findById(search, card.id);
}
