/** Keys: `jn W jobId n` → 12 bytes for each SKU that the import leaves out, up to 5,000 of them. */
import { sha256 } from "../../base/sha256.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { keyOfJob, remover } from "../job_rows.ts";

const MARK_BYTES = 12;
const MARKS_PER_ROW = 5_000;

/** What a SKU is known by: two have the same as seldom as two files have one hash. */
export function excludedMark(sku: string): string {
  return sha256(sku).slice(0, MARK_BYTES).toHex();
}

/** At most two rows. */
export function saveExcluded(
  write: Write,
  workspaceId: string,
  jobId: string,
  marks: ReadonlySet<string>,
): void {
  const all = [...marks].sort();
  for (let at = 0, n = 0; at < all.length; at += MARKS_PER_ROW, n++) {
    const row = Uint8Array.fromHex(all.slice(at, at + MARKS_PER_ROW).join(""));
    write.set([...keyOfJob("jn", workspaceId, jobId), n], row);
  }
}

export async function findExcluded(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): Promise<ReadonlySet<string>> {
  const marks = new Set<string>();
  const rows = store.kv.list<Uint8Array>({ prefix: keyOfJob("jn", workspaceId, jobId) });
  for await (const { value } of rows) {
    for (let at = 0; at < value.length; at += MARK_BYTES) {
      marks.add(value.slice(at, at + MARK_BYTES).toHex());
    }
  }
  return marks;
}

/** Takes the rows of a job away. */
export const removeExcluded = remover("jn");
