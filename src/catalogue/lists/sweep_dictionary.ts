import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { type EmptyValue, listEmptyValues, removeEmptyValue } from "./dictionary_store.ts";

/** No writer holds a count that it read so long ago (docs/decisions/keys.md). */
const EMPTY_MS_MIN = 10 * 60_000;
/** Checks of one commit. */
const VALUES_PER_COMMIT = 10;

/** Values that no product had at `atMs`, for the pass after this one. */
export interface EmptyValues {
  readonly atMs: number;
  readonly values: readonly EmptyValue[];
}

/**
 * Removes the values that were empty in an earlier pass at least ten minutes ago and that nobody
 * counted since; answers what is empty now. Two passes of a night do the work, also when one fails.
 */
export async function sweepDictionary(
  ctx: Pick<Context, "store" | "workspaceId" | "now">,
  earlier: EmptyValues | null,
): Promise<EmptyValues> {
  const atMs = ctx.now().getTime();
  const values = await listEmptyValues(ctx);
  if (earlier === null || atMs - earlier.atMs < EMPTY_MS_MIN) return { atMs, values };
  const unchanged = new Set(earlier.values.map(({ versionstamp }) => versionstamp));
  const stale = values.filter(({ versionstamp }) => unchanged.has(versionstamp));
  for (let at = 0; at < stale.length; at += VALUES_PER_COMMIT) {
    await removeValues(ctx, stale.slice(at, at + VALUES_PER_COMMIT));
  }
  return { atMs, values: values.filter((value) => !stale.includes(value)) };
}

/** A value that somebody counts meanwhile is left to a later night. */
async function removeValues(
  ctx: Pick<Context, "store" | "workspaceId">,
  values: readonly EmptyValue[],
): Promise<void> {
  await transact(ctx, async (write) => {
    const empty = new Set((await listEmptyValues(ctx)).map(({ versionstamp }) => versionstamp));
    for (const value of values.filter(({ versionstamp }) => empty.has(versionstamp))) {
      removeEmptyValue(write, ctx.workspaceId, value);
    }
  });
}
