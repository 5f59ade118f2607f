/**
 * Copies of dictionaries: reading one costs three pages, and it changes rarely
 * (docs/decisions/keys.md).
 */
import type { Context } from "../../platform/store/context.ts";
import { type Dictionary, findDictionaryVersion, readDictionary } from "./dictionary_store.ts";

/** Counts choose plans only, so they may be this old; a new value shows at once by its version. */
const COUNTS_AGE_MS_MAX = 30_000;
const WORKSPACES_MAX = 256;

export interface DictionaryMemory {
  /** Knows every value that any product had when it was asked; counts are at most 30 s old. */
  read(ctx: Pick<Context, "store" | "workspaceId" | "now">): Promise<Dictionary>;
}

interface Copy {
  readonly version: string | null;
  readonly readAtMs: number;
  readonly dictionary: Dictionary;
}

export function createDictionaryMemory(): DictionaryMemory {
  const copies = new Map<string, Copy>();
  return {
    async read(ctx) {
      const nowMs = ctx.now().getTime();
      const copy = copies.get(ctx.workspaceId);
      if (copy && Math.abs(nowMs - copy.readAtMs) <= COUNTS_AGE_MS_MAX) {
        const version = await findDictionaryVersion(ctx);
        if (version === copy.version) return copy.dictionary;
      }
      const fresh = { ...await readDictionary(ctx), readAtMs: nowMs };
      copies.delete(ctx.workspaceId);
      copies.set(ctx.workspaceId, fresh);
      const [oldest] = copies.keys();
      if (copies.size > WORKSPACES_MAX && oldest !== undefined) copies.delete(oldest);
      return fresh.dictionary;
    },
  };
}
