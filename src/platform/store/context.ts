/**
 * The context that most functions take: store, workspace, caller, clock and source of ids. Times
 * and ids come from the context, so tests can set them.
 */
import { createCursorSealer, type CursorSealer } from "../../base/cursor.ts";
import type { Store, Write } from "./kv.ts";
import { randomBytes } from "node:crypto";
import { createIdSource } from "../../base/id.ts";
import { requireStoreSecret } from "./store_secret_store.ts";

/** The store and one workspace. Functions that take this argument cannot read other workspaces. */
export interface WorkspaceStore {
  readonly store: Store;
  readonly workspaceId: string;
}

/** Who acts. The audit log shows `name`: an e-mail address, or the name of a key. */
export interface Actor {
  readonly type: "user" | "api_key" | "system";
  readonly id: string;
  readonly name: string;
}

export interface ClockAndIds {
  now(): Date;
  /** A new time-ordered id of 24 hex characters. */
  newId(): string;
  readonly cursors: CursorSealer;
}

/** Records that the request's `Idempotency-Key` was used, in the commit of the request's effect. */
interface Receipt {
  /** `path` is the address of the created resource. */
  put(write: Write, path: string | null): void;
}

export interface Context extends WorkspaceStore, ClockAndIds {
  readonly actor: Actor;
  readonly requestId: string;
  /** The scopes of an API key; absent for other callers. */
  readonly scopes?: readonly string[];
  readonly receipt: Receipt | null;
}

export function contextFor(
  { store, clock, requestId }: {
    readonly store: Store;
    readonly clock: ClockAndIds;
    readonly requestId: string;
  },
  workspaceId: string,
  actor: Actor,
): Context {
  const now = () => clock.now();
  const newId = () => clock.newId();
  const { cursors } = clock;
  return { store, workspaceId, actor, requestId, receipt: null, now, newId, cursors };
}

export async function createClock(store: Store, now: () => Date): Promise<ClockAndIds> {
  return {
    now,
    newId: createIdSource(() => now().getTime(), randomBytes),
    cursors: createCursorSealer(await requireStoreSecret(store)),
  };
}
