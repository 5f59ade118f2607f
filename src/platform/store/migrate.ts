/**
 * Migrates a store of an older layout to the current one, step by step. After a crash it continues from
 * the last commit.
 */
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

/** One change of the layout. */
export interface Migration {
  readonly from: number;
  readonly to: number;
  /** For the log and the change log: what is different afterwards. */
  readonly what: string;
  /**
   * Adds the changes of one commit, from `place` on (null: the beginning), and answers where the next
   * one goes on; null when it was the last. It runs again after a crash, from the last place committed.
   */
  advance(store: Store, write: Write, place: unknown): Promise<unknown>;
}

export interface MigrationSetup {
  readonly migrations: readonly Migration[];
  /** Different in each process. */
  readonly owner: string;
  now(): Date;
  /**
   * Copies the file before the first of all steps and answers the copy's path; null if there is no
   * file. It refuses when the disk lacks room for the copy and for all steps.
   */
  backUp: (() => Promise<string>) | null;
  /** Prints a sentence for the operator. */
  say(sentence: string): void;
}

const LEASE_MS = 30_000;
const WAIT_MS = 500;

/**
 * Resolves when the store has today's layout. Of several processes on a shared store one migrates and
 * the others wait. Refuses with `unavailable` a store of a newer layout, and one that is too old.
 */
export async function migrateStore(store: Store, setup: MigrationSetup): Promise<void> {
  for (;;) {
    const state = await findLayout(store);
    if (state.layout === null || state.layout === LAYOUT) return;
    const migration = requireMigration(setup.migrations, state.layout);
    const held = await claim(store, setup, state, migration);
    if (held === null) {
      await pause(WAIT_MS);
      continue;
    }
    setup.say(`The store gets layout ${migration.to}: ${migration.what}`);
    await carryOut(store, setup, migration);
  }
}

/** Refuses with `unavailable` a layout that this program does not know how to read. */
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

/** The progress that this process holds now; null while another process works on it. */
async function claim(
  store: Store,
  setup: MigrationSetup,
  state: LayoutState,
  { to }: Migration,
): Promise<MigrationProgress | null> {
  const { progress, progressVersion, layoutVersion } = state;
  const nowMs = setup.now().getTime();
  const isForeign = progress !== null && progress.owner !== setup.owner;
  // Only one process has a file: the earlier holder of the lease has died.
  if (isForeign && store.kind === "remote" && progress.untilMs > nowMs) return null;
  const isSame = progress?.to === to;
  const backup = isSame ? progress.backup : await setup.backUp?.() ?? null;
  const place = isSame ? progress.place : null;
  const next = { to, place, backup, owner: setup.owner, untilMs: nowMs + LEASE_MS };
  return await transact({ store }, async (write) => {
    const found = await findLayout(store);
    // Another process was quicker.
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
      // It was overtaken: the loop around this looks at what there is to do.
      if (progress?.owner !== setup.owner || progress.to !== migration.to) return true;
      const place = await migration.advance(store, write, progress.place);
      const untilMs = setup.now().getTime() + LEASE_MS;
      if (place !== null) saveProgress(write, state, { ...progress, place, untilMs });
      else {
        const { to } = migration;
        // The next step goes on with the one backup of the whole upgrade.
        const following = setup.migrations.find(({ from }) => from === to);
        const next = following ? { ...progress, to: following.to, place: null, untilMs } : null;
        saveLayout(write, state, { to, next });
      }
      return place === null;
    });
  }
}
