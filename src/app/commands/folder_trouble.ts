/** A folder that takes nothing is no defect: one sentence says which one, and what to do. */
import { Failure } from "../../base/failure.ts";
import { DiskRefusal, type DiskTrouble, diskTroubleOf } from "../../platform/store/disk_trouble.ts";

/** Larger than what a file system keeps beside the names of small files. */
const PROBE_BYTES = 65_536;

/**
 * Runs `work`, which writes to `folder`. Refuses with `unavailable` what fails because the folder
 * is read-only or its disk is full; `way` is what else can be done, as in "set DATA_DIR to another folder".
 */
export async function inFolder<T>(folder: string, way: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Said once: of the folder that was written to last.
    if (error instanceof DiskRefusal) throw error;
    if (error instanceof Failure && error.cause === undefined) throw error;
    // SQLite and the store often say less than the system knows.
    const trouble = diskTroubleOf(error) ?? await probe(folder);
    throw trouble === null ? error : refusal(trouble, folder, way, error);
  }
}

function refusal(trouble: DiskTrouble, folder: string, way: string, cause: unknown): DiskRefusal {
  const message = trouble === "full"
    ? `The disk of the folder "${folder}" is full: make room there, or ${way}`
    : `The folder "${folder}" cannot be written to: give whoever runs this the right, or ${way}`;
  return new DiskRefusal(message, cause);
}

async function probe(folder: string): Promise<DiskTrouble | null> {
  const path = `${folder}/.kurant-probe-${Deno.pid}`;
  try {
    await Deno.writeFile(path, new Uint8Array(PROBE_BYTES));
    return null;
  } catch (error) {
    return diskTroubleOf(error);
  } finally {
    // Where nothing can be written there is nothing to remove.
    await Deno.remove(path).catch(() => {});
  }
}
