/**
 * Keys: `schema` → number of the layout that the store has; `migration` → progress of the step to the
 * next layout, during a migration; `born` → number of the layout that the store was created with, 0 if
 * the store is older than this mark (before version 1.0.0).
 */
import { type Store, transact, type Write } from "./kv.ts";

/**
 * The number of today's layout: a newer store is refused, an older one is migrated. Stores from before
 * version 1.0.0 have the numbers 1 (without `born`) to 9, so the layout after 1 is 10.
 */
export const LAYOUT = 1;
/** The last layout before version 1.0.0. */
export const PRE_RELEASE_LAYOUT = 9;

const SCHEMA_KEY = ["schema"];
const MIGRATION_KEY = ["migration"];
const BORN_KEY = ["born"];

/** A migration under way. */
export interface MigrationProgress {
  /** The layout that it leads to. */
  readonly to: number;
  /** Position of the next commit; null at the beginning. */
  readonly place: unknown;
  /** The process that migrates; on a shared store the others wait while its lease lasts. */
  readonly owner: string;
  readonly untilMs: number;
  /** The copy of the file before the first step; null if the store is not a file. */
  readonly backup: string | null;
}

/** The store's layout, as one read. */
export interface LayoutState {
  /** Null for a store that has nothing yet; 0 for the first layout of all, before version 1.0.0. */
  readonly layout: number | null;
  readonly born: number | null;
  readonly layoutVersion: string | null;
  readonly progress: MigrationProgress | null;
  readonly progressVersion: string | null;
}

export async function findLayout({ kv }: Pick<Store, "kv">): Promise<LayoutState> {
  const [schema, migration, born] = await kv.getMany<[number, MigrationProgress, number]>([
    SCHEMA_KEY,
    MIGRATION_KEY,
    BORN_KEY,
  ]);
  return {
    layout: schema.value === 1 && born.value === null ? 0 : schema.value,
    born: born.value,
    layoutVersion: schema.versionstamp,
    progress: migration.value,
    progressVersion: migration.versionstamp,
  };
}

/** A new store gets the current layout, also if several processes open it at the same moment. */
export async function noteNewStore(store: Store): Promise<void> {
  await transact({ store }, async (write) => {
    const { layout } = await findLayout(store);
    if (layout !== null) return;
    write.check(SCHEMA_KEY, null);
    write.set(SCHEMA_KEY, LAYOUT);
    write.set(BORN_KEY, LAYOUT);
  });
}

/** True for a store that was made when runs had a setting of their own for how long they are kept. */
export async function knowsShortRuns({ kv }: Pick<Store, "kv">): Promise<boolean> {
  return ((await kv.get<number>(BORN_KEY)).value ?? 0) > 0;
}

/**
 * The commit fails when another process has moved the migration on, or ended it, since `state` was
 * read: an ended migration leaves no progress.
 */
export function saveProgress(
  write: Write,
  { layoutVersion, progressVersion }: LayoutState,
  progress: MigrationProgress,
): void {
  write.check(SCHEMA_KEY, layoutVersion);
  write.check(MIGRATION_KEY, progressVersion);
  write.set(MIGRATION_KEY, progress);
}

/** The step to layout `to` is done; `next` is the step that follows, null after the last one. */
export function saveLayout(
  write: Write,
  { progressVersion, born }: LayoutState,
  { to, next }: { readonly to: number; readonly next: MigrationProgress | null },
): void {
  write.check(MIGRATION_KEY, progressVersion);
  if (next === null) write.delete(MIGRATION_KEY);
  else write.set(MIGRATION_KEY, next);
  write.set(SCHEMA_KEY, to);
  write.set(BORN_KEY, born ?? 0);
}
