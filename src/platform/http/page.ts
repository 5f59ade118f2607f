/** Pages of a list, and their cursors (docs/decisions/http.md). */
import type { JsonValue } from "../../base/collections.ts";
import { Failure } from "../../base/failure.ts";
import type { Context } from "../store/context.ts";

type Asker = Pick<Context, "workspaceId" | "cursors">;

export interface Page<T> {
  readonly items: T[];
  readonly nextCursor: string | null;
  readonly count: number;
}

/** Null for the first page. Throws `invalid_cursor` for a cursor of another list or workspace. */
export function openCursor(ctx: Asker, list: string, cursor: string | undefined): JsonValue | null {
  if (cursor === undefined || cursor === "") return null;
  const position = ctx.cursors.open(scopeOf(ctx, list), cursor);
  if (position !== null) return position;
  throw new Failure(
    "invalid_cursor",
    "The cursor is not one of this list with these filters: start again without a cursor",
  );
}

/** `rows` has up to `limit + 1` rows. The additional row shows that there is another page. */
export function toPage<T>(
  ctx: Asker,
  { list, rows, limit, positionOf }: {
    list: string;
    rows: readonly T[];
    limit: number;
    positionOf: (row: T) => JsonValue;
  },
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const nextCursor = rows.length > limit && last !== undefined
    ? cursorAt(ctx, list, positionOf(last))
    : null;
  return { items, nextCursor, count: items.length };
}

export function cursorAt(ctx: Asker, list: string, position: JsonValue): string {
  return ctx.cursors.seal(scopeOf(ctx, list), position);
}

function scopeOf({ workspaceId }: Asker, list: string): string {
  return `${workspaceId} ${list}`;
}
