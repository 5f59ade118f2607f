/**
 * Keys: `schema` → layout of the store; `migration` → progress to the next layout; `born` → layout
 * with which the store was created, 0 for stores from before 1.0.0.
 */
import { type Store, transact, type Write } from "./kv.ts";

/** Layouts 2 to 9 come from before version 1.0.0, which began again with layout 1. */
export const LAYOUT = 11;
/** The last layout before version 1.0.0. */
export const PRE_RELEASE_LAYOUT = 9;
export const EARLIER_LAYOUTS: readonly number[] = [PRE_RELEASE_LAYOUT, 1, 10];

const SCHEMA_KEY = ["schema"];
const MIGRATION_KEY = ["migration"];
const BORN_KEY = ["born"];

interface MigrationProgress {
  readonly to: number;
  /** The step of the next commit, and the position within the step. Null at the beginning. */
  readonly place: { readonly step: number; readonly at: unknown } | null;
  /** The id of the migrating process, which holds a lease. */
  readonly owner: string;
  readonly untilMs: number;
  /** A backup from before the first step; null if the store is not a file. */
  readonly backup: string | null;
}

export interface LayoutState {
  /** Null for an empty store; 0 for layout 1 from before version 1.0.0. */
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

/** Several processes may call this at once. */
export async function noteNewStore(store: Store): Promise<void> {
  await transact({ store }, async (write) => {
    const { layout } = await findLayout(store);
    if (layout !== null) return;
    write.check(SCHEMA_KEY, null);
    write.set(SCHEMA_KEY, LAYOUT);
    write.set(BORN_KEY, LAYOUT);
  });
}

/** True if the store was created by version 1.0.0 or later. */
export async function knowsShortRuns({ kv }: Pick<Store, "kv">): Promise<boolean> {
  return ((await kv.get<number>(BORN_KEY)).value ?? 0) > 0;
}

/** The commit fails if another process has changed the progress in the meantime. */
export function saveProgress(
  write: Write,
  { layoutVersion, progressVersion }: LayoutState,
  progress: MigrationProgress,
): void {
  write.check(SCHEMA_KEY, layoutVersion);
  write.check(MIGRATION_KEY, progressVersion);
  write.set(MIGRATION_KEY, progress);
}

export function saveLayout(write: Write, { progressVersion, born }: LayoutState): void {
  write.check(MIGRATION_KEY, progressVersion);
  write.delete(MIGRATION_KEY);
  write.set(SCHEMA_KEY, LAYOUT);
  write.set(BORN_KEY, born ?? 0);
}
