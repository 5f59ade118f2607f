/**
 * Searches all tables for rows that contradict each other. Encrypts stored credentials with a new
 * `SECRET_KEY`, and finds credentials that cannot be decrypted.
 */
// Loads all modules of the service, because each module adds its tables to `TABLES`.
import "./app.ts";
import { compareTexts } from "../../base/text.ts";
import { NO_WORKSPACE } from "../../platform/jobs/job.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { TABLES } from "../../platform/store/table.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { resealRows, type RowPlace, secretTroubles } from "../../platform/store/table_options.ts";

/** Checks the tables of a workspace or, with `NO_WORKSPACE`, those of the whole store. */
export async function* checkTables(place: WorkspaceStore): AsyncGenerator<string> {
  const isOfStore = place.workspaceId === NO_WORKSPACE;
  for (const table of TABLES) {
    if (table.isOfStore === isOfStore) yield* table.inconsistencies(place);
  }
}

/** The order must not change, because an interrupted migration continues at a stored index. */
function tablesWithSecrets() {
  return TABLES.filter(({ options }) => options.sealed !== undefined)
    .sort((a, b) => compareTexts(a.options.prefix, b.options.prefix));
}

export interface SecretPlace {
  readonly table: number;
  readonly after: RowPlace;
  readonly count: number;
}

/**
 * Encrypts the credentials of one batch of rows, starting at `place` (null: the first row). Returns
 * the start of the next batch; null if no table is left.
 */
export async function resealSome(
  store: Store,
  write: Write,
  place: SecretPlace | null,
): Promise<SecretPlace | null> {
  const { table: at, after, count } = place ?? { table: 0, after: null, count: 0 };
  const table = tablesWithSecrets()[at];
  if (table === undefined) return null;
  const done = await resealRows(table, store, write, after);
  const next = done.after === null ? at + 1 : at;
  return { table: next, after: done.after, count: count + done.count };
}

/** If a call is interrupted, another call completes the work. */
export async function resealAll(store: Store): Promise<number> {
  let place: SecretPlace | null = null;
  for (let count = 0;; count = place.count) {
    place = await transact({ store }, (write) => resealSome(store, write, place));
    if (place === null) return count;
  }
}

export async function* findSecretTroubles(store: Store): AsyncGenerator<string> {
  for (const { options } of tablesWithSecrets()) yield* secretTroubles(options, store);
}
