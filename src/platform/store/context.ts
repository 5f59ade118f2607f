import type { CursorSealer } from "../../base/cursor.ts";
import type { Store, Write } from "./kv.ts";

/**
 * The workspace of a read: every store function requires one, so a read across workspaces cannot be
 * written.
 */
export interface WorkspaceStore {
  readonly store: Store;
  readonly workspaceId: string;
}

/** The actor; `name` is shown in the audit log (an e-mail address, a key's name). */
export interface Actor {
  readonly type: "user" | "api_key" | "system";
  readonly id: string;
  readonly name: string;
}

/**
 * The right clock, ids and signatures for one process; never global, never read from the
 * environment.
 */
export interface ClockAndIds {
  now(): Date;
  /** A new time-ordered id: 24 hex characters (docs/decisions/http.md). */
  newId(): string;
  readonly cursors: CursorSealer;
}

/**
 * The part of an `Idempotency-Key` in the commit of its effect, so that a crash never repeats it.
 */
export interface Receipt {
  /** `path` is where the thing that was made can be read, or null when there is no such place. */
  put(write: Write, path: string | null): void;
}

/** The caller, workspace and clock of a request: passed to every verb. */
export interface Context extends WorkspaceStore, ClockAndIds {
  readonly actor: Actor;
  readonly requestId: string;
  /** Scopes of an API key; absent for other callers. */
  readonly scopes?: readonly string[];
  /** Null without an `Idempotency-Key`. */
  readonly receipt: Receipt | null;
}

/** The context of an actor: the caller of a request, or a part of the service. */
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
