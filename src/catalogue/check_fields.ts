/** Looks for disagreements between blocks of fields and the products that they tell of. */
import type { WorkspaceStore } from "../platform/store/context.ts";
import { decodeBlock, type FieldBlock, rowsOfBlock } from "./products/field_block.ts";
import { listBlocks, listFieldVersions, type StoredBlock } from "./products/field_block_store.ts";
import type { FilterFields } from "./products/filter_fields.ts";
import { shard, SHARD_NUMBERS } from "./products/product.ts";
import { INDEXED_NAMES } from "./products/product_field_table.ts";

/** What the row of a product must say. */
export interface ExpectedFields {
  readonly sku: string;
  readonly isDeleted: boolean;
  readonly fields: FilterFields;
  readonly updatedAtMs: number;
  /** Ticked off when its row is found. */
  hasFields: boolean;
}

/** One sentence for each disagreement; `catalogue` has every product, deleted ones too, by id. */
export async function* checkFields(
  workspace: WorkspaceStore,
  catalogue: ReadonlyMap<string, ExpectedFields>,
): AsyncGenerator<string> {
  const versions = await listFieldVersions(workspace);
  for (const number of SHARD_NUMBERS) {
    const blocks = await listBlocks(workspace, number);
    if (blocks.length > 0 && !versions.has(number)) {
      yield `The fields of shard ${number} have no version`;
    }
    for (const [position, stored] of blocks.entries()) {
      yield* checkBlock(number, stored, blocks[position + 1]?.first ?? null, catalogue);
    }
  }
  for (const [id, { isDeleted, hasFields }] of catalogue) {
    if (!isDeleted && !hasFields) yield `Product ${id} is in no block of fields`;
  }
}

function* checkBlock(
  number: number,
  { first, bytes }: StoredBlock,
  end: string | null,
  catalogue: ReadonlyMap<string, ExpectedFields>,
): Generator<string> {
  const name = `the block of fields "${first}" of shard ${number}`;
  const block = readBlock(bytes);
  if (block === null) return yield `Nobody can read ${name}`;
  let last = "";
  for (const [id, { updatedAtMs, fields }] of rowsOfBlock(block)) {
    if (id < first || id <= last || (end !== null && id >= end)) {
      yield `Product ${id} is at a wrong place in ${name}`;
    }
    last = id;
    const product = catalogue.get(id);
    if (!product || product.isDeleted || shard(product.sku) !== number || product.hasFields) {
      yield `Product ${id} is in ${name} too many`;
      continue;
    }
    product.hasFields = true;
    if (updatedAtMs !== product.updatedAtMs) yield `Product ${id} has another time in ${name}`;
    for (const [position, field] of fields.entries()) {
      if (field === product.fields[position]) continue;
      yield `Product ${id} has another ${INDEXED_NAMES[position]} in ${name}`;
    }
  }
}

function readBlock(bytes: Uint8Array): FieldBlock | null {
  try {
    return decodeBlock(bytes);
  } catch {
    // Whatever it is: its products are found to be in no block.
    return null;
  }
}
