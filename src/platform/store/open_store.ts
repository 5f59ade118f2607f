/**
 * Keys: `schema` → layout of the store; `migration` → progress to the next layout.
 *
 * The layout of a store is the version of the format of its rows. A store of an earlier layout is
 * migrated by one process at a time, in steps of many commits. To survive a crash, each commit also
 * stores the position of the migration. A store with a later layout is not opened.
 */
import { Failure } from "../../base/failure.ts";
import { roomLog } from "../log.ts";
import { openDirectReads } from "./direct_reads.ts";
import { prepareStoreFile } from "./file_layout.ts";
import { firstRow } from "./rows.ts";
import { keysOfFolder } from "./secret_store.ts";
import { type SecretKey, type Store, transact, type Write } from "./kv.ts";
import { asTornFile, requireWholeFile } from "./store_file.ts";
import {
  aroundCalls,
  inTurns,
  readingBy,
  type StoreTrouble,
  type TroubleListener,
  withTroubles,
} from "./store_trouble.ts";
import { setTimeout as pause } from "node:timers/promises";

const log = roomLog("store");

const CALLS_AT_ONCE = {
  reads: 4,
  commits: 1,
} as const;

export interface StoreLocation {
  /** The address of a KV Connect server; null for a file in `dataDir`, or on Deno Deploy. */
  readonly kvUrl: string | null;
  /** The data folder; null on Deno Deploy, where the platform provides the store. */
  readonly dataDir: string | null;
  readonly secretKeys?: readonly SecretKey[];
}

export function storeFile(dataDir: string) {
  return { kvPath: `${dataDir}/kurant.db`, lockPath: `${dataDir}/kurant.lock` };
}

/** Throws `unavailable` if the file is damaged, or its layout cannot be used or migrated. */
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
    if (migrate) return await migrate(store);
    const message = `The store has layout ${layout}, this program works with ${LAYOUT}: ` +
      "start the server once, which migrates it";
    throw new Failure("unavailable", message, { layout });
  } catch (error) {
    store.kv.close();
    throw error;
  }
}

/** Pre-release versions used layouts 2 to 9, version 1.0.0 layout 1, later ones 10 and up. */
export const LAYOUT = 11;
export const PRE_RELEASE_LAYOUT = 9;
const FIRST_NEW_LAYOUT = 10;
export const EARLIER_LAYOUTS: readonly number[] = [
  PRE_RELEASE_LAYOUT,
  1,
  ...Array.from({ length: LAYOUT - FIRST_NEW_LAYOUT }, (_, n) => FIRST_NEW_LAYOUT + n),
];

const SCHEMA_KEY = ["schema"];
const MIGRATION_KEY = ["migration"];

interface MigrationProgress {
  readonly to: number;
  /** Next step of the migration, and the position in this step; null before the first commit. */
  readonly place: { readonly step: number; readonly at: unknown } | null;
  readonly owner: string;
  readonly untilMs: number;
  /** Path of the backup that was made before the migration; null if the store is not a file. */
  readonly backup: string | null;
}

type LayoutState = Awaited<ReturnType<typeof findLayout>>;

/** The returned `layout` is the version of the row format; null if the store contains none. */
export async function findLayout({ kv }: Pick<Store, "kv">) {
  const [schema, migration] = await kv.getMany<[number, MigrationProgress]>([
    SCHEMA_KEY,
    MIGRATION_KEY,
  ]);
  return {
    layout: schema.value,
    layoutVersion: schema.versionstamp,
    progress: migration.value,
    progressVersion: migration.versionstamp,
  };
}

/** Throws `unavailable` if the store has rows, because their layout is then unknown. */
export async function noteNewStore(store: Store): Promise<void> {
  await transact({ store }, async (write) => {
    // Read rows before the layout, because another process notes the layout before it adds a row.
    const isEmpty = await firstRow(store, { prefix: [] }) === null;
    const { layout } = await findLayout(store);
    if (layout !== null) return;
    if (!isEmpty) {
      const what = "The store has rows, but the row with its layout is missing";
      throw new Failure("unavailable", `${what}: restore a backup that has it`);
    }
    write.check(SCHEMA_KEY, null);
    write.set(SCHEMA_KEY, LAYOUT);
  });
}

