import {
  type FinishedExport,
  putFinishedExport,
  walkFinishedExports,
} from "../../catalogue/prices/finished_export_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import type { ExportRange } from "./export_range.ts";
import { rememberTold } from "./remember_told.ts";

/** An export that tells the same as one of so many before it is not noted again: programs ask often. */
const LOOKED_BACK = 20;

/**
 * Notes that an export was read to its end, for the timelines of its products and the prices that should
 * come back; one of nothing is not.
 */
export async function noteExport(
  ctx: Context,
  exported: ExportRange,
  { format, rows, toMs }: Pick<FinishedExport, "format" | "rows" | "toMs">,
): Promise<void> {
  if (rows === 0) return;
  const { fromMs, afterVersion, upToVersion } = exported;
  const { actor, workspaceId } = ctx;
  const range = `${fromMs} ${afterVersion} ${upToVersion}`;
  let looked = 0;
  for await (const known of walkFinishedExports(ctx, 0)) {
    if (known.actor.id === actor.id && known.range === range) return;
    if (++looked === LOOKED_BACK) break;
  }
  await rememberTold(ctx, exported, format === "xml");
  const row = { id: ctx.newId(), atMs: ctx.now().getTime(), actor, format, fromMs, toMs, rows };
  await transact(ctx, (write) => putFinishedExport(write, workspaceId, { ...row, range }));
}
