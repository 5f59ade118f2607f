import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import type { DropLines } from "./link_check.ts";
import { findLines, moveLine } from "./link_check_store.ts";
import { requireCheck } from "./read_check.ts";

/** A line takes a check of the commit. */
const LINES_PER_COMMIT = 9;

/**
 * Puts lines aside that nobody has linked, or takes them back; answers how many are other than before.
 * Refuses with `not_found` an unknown check.
 */
export async function dropLines(
  ctx: Context,
  checkId: string,
  { lines, dropped }: DropLines,
): Promise<number> {
  await requireCheck(ctx, checkId);
  const [from, status] = dropped ? ["open", "dropped"] as const : ["dropped", "open"] as const;
  const numbers = [...new Set(lines)];
  let changed = 0;
  for (let at = 0; at < numbers.length; at += LINES_PER_COMMIT) {
    changed += await transact(ctx, async (write) => {
      const found = await findLines(ctx, checkId, numbers.slice(at, at + LINES_PER_COMMIT));
      const moved = found.filter(({ line }) => line.status === from);
      for (const one of moved) {
        const { competitorProductId } = one.line;
        moveLine(write, ctx.workspaceId, checkId, one, { status, competitorProductId });
      }
      return moved.length;
    });
  }
  return changed;
}
