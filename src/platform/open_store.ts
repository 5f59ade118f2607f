/** Keys: `schema` → number of the key layout that the store has. */
import { Failure } from "../base/failure.ts";
import type { Store } from "./kv.ts";
import { asTornFile, requireWholeFile } from "./store_file.ts";
import { tellingTrouble } from "./store_trouble.ts";

/** The number of the key layout (design §2): a newer store is refused, an older one is migrated. */
const SCHEMA_VERSION = 1;
const SCHEMA_KEY = ["schema"];

export interface StoreLocation {
  /** A KV Connect address; null for a file in `dataDir`. */
  readonly kvUrl: string | null;
  /** Null on Deno Deploy, where the platform has a store of its own. */
  readonly dataDir: string | null;
}

/** Where the file of a store lies, and the lock beside it. */
export function storeFile(dataDir: string) {
  return { kvPath: `${dataDir}/kurant.db`, lockPath: `${dataDir}/kurant.lock` };
}

/**
 * Opens the store and checks its layout. Refuses with `unavailable` a store that a newer version
 * wrote, and a file that is torn or none.
 */
export async function openStore(location: StoreLocation, busyMs: number): Promise<Store> {
  const { kvUrl, dataDir } = location;
  if (kvUrl === null && dataDir !== null) {
    await Deno.mkdir(dataDir, { recursive: true });
    return await openStoreFile(storeFile(dataDir).kvPath, busyMs);
  }
  const store: Store = { kv: await openKv(kvUrl ?? undefined), kind: "remote", busyMs };
  await requireLayout(store);
  return store;
}

/** As `openStore`, for a file wherever it lies: a copy is looked at before it is used. */
export async function openStoreFile(path: string, busyMs: number): Promise<Store> {
  await requireWholeFile(path);
  try {
    const store: Store = { kv: await openKv(path), kind: "file", busyMs };
    await requireLayout(store);
    return store;
  } catch (error) {
    throw asTornFile(path, error);
  }
}

async function openKv(path: string | undefined): Promise<Deno.Kv> {
  try {
    return tellingTrouble(await Deno.openKv(path));
  } catch (cause) {
    const message = `The store "${path ?? "of the platform"}" cannot be opened: ` +
      `${cause instanceof Error ? cause.message : cause}`;
    throw new Failure("unavailable", message, undefined, { cause });
  }
}

/** A store in memory: gone with the process. */
export async function openMemoryStore(): Promise<Store> {
  const store: Store = { kv: await Deno.openKv(":memory:"), kind: "memory", busyMs: 5_000 };
  await requireLayout(store);
  return store;
}

async function requireLayout({ kv }: Store): Promise<void> {
  const { value } = await kv.get<number>(SCHEMA_KEY);
  if (value === null) {
    await kv.atomic().check({ key: SCHEMA_KEY, versionstamp: null })
      .set(SCHEMA_KEY, SCHEMA_VERSION).commit();
    return;
  }
  if (value > SCHEMA_VERSION) {
    kv.close();
    throw new Failure(
      "unavailable",
      `The store has layout ${value}, this program knows ${SCHEMA_VERSION}: use a newer version`,
    );
  }
}
