/** A workspace in an in-memory store with a settable clock, for tests that need no HTTP. */

import {
  addWorkspace,
  type Workspace,
  WORKSPACE_DEFAULTS,
  workspacesVersion,
} from "../../src/accounts/workspace.ts";
import { CatalogueCache } from "../../src/catalogue/lists/catalogue_cache.ts";
import type { ClockAndIds, Context } from "../../src/platform/store/context.ts";
import { type Store, transact } from "../../src/platform/store/kv.ts";
import { openMemoryStore } from "../memory_store.ts";
import { testWith } from "../opened.ts";
import { contextOf, createTestClock } from "../platform/jobs/counting.ts";

export interface TestWorkspace extends Context, Disposable {
  readonly cache: CatalogueCache;
  advance(ms: number): void;
}

export async function addTestWorkspace(
  store: Store,
  clock: ClockAndIds,
  settings: Partial<Workspace> = {},
): Promise<Context> {
  const ctx = contextOf(store, clock, clock.newId());
  const { workspaceId: id } = ctx;
  const createdAt = ctx.now().toISOString();
  const workspace = { id, name: `Shop ${id}`, ...WORKSPACE_DEFAULTS, createdAt, ...settings };
  await transact(ctx, async (write) => {
    addWorkspace(write, workspace, await workspacesVersion(store));
  });
  return ctx;
}

export async function openTestWorkspace(store?: Store): Promise<TestWorkspace> {
  const owned = store ?? await openMemoryStore();
  const clock = createTestClock(Date.parse("2026-08-01T09:00:00Z"));
  const ctx = await addTestWorkspace(owned, clock, { quarantine: null });
  return {
    ...ctx,
    actor: { type: "user", id: clock.newId(), name: "anna@example.com" },
    cache: new CatalogueCache(),
    advance: clock.advance,
    [Symbol.dispose]() {
      if (!store) owned.kv.close();
    },
  };
}

export const withWorkspace = testWith(() => openTestWorkspace());
