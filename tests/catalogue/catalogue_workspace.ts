/** A workspace in an in-memory store with a settable clock, for tests that need no HTTP. */

import { WORKSPACE_DEFAULTS } from "../../src/accounts/workspace.ts";
import { addWorkspace, workspacesVersion } from "../../src/accounts/workspace_store.ts";
import { createCursorSealer } from "../../src/base/cursor.ts";
import { createIdSource } from "../../src/base/id.ts";
import {
  type CatalogueCache,
  createCatalogueCache,
} from "../../src/catalogue/lists/catalogue_cache.ts";
import type { Context } from "../../src/platform/store/context.ts";
import { type Store, transact } from "../../src/platform/store/kv.ts";
import { openMemoryStore } from "../memory_store.ts";
import { randomBytes } from "node:crypto";
import { testWith } from "../opened.ts";

export interface TestWorkspace extends Context, Disposable {
  readonly cache: CatalogueCache;
  advance(ms: number): void;
}

/** Opens a new workspace in `store` or, without it, in a new store. */
export async function openTestWorkspace(store?: Store): Promise<TestWorkspace> {
  const owned = store ?? await openMemoryStore();
  let nowMs = Date.parse("2026-08-01T09:00:00Z");
  const newId = createIdSource(() => nowMs, randomBytes);
  const ctx: Context = {
    store: owned,
    workspaceId: newId(),
    actor: { type: "user", id: newId(), name: "anna@example.com" },
    requestId: "req_test",
    receipt: null,
    now: () => new Date(nowMs),
    newId,
    cursors: createCursorSealer(new Uint8Array(32)),
  };
  const workspace = {
    ...WORKSPACE_DEFAULTS,
    quarantine: null,
    id: ctx.workspaceId,
    name: `Shop ${ctx.workspaceId}`,
    createdAt: ctx.now().toISOString(),
  };
  const version = await workspacesVersion(owned);
  await transact(ctx, (write) => Promise.resolve(addWorkspace(write, workspace, version)));
  return {
    ...ctx,
    cache: createCatalogueCache(),
    advance(ms) {
      nowMs += ms;
    },
    [Symbol.dispose]() {
      if (!store) owned.kv.close();
    },
  };
}

export const withWorkspace = testWith(() => openTestWorkspace());
