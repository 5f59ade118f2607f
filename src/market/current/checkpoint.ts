/** A checkpoint is a copy of a market table in the store, from which a process starts faster. */

import { encoder, partsOf } from "../../base/bytes.ts";
import { HOUR_MS } from "../../base/time.ts";
import {
  changeLogSweep,
  findLogEnd,
  findLogSweep,
  removeChanges,
  sweepUpTo,
} from "../../catalogue/products/product_mark_store.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { removeInBatches, removeInCommits } from "../../platform/store/rows.ts";
import { defineTable } from "../../platform/store/table.ts";
import { PAGE_VALUE_BYTES } from "../../platform/store/value_bytes.ts";
import { MarketTable, PACKED_COLUMNS, type PackedLists } from "../table/market_table.ts";

/**
 * A reader ignores an incomplete checkpoint. A writer stores the parts of a new generation first,
 * then this head, and last removes the parts of other generations.
 */
interface CheckpointHead {
  readonly generation: string;
  readonly format: string;
  /** The `MarketTerms.version` of the table. */
  readonly terms: string;
  readonly position: string;
  readonly atMs: number;
  readonly asOfMs: number;
  readonly knownSinceMs: number;
  /** Number of rows, including empty ones. */
  readonly rows: number;
  readonly rowParts: number;
  readonly wordParts: number;
}

export const checkpointHeads = defineTable<CheckpointHead>({
  prefix: "mkh",
  about: "the head of the market table's checkpoint",
  key: {},
});

export const checkpointParts = defineTable<
  { readonly generation: string; readonly n: number; readonly bytes: Uint8Array },
  "generation" | "n"
>({
  prefix: "mkp",
  about:
    "part n of a checkpoint, at most 4,000 bytes: first packed rows, then the words that they use",
  key: { generation: "id", n: "number" },
  value: "bytes",
  // Reading 40 rows at a time is faster than reading 500 (measured).
  batchSize: 40,
});

async function* walkCheckpointParts(workspace: WorkspaceStore, generation: string) {
  let next = 0;
  for await (const { row } of checkpointParts.walk(workspace, { within: { generation } })) {
    if (row.n !== next++) return;
    yield row.bytes;
  }
}

export async function countCheckpointParts(workspace: WorkspaceStore) {
  const counts = new Map<string, number>();
  for await (const { row: { generation } } of checkpointParts.walk(workspace)) {
    counts.set(generation, (counts.get(generation) ?? 0) + 1);
  }
  return counts;
}

/** Increase the number when a fact changes its meaning or position. */
const FORMAT = `3 ${PACKED_COLUMNS}`;
/** A commit with this many parts stays below the limit of 750,000 bytes. */
const PARTS_PER_COMMIT = 150;
const REMOVED_AT_ONCE = 200;

export interface TableMoment {
  readonly table: MarketTable;
  /** Position in the change log. The table may lack changes after this position. */
  readonly position: string;
  readonly asOfMs: number;
  readonly knownSinceMs: number;
}

/** Null if the checkpoint is unusable, too old for the change log, or not newer than `seen`. */
export async function readCheckpoint(
  workspace: WorkspaceStore,
  terms: string,
  isStopped: () => boolean,
  seen: string | null = null,
): Promise<TableMoment | null> {
  const found = await checkpointHeads.find(workspace, {});
  if (found === null || (seen !== null && seen >= found.row.position)) return null;
  const { row: head } = found;
  if (head.format !== FORMAT || head.terms !== terms) return null;
  const sweep = await findLogSweep(workspace);
  if (sweep !== null && sweep.swept > head.position) return null;
  const table = await readTable(workspace, head, isStopped);
  // If many rows are empty, reading the catalogue again is better.
  if (table === null || table.rows - table.size > table.rows * 0.25) return null;
  const { position, asOfMs, knownSinceMs } = head;
  return { table, position, asOfMs, knownSinceMs };
}

/** Null if parts are missing. */
async function readTable(
  workspace: WorkspaceStore,
  { generation, rows, rowParts, wordParts }: CheckpointHead,
  isStopped: () => boolean,
): Promise<MarketTable | null> {
  const table = new MarketTable(rows);
  const words: Uint8Array[] = [];
  const slice = new TimeSlice();
  let parts = 0;
  for await (const bytes of walkCheckpointParts(workspace, generation)) {
    if (isStopped()) return null;
    if (parts++ < rowParts) table.unpack(bytes);
    else words.push(bytes);
    await slice.yield();
  }
  if (parts !== rowParts + wordParts || table.rows !== rows) return null;
  const lists: PackedLists = JSON.parse(await new Blob(words.map(copied)).text());
  table.setLists(lists);
  return table;
}

const copied = (bytes: Uint8Array) => new Uint8Array(bytes);

interface CheckpointSetup extends WorkspaceStore, Pick<ClockAndIds, "now" | "newId"> {
  /** True to stop writing. */
  isUnwanted(): boolean;
}

