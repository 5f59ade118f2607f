/** A folder that takes nothing is no defect: one sentence says which one, and what to do. */
import { Failure } from "../base/failure.ts";

/** What the operating system says, by its codes. */
const UNWRITABLE = ["EROFS", "EACCES", "EPERM"];
const FULL = ["ENOSPC", "EDQUOT"];
/** The same in codes of SQLite: READONLY and FULL. */
const SQLITE_CODES: ReadonlyMap<unknown, Trouble> = new Map([[8, "unwritable"], [13, "full"]]);
/** Larger than what a file system keeps beside the names of small files. */
const PROBE_BYTES = 65_536;

type Trouble = "unwritable" | "full";

/**
 * Runs `work`, which writes to `folder`. Refuses with `unavailable` what fails because the folder
 * is read-only or its disk is full; `way` is what else can be done, as in "set DATA_DIR to another folder".
 */
export async function inFolder<T>(folder: string, way: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FolderRefusal) throw error;
    if (error instanceof Failure && error.cause === undefined) throw error;
    const trouble = troubleOf(error) ?? await probe(folder);
    throw trouble === null ? error : refusal(trouble, folder, way, error);
  }
}

/** Said once: of the folder that was written to last. */
class FolderRefusal extends Failure {}

function refusal(trouble: Trouble, folder: string, way: string, cause: unknown): Failure {
  const message = trouble === "full"
    ? `The disk of the folder "${folder}" is full: make room there, or ${way}`
    : `The folder "${folder}" cannot be written to: give whoever runs this the right, or ${way}`;
  return new FolderRefusal("unavailable", message, undefined, { cause });
}

/** What the error and its causes say by code; SQLite and the store often say less than the system knows. */
function troubleOf(error: unknown): Trouble | null {
  if (!(error instanceof Error)) return null;
  const code = "code" in error ? String(error.code) : "";
  if (UNWRITABLE.includes(code)) return "unwritable";
  if (FULL.includes(code)) return "full";
  const bySqlite = "errcode" in error ? SQLITE_CODES.get(error.errcode) : undefined;
  return bySqlite ?? troubleOf(error.cause);
}

async function probe(folder: string): Promise<Trouble | null> {
  const path = `${folder}/.kurant-probe-${Deno.pid}`;
  try {
    await Deno.writeFile(path, new Uint8Array(PROBE_BYTES));
    return null;
  } catch (error) {
    return troubleOf(error);
  } finally {
    // Where nothing can be written there is nothing to remove.
    await Deno.remove(path).catch(() => {});
  }
}
