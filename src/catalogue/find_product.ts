/** Which product a path means (decisions §3). */
import { Failure } from "../base/failure.ts";
import { isId } from "../base/id.ts";
import type { WorkspaceStore } from "../platform/context.ts";
import { misfitOfSku, normaliseSku } from "./product_fields.ts";
import {
  findCard,
  findDeletedDocument,
  findDocument,
  type StoredDocument,
} from "./product_store.ts";

/** The active product of an id; the deleted one too when `includesDeleted`. Refuses with `not_found`. */
export async function requireDocument(
  workspace: WorkspaceStore,
  id: string,
  includesDeleted: boolean,
): Promise<StoredDocument> {
  const document = await findAnyDocument(workspace, id, includesDeleted);
  if (!document) throw noSuchProduct(id);
  return document;
}

async function findAnyDocument(workspace: WorkspaceStore, id: string, includesDeleted: boolean) {
  if (!isId(id)) return null;
  const document = await findDocument(workspace, id);
  return document ?? (includesDeleted ? await findDeletedDocument(workspace, id) : null);
}

export function noSuchProduct(text: string): Failure {
  return new Failure("not_found", `There is no product "${text.slice(0, 200).toWellFormed()}"`);
}

/**
 * The active product that an id or a SKU names: an id first, then the whole text as a SKU, then what
 * follows `sku:` or `id:`. Refuses with `not_found`.
 */
export async function requireDocumentByIdOrSku(
  workspace: WorkspaceStore,
  text: string,
): Promise<StoredDocument> {
  const [, prefix, rest = ""] = /^(sku|id):(.*)$/s.exec(text) ?? [];
  const document = await findById(workspace, text) ?? await findBySku(workspace, text) ??
    (prefix === "sku" ? await findBySku(workspace, rest) : null) ??
    (prefix === "id" ? await findById(workspace, rest) : null);
  if (!document) throw noSuchProduct(text);
  return document;
}

async function findById(workspace: WorkspaceStore, id: string): Promise<StoredDocument | null> {
  return isId(id) ? await findDocument(workspace, id) : null;
}

/** Active products only: the card of a deleted one leads nowhere. */
async function findBySku(workspace: WorkspaceStore, text: string): Promise<StoredDocument | null> {
  const sku = normaliseSku(text);
  if (misfitOfSku(sku) !== null) return null;
  const card = await findCard(workspace, sku);
  return card && !card.isDeleted ? await findDocument(workspace, card.id) : null;
}