/**
 * The table may change during the write. Returns false if another process was first, or if the
 * checkpoint is not needed.
 */
export async function writeCheckpoint(
  setup: CheckpointSetup,
  terms: string,
  { table, position, asOfMs, knownSinceMs }: TableMoment,
): Promise<boolean> {
  const before = await checkpointHeads.find(setup, {});
  const generation = setup.newId();
  const rowParts = await writeParts(setup, generation, 0, packed(table));
  const { rows } = table;
  const wordParts = await writeParts(
    setup,
    generation,
    rowParts,
    partsOf(wordsOf(table), PAGE_VALUE_BYTES).values(),
  );
  const head: CheckpointHead = {
    generation,
    format: FORMAT,
    terms,
    position,
    atMs: setup.now().getTime(),
    asOfMs,
    knownSinceMs,
    rows,
    rowParts,
    wordParts,
  };
  const isSaved = !setup.isUnwanted() && await transact(setup, async (write) => {
    const now = await checkpointHeads.find(setup, {});
    if (now?.versionstamp !== before?.versionstamp) return false;
    checkpointHeads.save(write, setup, before, head);
    if (before) await sweepUpTo(write, setup, before.row.position);
    return true;
  });
  if (!isSaved) {
    await checkpointParts.clear(setup, { generation });
    return false;
  }
  if (before) await removeSwept(setup, before.row.position);
  await removeInBatches(
    setup.store,
    otherParts(setup, generation, before?.row ?? null),
    REMOVED_AT_ONCE,
    (write, part) => {
      checkpointParts.drop(write, setup, part);
    },
  );
  return true;
}

/** Skips later generations, because another process may be writing them. */
async function* otherParts(
  workspace: WorkspaceStore,
  generation: string,
  before: CheckpointHead | null,
): AsyncGenerator<{ readonly generation: string; readonly n: number }> {
  const count = before ? before.rowParts + before.wordParts : 0;
  for (let n = 0; before && n < count; n++) yield { generation: before.generation, n };
  for await (const { row } of checkpointParts.walk(workspace)) {
    if (row.generation >= generation) return;
    yield row;
  }
}

function* packed(table: MarketTable): Generator<Uint8Array> {
  for (let from = 0; from < table.rows;) {
    const { bytes, until } = table.pack(from, PAGE_VALUE_BYTES);
    yield bytes;
    from = until;
  }
}

/** Call only after all rows are written. */
function wordsOf(table: MarketTable): Uint8Array {
  return encoder.encode(JSON.stringify(table.lists()));
}

async function writeParts(
  setup: CheckpointSetup,
  generation: string,
  from: number,
  parts: Iterator<Uint8Array>,
): Promise<number> {
  const slice = new TimeSlice();
  let count = 0;
  for (let isEnd = false; !isEnd && !setup.isUnwanted();) {
    const batch: Uint8Array[] = [];
    while (batch.length < PARTS_PER_COMMIT) {
      const { value, done } = parts.next();
      if (done) isEnd = true;
      if (done) break;
      batch.push(value);
      await slice.yield();
    }
    await transact(setup, (write) => {
      for (const [at, bytes] of batch.entries()) {
        checkpointParts.put(write, setup, { generation, n: from + count + at, bytes });
      }
    });
    count += batch.length;
  }
  return count;
}

async function dropLeftBehind(workspace: WorkspaceStore, swept: string): Promise<void> {
  const found = await checkpointHeads.find(workspace, {});
  if (found === null || found.row.position >= swept) return;
  const { row: head, versionstamp } = found;
  await transact(workspace, async (write) => {
    const now = await checkpointHeads.find(workspace, {});
    if (now?.versionstamp === versionstamp) checkpointHeads.remove(write, workspace, found);
  });
  await checkpointParts.clear(workspace, { generation: head.generation });
}

/**
 * Runs daily. Deletes the log entries that existed at the previous run, and a checkpoint that needs
 * one of them.
 */
export async function sweepLog(workspace: WorkspaceStore & Pick<ClockAndIds, "now">) {
  const end = await findLogEnd(workspace);
  const nowMs = workspace.now().getTime();
  const sweep = await transact(workspace, (write) =>
    changeLogSweep(write, workspace, (before) => {
      if (before !== null && nowMs - before.markedAtMs < 23 * HOUR_MS) return null;
      return { swept: before?.mark ?? "", mark: end, markedAtMs: nowMs };
    }));
  const swept = sweep?.swept ?? "";
  if (swept === "") return;
  await removeSwept(workspace, swept);
  await dropLeftBehind(workspace, swept);
}

const CHANGES_PER_COMMIT = 500;

async function removeSwept(workspace: WorkspaceStore, swept: string): Promise<void> {
  await removeInCommits(
    workspace,
    CHANGES_PER_COMMIT,
    (write, limit) => removeChanges(write, workspace, swept, limit),
  );
}
