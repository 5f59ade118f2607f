import {
  findLogEnd,
  findLogSweep,
  listChanges,
} from "../../catalogue/products/change_log_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import {
  documentPages,
  findDocuments,
  listDocuments,
} from "../../catalogue/products/product_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { ProductIndex } from "./product_index.ts";

/** Products that are read at once. */
const READ = 500;
/** Commits of the log that are looked at once. */
const CHANGES = 1_000;
/** A process keeps so many workspaces' indexes at once: those that were used last. */
const INDEXES_MAX = 4;

interface Kept {
  readonly index: ProductIndex;
  /** The index has what the log of changes has up to here. */
  position: string;
}

/** The indexes of a process, brought up to date whenever they are asked for. */
export class ProductIndexes {
  readonly #kept = new Map<string, Promise<Kept>>();

  /** The index of a workspace, with every change that was committed before the call. */
  async of(workspace: WorkspaceStore): Promise<ProductIndex> {
    const { workspaceId } = workspace;
    const before = this.#kept.get(workspaceId);
    const next = before ? before.then((kept) => refreshed(workspace, kept)) : loaded(workspace);
    this.#kept.delete(workspaceId);
    this.#kept.set(workspaceId, next);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > INDEXES_MAX && oldest !== undefined) this.#kept.delete(oldest);
    try {
      return (await next).index;
    } catch (error) {
      // Half an index would hide products for good.
      if (this.#kept.get(workspaceId) === next) this.#kept.delete(workspaceId);
      throw error;
    }
  }

  /** Gives the memory of a workspace back. */
  forget(workspaceId: string): void {
    this.#kept.delete(workspaceId);
  }
}

async function loaded(workspace: WorkspaceStore): Promise<Kept> {
  const position = await findLogEnd(workspace);
  const index = new ProductIndex();
  const slice = new TimeSlice();
  for await (const documents of documentPages(workspace, listDocuments, READ)) {
    for (const { bytes } of documents) {
      index.put(parseProduct(bytes));
      await slice.yield();
    }
  }
  return { index, position };
}

async function refreshed(workspace: WorkspaceStore, kept: Kept): Promise<Kept> {
  const slice = new TimeSlice();
  for (;;) {
    const changes = await listChanges(workspace, kept.position, CHANGES);
    // What is gone of the log was not read: the index begins anew.
    const sweep = await findLogSweep(workspace);
    if (sweep !== null && sweep.swept > kept.position) return await loaded(workspace);
    const ids = [...new Set(changes.flatMap(({ productIds }) => productIds))];
    const documents = await findDocuments(workspace, ids);
    const left = new Set(ids);
    for (const { id, bytes } of documents) {
      left.delete(id);
      kept.index.put(parseProduct(bytes));
      await slice.yield();
    }
    for (const id of left) kept.index.remove(id);
    kept.position = changes.at(-1)?.position ?? kept.position;
    if (changes.length < CHANGES) return kept;
  }
}
