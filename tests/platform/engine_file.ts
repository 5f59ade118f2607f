import { DatabaseSync } from "node:sqlite";
import { type FileLayout, readLayout } from "../../src/platform/store/file_layout.ts";
import { LAYOUT } from "../../src/platform/store/open_store.ts";
import { flushFile } from "../../src/platform/store/store_file.ts";

/** Deno KV's default layout of a file, which old stores of Kurant still have. */
export const ENGINE_LAYOUT: FileLayout = { engineVersion: 3, pageBytes: 4_096, index: "full" };
export const LAYOUT_OF_TODAY: FileLayout = {
  engineVersion: 3,
  pageBytes: 16_384,
  index: "partial",
};

/** In bytes: small rows share a page of 4 KiB, large ones continue on an overflow page. */
const ROW_BYTES = [700, 2_500] as const;

export async function makeEngineFile(path: string, rows: number): Promise<void> {
  const kv = await Deno.openKv(path);
  await kv.set(["schema"], LAYOUT);
  for (let first = 0; first < rows; first += 100) {
    const operation = kv.atomic();
    for (let n = first; n < Math.min(first + 100, rows); n++) {
      operation.set(["row", n], new Uint8Array(ROW_BYTES[n % 2]!).fill(n % 251));
    }
    await operation.commit();
  }
  await kv.atomic().sum(["u64"], 2n ** 64n - 1n).commit();
  kv.close();
  await flushFile(path);
}

export function layoutOf(path: string): FileLayout {
  using file = new DatabaseSync(path);
  return readLayout(file);
}

/** Returns all rows, with versions and expiry times, as one text to compare with another file. */
export function rowsOf(path: string): string {
  using file = new DatabaseSync(path);
  const [row] = file.prepare(`SELECT count(*) AS rows, sum(length(v)) AS bytes,
       group_concat(hex(k) || hex(v) || v_encoding || ':' || version || ':' || expiration_ms) AS rest
     FROM (SELECT * FROM kv ORDER BY k)`).all();
  return JSON.stringify(row);
}

export function integrityOf(path: string): string {
  using file = new DatabaseSync(path);
  return String(file.prepare("PRAGMA integrity_check").get()?.integrity_check);
}
