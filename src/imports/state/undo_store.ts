/**
 * Keys: `jv W jobId n` → deflated JSON of what one commit of an import did, behind a byte that is 1
 * where the row `n + 1` goes on with it; kept for as long as the import can be taken back. `ju W jobId`
 * → id of the job that takes, or took, the import back.
 */
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { idBytes } from "../../base/id.ts";
import { utf8Bytes } from "../../base/text.ts";
import type { ProductChange } from "../../catalogue/products/product_store.ts";
import type { SalesChange } from "../../catalogue/sales/change_sales.ts";
import { hasEnded } from "../../platform/jobs/job.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn, lastIdOf } from "../../platform/store/id_keys.ts";
import type { CommitCost, Store, Write } from "../../platform/store/kv.ts";
import { firstRow } from "../../platform/store/rows.ts";
import type { LinkPlan } from "../../shops/matches/link_plan.ts";
import type { ImportJob, UndoRows } from "./import_job.ts";
import { keyOfJob } from "./import_row_store.ts";
import {
  entryOf,
  linkEntry,
  soldSteps,
  type UndoEntry,
  UndoPacker,
  unpackEntries,
} from "./undo_entry.ts";

/** For so long after its end an import can be taken back. */
export const UNDO_DAYS = 7;

const DAY_MS = 86_400_000;

/** Until when an import can be taken back; null for one that goes on or changed nothing. */
export function undoableUntil(job: ImportJob): Date | null {
  const isChanged = (job.cursor?.undo?.entries ?? 0) > 0;
  if (!isChanged || !hasEnded(job) || job.finishedAt === null) return null;
  return new Date(Date.parse(job.finishedAt) + UNDO_DAYS * DAY_MS);
}

const ROW_BYTES_MAX = 60_000;
const GOES_ON = 1;
const KEY_BYTES = 60;

const deflate = promisify<Uint8Array, Uint8Array>(deflateRaw);
const inflate = promisify<Uint8Array, Uint8Array>(inflateRaw);
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Gathers what a commit of an import does. */
export class UndoLog {
  readonly #packer = new UndoPacker();
  readonly #texts: string[] = [];
  #bytes = 0;
  /** Not packed yet: what becomes of the links of a product comes behind the product. */
  #last: UndoEntry | null = null;

  product({ before, after }: Pick<ProductChange, "before" | "after">): void {
    this.#pack();
    this.#last = entryOf(before?.product ?? null, after.product);
  }

  links(productId: string, { added, switched }: LinkPlan): void {
    this.#last = {
      ...this.#lastOf(productId),
      added: added.map(({ match }) => match.id),
      switched: switched.map(({ matchId, enabled }) => [matchId, enabled ? 1 : 0]),
    };
  }

  /** Months of one product. */
  sales(changes: readonly SalesChange[]): void {
    const [first] = changes;
    if (!first) return;
    this.#last = { ...this.#lastOf(first.productId), sold: changes.flatMap(soldSteps) };
  }

  /** An upper bound of what it adds to the commit. */
  get cost(): Partial<CommitCost> {
    const waits = this.#last === null ? 0 : WAITING_BYTES;
    const bytes = this.#bytes + waits;
    const mutations = bytes === 0 ? 0 : 1 + Math.floor(bytes / ROW_BYTES_MAX);
    const keyBytes = mutations * KEY_BYTES;
    return { mutations, keyBytes, bytes: bytes + keyBytes };
  }

  /** Adds the rows to the commit, behind those that are kept; answers what is kept then. */
  async save(
    write: Write,
    workspaceId: string,
    jobId: string,
    kept: UndoRows,
  ): Promise<UndoRows> {
    this.#pack();
    if (this.#texts.length === 0) return kept;
    const bytes = await deflate(encoder.encode(`[${this.#texts.join()}]`));
    let rows = kept.rows;
    for (let at = 0; at < bytes.length; at += ROW_BYTES_MAX) {
      const part = bytes.subarray(at, at + ROW_BYTES_MAX);
      const row = new Uint8Array(1 + part.length);
      row[0] = at + ROW_BYTES_MAX < bytes.length ? GOES_ON : 0;
      row.set(part, 1);
      write.set([...keyOfJob("jv", workspaceId, jobId), rows++], row);
    }
    return { rows, entries: kept.entries + this.#texts.length };
  }

  #lastOf(productId: string): UndoEntry {
    if (this.#last?.productId === productId) return this.#last;
    this.#pack();
    return linkEntry(productId);
  }

  #pack(): void {
    if (this.#last === null) return;
    const text = this.#packer.pack(this.#last);
    this.#texts.push(text);
    this.#bytes += utf8Bytes(text) + 1;
    this.#last = null;
  }
}

/** Of an entry that is not packed yet; one that is greater has its room by the cost of its record. */
const WAITING_BYTES = 500;

interface UndoneCommit {
  readonly entries: readonly UndoEntry[];
  readonly nextRow: number;
}

/** Null behind the last row. */
export async function readUndoCommit(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
  row: number,
): Promise<UndoneCommit | null> {
  const parts: Uint8Array[] = [];
  for (let at = row;;) {
    const key = [...keyOfJob("jv", workspaceId, jobId), at++];
    const { value } = await store.kv.get<Uint8Array>(key);
    if (value === null) {
      if (parts.length === 0) return null;
      throw new Error(`What import ${jobId} did breaks off at row ${at - 1}`);
    }
    parts.push(value.subarray(1));
    if (value[0] === GOES_ON) continue;
    const bytes = await inflate(await new Blob(parts.map((part) => part.slice())).bytes());
    return { entries: unpackEntries(decoder.decode(bytes)), nextRow: at };
  }
}

/** The imports of a workspace of which it is known what they did. */
export async function* walkUndoRows(
  { store, workspaceId }: WorkspaceStore,
): AsyncGenerator<{ readonly jobId: string; readonly row: number }> {
  const prefix = ["jv", idBytes(workspaceId)];
  for await (const { key } of store.kv.list({ prefix }, { batchSize: 500 })) {
    yield { jobId: idIn(key, 2), row: Number(key[3]) };
  }
}

/** The ids of the imports that keep what they did, over all workspaces: one row of each is read. */
export async function* walkUndoable(
  store: Store,
): AsyncGenerator<{ readonly workspaceId: string; readonly jobId: string }> {
  for (let range: Deno.KvListSelector = { prefix: ["jv"] };;) {
    const ofImport: Deno.KvKey | undefined = (await firstRow(store, range))?.key.slice(0, 3);
    if (!ofImport) return;
    yield { workspaceId: idIn(ofImport, 1), jobId: lastIdOf(ofImport) };
    // `true` sorts behind every number.
    range = { prefix: ["jv"], start: [...ofImport, true] };
  }
}

/** The job that takes an import back, with the version that a commit checks. */
export async function findUndoer(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): Promise<{ readonly undoerId: string | null; readonly versionstamp: string | null }> {
  const { value, versionstamp } = await store.kv.get<string>(keyOfJob("ju", workspaceId, jobId));
  return { undoerId: value, versionstamp };
}

/** The commit fails when another job has begun to take the import back since `found` was read. */
export function saveUndoer(
  write: Write,
  workspaceId: string,
  jobId: string,
  undoerId: string,
  found: { readonly versionstamp: string | null },
): void {
  const key = keyOfJob("ju", workspaceId, jobId);
  write.check(key, found.versionstamp);
  write.set(key, undoerId);
}

export function removeUndoer(write: Write, workspaceId: string, jobId: string): void {
  write.delete(keyOfJob("ju", workspaceId, jobId));
}
