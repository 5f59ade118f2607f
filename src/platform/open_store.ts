import { Failure } from "../base/failure.ts";
import type { Store } from "./kv.ts";

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

/** Opens the store and checks its layout. Refuses a store that a newer version wrote, and a file that is none. */
export async function openStore(location: StoreLocation, busyMs: number): Promise<Store> {
  const { kvUrl, dataDir } = location;
  const isLocal = kvUrl === null && dataDir !== null;
  if (isLocal) await Deno.mkdir(dataDir, { recursive: true });
  const path = kvUrl ?? (dataDir === null ? undefined : storeFile(dataDir).kvPath);
  let kv: Deno.Kv;
  try {
    kv = await Deno.openKv(path);
  } catch (cause) {
    const message = `The store "${path ?? "of the platform"}" cannot be opened: ` +
      `${cause instanceof Error ? cause.message : cause}`;
    throw new Failure("unavailable", message, undefined, { cause });
  }
  const store: Store = { kv, kind: isLocal ? "file" : "remote", busyMs };
  await requireLayout(store);
  return store;
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
