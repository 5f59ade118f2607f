/** Stores undo data while an import can be undone, and the id of the job that undoes it. */
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { DAY_MS } from "../../base/time.ts";
import { hasEnded } from "../../platform/jobs/job.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { firstRow, idIn, lastIdOf } from "../../platform/store/rows.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import {
  IMPORT_KIND,
  type ImportJob,
  isUndo,
  type QueuedImport,
  type UndoRows,
} from "./import_job.ts";
import { type UndoEntry, type UndoLog, unpackEntries } from "./undo_entry.ts";

/** Days after its end during which an import can be undone. */
export const UNDO_DAYS = 7;

/** Null if the import is running or changed nothing. */
export function undoableUntil(job: ImportJob): Date | null {
  const isChanged = (job.cursor?.undo.entries ?? 0) > 0;
  if (!isChanged || !hasEnded(job) || job.finishedAt === null) return null;
  return new Date(Date.parse(job.finishedAt) + UNDO_DAYS * DAY_MS);
}

const GOES_ON = 1;

export const undoRows = defineTable<
  { readonly jobId: string; readonly n: number; readonly bytes: Uint8Array },
  "jobId" | "n"
>({
  prefix: "jv",
  about: "deflated JSON of the changes of one commit of an import, after a byte that is 1 if row " +
    "`n + 1` continues it; kept as long as the import can be undone",
  key: { jobId: "id", n: "number" },
  value: "bytes",
  // Expired rows are deleted from the first one on, so a row may exist without earlier ones.
  async check({ jobId, n }, workspace) {
    const job = await findJob<QueuedImport>(workspace, IMPORT_KIND, jobId);
    if (job === null || isUndo(job)) return `Row ${n} of what import ${jobId} did has no import`;
    const rows = job.cursor?.undo.rows ?? 0;
    if (n >= rows) return `Import ${jobId} did ${rows} commits, row ${n} is kept, too`;
    if (n + 1 === rows || await undoRows.find(workspace, { jobId, n: n + 1 })) return null;
    return `What import ${jobId} did lacks row ${n + 1}`;
  },
});

export const undoers = defineTable<{ readonly jobId: string; readonly undoerId: string }, "jobId">({
  prefix: "ju",
  about: "id of the job that undoes or has undone the import",
  key: { jobId: "id" },
  value: "undoerId",
});

/** Appends the rows of a commit. Returns the new state of the undo data. */
export async function saveUndoLog(
  write: Write,
  owner: Pick<WorkspaceStore, "workspaceId">,
  jobId: string,
  kept: UndoRows,
  log: UndoLog,
): Promise<UndoRows> {
  const { entries, parts } = await log.packed();
  for (const [at, part] of parts.entries()) {
    const bytes = new Uint8Array(1 + part.length);
    bytes[0] = at < parts.length - 1 ? GOES_ON : 0;
    bytes.set(part, 1);
    undoRows.put(write, owner, { jobId, n: kept.rows + at, bytes });
  }
  return { rows: kept.rows + parts.length, entries: kept.entries + entries };
}

const inflate = promisify<Uint8Array, Uint8Array>(inflateRaw);

/** Null after the last row. */
export async function readUndoCommit(
  workspace: WorkspaceStore,
  jobId: string,
  row: number,
): Promise<{ readonly entries: readonly UndoEntry[]; readonly nextRow: number } | null> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let n = row;;) {
    const found = await undoRows.find(workspace, { jobId, n });
    if (found === null && parts.length === 0) return null;
    if (found === null) throw new Error(`What import ${jobId} did breaks off at row ${n}`);
    const { bytes } = found.row;
    n++;
    parts.push(bytes.slice(1));
    if (bytes[0] === GOES_ON) continue;
    const whole = await inflate(await new Blob(parts).bytes());
    return { entries: unpackEntries(new TextDecoder().decode(whole)), nextRow: n };
  }
}

/** Yields imports with undo data, of all workspaces. Reads one row of each. */
export async function* walkUndoable(
  store: Store,
): AsyncGenerator<{ readonly workspaceId: string; readonly jobId: string }> {
  const all = [undoRows.options.prefix];
  for (let range: Deno.KvListSelector = { prefix: all };;) {
    const ofImport: Deno.KvKey | undefined = (await firstRow(store, range))?.key.slice(0, 3);
    if (!ofImport) return;
    yield { workspaceId: idIn(ofImport, 1), jobId: lastIdOf(ofImport) };
    // `true` sorts after every number.
    range = { prefix: all, start: [...ofImport, true] };
  }
}
