/** Which own prices an export has told to somebody. */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { walkFinishedExports } from "./finished_export_store.ts";
import type { PriceChange } from "./price_history.ts";

/**
 * True when an export told the price while it was in force. `endedMs`: when the next price came. What
 * an import brought is no news to whoever reads exports.
 */
export type HasTold = (change: Pick<PriceChange, "at" | "source">, endedMs: number) => boolean;

/**
 * By the exports that were read to their end since a time. A span is told from its beginning on by an
 * export and the ones before it, so time alone decides: rather a price too many than one too few.
 */
export async function exportsSince(workspace: WorkspaceStore, sinceMs: number): Promise<HasTold> {
  const exports = await Array.fromAsync(walkFinishedExports(workspace, sinceMs));
  return ({ at, source }, endedMs) => {
    if (source === "import") return false;
    const atMs = Date.parse(at);
    return exports.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs && toMs < endedMs);
  };
}
