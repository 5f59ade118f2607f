/** The blocks of fields that lists are filtered by. */
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { DerivedRows } from "./derived_rows.ts";
import { decodeBlock, type FieldBlock, rowsOfBlock } from "./products/field_block.ts";
import { listBlocks, listFieldVersions, type StoredBlock } from "./products/field_block_store.ts";
import { type FilterFields, filterFieldsOf } from "./products/filter_fields.ts";
import { shard, SHARD_NUMBERS } from "./products/product.ts";
import { INDEXED_NAMES } from "./products/product_field_table.ts";

/** An active product stands in one block of its shard, a deleted one in none. */
export const FIELDS: DerivedRows = {
  expect({ product, isDeleted }) {
    if (isDeleted) return [];
    const [updatedAtMs, fields] = [Date.parse(product.updatedAt), filterFieldsOf(product)];
    return [rowText({ number: shard(product.sku), updatedAtMs, fields })];
  },

  async *survey(workspace, sums) {
    const versions = await listFieldVersions(workspace);
    for (const number of SHARD_NUMBERS) {
      const blocks = await listBlocks(workspace, number);
      if (blocks.length > 0 && !versions.has(number)) {
        yield `The fields of shard ${number} have no version`;
      }
      for (const [at, stored] of blocks.entries()) {
        yield* checkPlaces(number, stored, blocks[at + 1]?.first ?? null);
        for (const row of rowsOf(number, stored)) sums.find(row.id, rowText(row));
      }
    }
  },

  async *compare(workspace, { products, has }) {
    const found = new Set<string>();
    for await (const row of walkRows(workspace)) {
      const { id, number, name, updatedAtMs, fields } = row;
      if (!has(id)) continue;
      const checked = products.get(id);
      const isRight = checked && !checked.isDeleted && shard(checked.product.sku) === number;
      if (!isRight || found.has(id)) {
        yield `Product ${id} is in ${name} too many`;
        continue;
      }
      found.add(id);
      const { product } = checked;
      if (updatedAtMs !== Date.parse(product.updatedAt)) {
        yield `Product ${id} has another time in ${name}`;
      }
      const expected = filterFieldsOf(product);
      for (const [at, field] of fields.entries()) {
        if (field === expected[at]) continue;
        yield `Product ${id} has another ${INDEXED_NAMES[at]} in ${name}`;
      }
    }
    for (const [id, { isDeleted }] of products) {
      if (!isDeleted && !found.has(id)) yield `Product ${id} is in no block of fields`;
    }
  },
};

/** What a block says of a product. */
interface FieldRow {
  readonly id: string;
  /** The shard of the block. */
  readonly number: number;
  /** Of the block. */
  readonly name: string;
  readonly updatedAtMs: number;
  readonly fields: FilterFields;
}

async function* walkRows(workspace: WorkspaceStore): AsyncGenerator<FieldRow> {
  for (const number of SHARD_NUMBERS) {
    for (const stored of await listBlocks(workspace, number)) yield* rowsOf(number, stored);
  }
}

/** None of a block that nobody can read: its products are found to be in no block. */
function* rowsOf(number: number, stored: StoredBlock): Generator<FieldRow> {
  const block = readBlock(stored.bytes);
  if (block === null) return;
  const name = nameOf(number, stored);
  for (const [id, row] of rowsOfBlock(block)) yield { id, number, name, ...row };
}

function* checkPlaces(number: number, stored: StoredBlock, end: string | null): Generator<string> {
  const block = readBlock(stored.bytes);
  const name = nameOf(number, stored);
  if (block === null) return yield `Nobody can read ${name}`;
  let last = "";
  for (const [id] of rowsOfBlock(block)) {
    if (id < stored.first || id <= last || (end !== null && id >= end)) {
      yield `Product ${id} is at a wrong place in ${name}`;
    }
    last = id;
  }
}

function readBlock(bytes: Uint8Array): FieldBlock | null {
  try {
    return decodeBlock(bytes);
  } catch {
    return null;
  }
}

function nameOf(number: number, { first }: StoredBlock): string {
  return `the block of fields "${first}" of shard ${number}`;
}

function rowText({ number, updatedAtMs, fields }: Omit<FieldRow, "id" | "name">): string {
  const values = fields.map((field) => `${typeof field} ${field}`);
  return ["fields", number, updatedAtMs, ...values].join("\n");
}
