import type { CursorSealer } from "../../base/cursor.ts";
import type { Store, Write } from "./kv.ts";

/** Every store function takes it, so reads across workspaces are impossible. */
export interface WorkspaceStore {
  readonly store: Store;
  readonly workspaceId: string;
}

/** Who acts. The audit log shows `name` (an e-mail address, a key's name). */
export interface Actor {
  readonly type: "user" | "api_key" | "system";
  readonly id: string;
  readonly name: string;
}

export interface ClockAndIds {
  now(): Date;
  /** A new time-ordered id: 24 hex characters (docs/decisions/http.md). */
  newId(): string;
  readonly cursors: CursorSealer;
}

/** The record of an `Idempotency-Key`, written in the commit of the effect. */
interface Receipt {
  /** `path` is the address of the created resource; null if there is none. */
  put(write: Write, path: string | null): void;
}

/** The caller, workspace and clock of a request; an argument of every verb. */
export interface Context extends WorkspaceStore, ClockAndIds {
  readonly actor: Actor;
  readonly requestId: string;
  /** Scopes of an API key; absent for other callers. */
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
