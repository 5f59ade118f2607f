/** Opens stores, and migrates or refuses a store with another layout (format of its rows). */
import { Failure } from "../../base/failure.ts";
import { FairQueue, TimeSlice } from "../event_loop.ts";
import { roomLog } from "../log.ts";
import { openDirectReads } from "./direct_reads.ts";
import { prepareStoreFile } from "./file_layout.ts";
import type { Store } from "./kv.ts";
import { findLayout, LAYOUT, noteNewStore, requireKnownLayout } from "./layout_store.ts";
import { keysOfFolder, type SecretKey } from "./secret_key.ts";
import { asTornFile, requireWholeFile } from "./store_file.ts";
import {
  type AroundCall,
  aroundCalls,
  beforeClosing,
  replaceMethod,
  type StoreTrouble,
  type TroubleListener,
  withTroubles,
} from "./store_trouble.ts";

const log = roomLog("store");

const CALLS_AT_ONCE = {
  reads: 4,
  commits: 1,
} as const;

export interface StoreLocation {
  /** The address of a KV Connect server; null for a file in `dataDir`, or on Deno Deploy. */
  readonly kvUrl: string | null;
  /** Null on Deno Deploy, where the platform provides the store. */
  readonly dataDir: string | null;
  readonly secretKeys?: readonly SecretKey[];
}

export function storeFile(dataDir: string) {
  return { kvPath: `${dataDir}/kurant.db`, lockPath: `${dataDir}/kurant.lock` };
}

/** Throws `unavailable` for an unusable layout or file. */
export async function openStore(
  location: StoreLocation,
  busyMs: number,
  migrate: Migrate | null = null,
): Promise<Store> {
  const { kvUrl, dataDir, secretKeys = [] } = location;
  if (kvUrl === null && dataDir !== null) {
    await Deno.mkdir(dataDir, { recursive: true });
    const keys = await keysOfFolder(dataDir, secretKeys);
    return await openStoreFile(storeFile(dataDir).kvPath, busyMs, migrate, keys);
  }
  const store: Store = {
    kv: await openKv(kvUrl ?? undefined),
    kind: "remote",
    busyMs,
    direct: null,
    secretKeys,
  };
  await requireLayout(store, migrate);
  return store;
}

export async function openStoreFile(
  path: string,
  busyMs: number,
  migrate: Migrate | null = null,
  secretKeys: readonly SecretKey[] = [],
): Promise<Store> {
  await requireWholeFile(path);
  await prepareStoreFile(path);
  let isDamaged = false;
  const onTrouble = (trouble: StoreTrouble) => {
    if (trouble.kind !== "damaged" || isDamaged) return;
    isDamaged = true;
    log.error("the store's file is damaged: restore a backup (kurant restore FILE)", {
      path,
      error: trouble,
    });
  };
  try {
    const kv = await openHandles(path, onTrouble);
    await requireLayout({ kv, kind: "file", busyMs, secretKeys }, migrate);
    const direct = await openDirectReads(path, kv);
    return { kv, kind: "file", busyMs, direct, secretKeys, isDamaged: () => isDamaged };
  } catch (error) {
    throw asTornFile(path, error);
  }
}

/** Opens the file twice, for reads and for commits, so that reads do not wait for commits. */
async function openHandles(path: string, onTrouble: TroubleListener): Promise<Deno.Kv> {
  const writer = await openKv(path, onTrouble);
  try {
    const reader = await openKv(path, onTrouble);
    aroundCalls(writer, inTurns(CALLS_AT_ONCE.commits));
    aroundCalls(reader, inTurns(CALLS_AT_ONCE.reads));
    return readingBy(reader, writer);
  } catch (error) {
    writer.close();
    throw error;
  }
}

async function openKv(path: string | undefined, onTrouble?: TroubleListener): Promise<Deno.Kv> {
  try {
    return aroundCalls(await Deno.openKv(path), withTroubles(onTrouble));
  } catch (cause) {
    const message = `The store "${path ?? "of the platform"}" cannot be opened: ` +
      `${cause instanceof Error ? cause.message : cause}`;
    throw new Failure("unavailable", message, undefined, { cause });
  }
}

export type Migrate = (store: Store) => Promise<void>;

async function requireLayout(store: Store, migrate: Migrate | null): Promise<void> {
  try {
    const { layout } = await findLayout(store);
    if (layout === null) return await noteNewStore(store);
    requireKnownLayout(layout);
    if (layout === LAYOUT) return;
    if (migrate === null) throw older(layout);
    await migrate(store);
  } catch (error) {
    store.kv.close();
    throw error;
  }
}

function older(layout: number): Failure {
  const message = `The store has layout ${layout}, this program works with ${LAYOUT}: ` +
    "start the server once, which migrates it";
  return new Failure("unavailable", message, { layout });
}

function readingBy(reader: Deno.Kv, writer: Deno.Kv): Deno.Kv {
  for (const name of ["getMany", "get", "list"] as const) {
    replaceMethod(writer, name, reader[name].bind(reader));
  }
  beforeClosing(writer, () => reader.close());
  return writer;
}

function inTurns(atOnceMax: number): AroundCall {
  const queue = new FairQueue(atOnceMax);
  const busy = new TimeSlice(16);
  return (call, key) => {
    if (queue.isIdle) busy.begin();
    return queue.run(partitionOf(key), async () => {
      await busy.yield();
      return await call();
    });
  };
}

export function partitionOf([, owner]: Deno.KvKey): string {
  const isId = owner instanceof Uint8Array && owner.length === 12;
  return isId ? String.fromCharCode(...owner) : "";
}