function saveProgress(
  write: Write,
  { layoutVersion, progressVersion }: LayoutState,
  progress: MigrationProgress,
): void {
  write.check(SCHEMA_KEY, layoutVersion);
  write.check(MIGRATION_KEY, progressVersion);
  write.set(MIGRATION_KEY, progress);
}

export interface MigrationStep {
  readonly what: string;
  /**
   * Migrates rows from the position `at` (null: the first row), and returns the next position
   * (null: done). After a crash, `advance` may run again for the same position.
   */
  advance(store: Store, write: Write, at: unknown): Promise<unknown>;
}

export interface MigrationSetup {
  readonly steps: readonly MigrationStep[];
  readonly owner: string;
  now(): Date;
  backUp: (() => Promise<string>) | null;
  say(sentence: string): void;
}

const LEASE_MS = 30_000;
const BEGINNING = { step: 0, at: null };

/** Runs all steps for every old layout, so a step must not change rows that are already new. */
export async function migrateStore(store: Store, setup: MigrationSetup): Promise<void> {
  for (;;) {
    const state = await findLayout(store);
    if (state.layout === null || state.layout === LAYOUT) return;
    requireKnownLayout(state.layout);
    if (!EARLIER_LAYOUTS.includes(state.layout)) {
      const message = `The store has layout ${state.layout}, which is too old to migrate`;
      throw new Failure("unavailable", message);
    }
    if (await claim(store, setup, state)) {
      const all = setup.steps.map(({ what }) => what).join(", ");
      setup.say(`The store gets layout ${LAYOUT}: ${all}`);
      await carryOut(store, setup);
    } else await pause(500);
  }
}

function requireKnownLayout(layout: number): void {
  if (layout <= LAYOUT) return;
  const message =
    `The store has layout ${layout}, this program knows ${LAYOUT}: use a newer version`;
  throw new Failure("unavailable", message);
}

async function claim(store: Store, setup: MigrationSetup, state: LayoutState): Promise<boolean> {
  const { progress, progressVersion, layoutVersion } = state;
  const nowMs = setup.now().getTime();
  const isForeign = progress !== null && progress.owner !== setup.owner;
  // Only one process uses a store in a file, so another owner of the migration has died.
  if (isForeign && store.kind === "remote" && progress.untilMs > nowMs) return false;
  const backup = progress ? progress.backup : await setup.backUp?.() ?? null;
  const place = progress?.to === LAYOUT ? progress.place : null;
  const next = { to: LAYOUT, place, backup, owner: setup.owner, untilMs: nowMs + LEASE_MS };
  return await transact({ store }, async (write) => {
    const found = await findLayout(store);
    if (found.progressVersion !== progressVersion || found.layoutVersion !== layoutVersion) {
      return false;
    }
    saveProgress(write, state, next);
    return true;
  });
}

async function carryOut(store: Store, { steps, owner, now }: MigrationSetup): Promise<void> {
  for (let isDone = false; !isDone;) {
    isDone = await transact({ store }, async (write) => {
      const state = await findLayout(store);
      const { progress } = state;
      // Another process has taken over or finished the migration, so read the state again.
      if (progress?.owner !== owner) return true;
      // Earlier versions stored a position without `step`; the migration then starts again.
      const { step, at } = progress.place?.step === undefined ? BEGINNING : progress.place;
      const next = await steps[step]?.advance(store, write, at) ?? null;
      const isOver = next === null && step + 1 >= steps.length;
      if (isOver) {
        write.check(MIGRATION_KEY, state.progressVersion);
        write.delete(MIGRATION_KEY);
        write.set(SCHEMA_KEY, LAYOUT);
      } else {
        const place = next === null ? { step: step + 1, at: null } : { step, at: next };
        saveProgress(write, state, { ...progress, place, untilMs: now().getTime() + LEASE_MS });
      }
      return isOver;
    });
  }
}
