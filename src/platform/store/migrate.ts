/** Migrates a store of an older layout step by step; after a crash from the last commit on. */
import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../../base/failure.ts";
import { type Store, transact, type Write } from "./kv.ts";
import {
  findLayout,
  LAYOUT,
  type LayoutState,
  type MigrationProgress,
  PRE_RELEASE_LAYOUT,
  saveLayout,
  saveProgress,
} from "./layout_store.ts";

export interface Migration {
  readonly from: number;
  readonly to: number;
  /** What the step changes, for the log and the change log. */
  readonly what: string;
  /**
   * Adds the changes of one commit from `place` on (null: the beginning), and returns the place of
   * the next; null after the last one. After a crash it runs again.
   */
  advance(store: Store, write: Write, place: unknown): Promise<unknown>;
}

export interface MigrationSetup {
  readonly migrations: readonly Migration[];
  readonly owner: string;
  now(): Date;
  /** Copies the file before the first step. Returns the copy's path. */
  backUp: (() => Promise<string>) | null;
  say(sentence: string): void;
}

const LEASE_MS = 30_000;

/** Throws `unavailable` for a newer layout, and for one that is too old. */
export async function migrateStore(store: Store, setup: MigrationSetup): Promise<void> {
  for (;;) {
    const state = await findLayout(store);
    if (state.layout === null || state.layout === LAYOUT) return;
    const migration = requireMigration(setup.migrations, state.layout);
    const held = await claim(store, setup, state, migration);
    if (held === null) {
      await pause(500);
      continue;
    }
    setup.say(`The store gets layout ${migration.to}: ${migration.what}`);
    await carryOut(store, setup, migration);
  }
}

export function requireKnownLayout(layout: number): void {
  if (layout <= Math.max(LAYOUT, PRE_RELEASE_LAYOUT)) return;
  const message =
    `The store has layout ${layout}, this program knows ${LAYOUT}: use a newer version`;
  throw new Failure("unavailable", message);
}

function requireMigration(migrations: readonly Migration[], layout: number): Migration {
  requireKnownLayout(layout);
  const migration = migrations.find(({ from }) => from === layout);
  if (migration) return migration;
  throw new Failure("unavailable", `The store has layout ${layout}, which is too old to migrate`);
}

/** Null while another process migrates. */
async function claim(
  store: Store,
  setup: MigrationSetup,
  state: LayoutState,
  { to }: Migration,
): Promise<MigrationProgress | null> {
  const { progress, progressVersion, layoutVersion } = state;
  const nowMs = setup.now().getTime();
  const isForeign = progress !== null && progress.owner !== setup.owner;
  // A file belongs to one process, so the earlier holder of the lease has died.
  if (isForeign && store.kind === "remote" && progress.untilMs > nowMs) return null;
  const isSame = progress?.to === to;
  const backup = isSame ? progress.backup : await setup.backUp?.() ?? null;
  const place = isSame ? progress.place : null;
  const next = { to, place, backup, owner: setup.owner, untilMs: nowMs + LEASE_MS };
  return await transact({ store }, async (write) => {
    const found = await findLayout(store);
    if (found.progressVersion !== progressVersion || found.layoutVersion !== layoutVersion) {
      return null;
    }
    saveProgress(write, state, next);
    return next;
  });
}

async function carryOut(store: Store, setup: MigrationSetup, migration: Migration): Promise<void> {
  for (let isDone = false; !isDone;) {
    isDone = await transact({ store }, async (write) => {
      const state = await findLayout(store);
      const { progress } = state;
      // Another process has taken over; the outer loop decides what to do next.
      if (progress?.owner !== setup.owner || progress.to !== migration.to) return true;
      const place = await migration.advance(store, write, progress.place);
      const untilMs = setup.now().getTime() + LEASE_MS;
      if (place !== null) saveProgress(write, state, { ...progress, place, untilMs });
      else {
        const { to } = migration;
        // All steps of the upgrade share one backup.
        const following = setup.migrations.find(({ from }) => from === to);
        const next = following ? { ...progress, to: following.to, place: null, untilMs } : null;
        saveLayout(write, state, { to, next });
      }
      return place === null;
    });
  }
}
