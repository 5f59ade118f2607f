/** Encrypts stored credentials with a new `SECRET_KEY`, and finds unreadable credentials. */
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { resealRows, type RowPlace, secretTroubles } from "../../platform/store/sealed_fields.ts";
import { TABLES } from "./tables.ts";

function tablesWithSecrets() {
  return Object.values(TABLES).flat().filter(({ options }) => options.sealed !== undefined);
}

export interface SecretPlace {
  readonly table: number;
  readonly after: RowPlace;
  readonly count: number;
}

/**
 * Encrypts the credentials of one batch of rows, starting at `place`. Returns the place of the next
 * batch; null at the end.
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

/** After a crash, a second call of this function completes the work. */
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
