/** The context that most functions take: store, workspace, caller, clock and source of ids. */
import type { JsonValue } from "../../base/collections.ts";
import type { Store, Write } from "./kv.ts";
import { Buffer } from "node:buffer";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { createIdSource } from "../../base/id.ts";
import { requireStoreSecret } from "./secret_store.ts";

/** Functions that take a `WorkspaceStore` use only rows of this workspace. */
export interface WorkspaceStore {
  readonly store: Store;
  readonly workspaceId: string;
}

/**
 * The audit log shows `name`: an e-mail address, or the name of an API key, of a rule, or of a part
 * of this service.
 */
export interface Actor {
  readonly type: "user" | "api_key" | "system";
  readonly id: string;
  readonly name: string;
}

export interface ClockAndIds {
  now(): Date;
  newId(): string;
  readonly cursors: CursorSealer;
}

/** Marks the request's `Idempotency-Key` as used, in the commit of the request's changes. */
interface Receipt {
  put(write: Write, path: string | null): void;
}

export interface Context extends WorkspaceStore, ClockAndIds {
  readonly actor: Actor;
  readonly requestId: string;
  /** The scopes of an API key; absent for other callers. */
  readonly scopes?: readonly string[];
  readonly receipt: Receipt | null;
  /** Path and filters of the requested list; a cursor is valid only with the same ones. */
  readonly list?: () => string;
}

export interface Tools {
  readonly store: Store;
  readonly clock: ClockAndIds;
}

export interface Anonymous extends Tools {
  readonly requestId: string;
}

export function contextFor(
  { store, clock, requestId }: Anonymous,
  workspaceId: string,
  actor: Actor,
): Context {
  const now = () => clock.now();
  const newId = () => clock.newId();
  const { cursors } = clock;
  return { store, workspaceId, actor, requestId, receipt: null, now, newId, cursors };
}

export function commandContext(tools: Tools, workspaceId: string): Context {
  const requestId = `cmd_${tools.clock.newId()}`;
  return contextFor({ ...tools, requestId }, workspaceId, COMMAND);
}

const COMMAND: Actor = { type: "system", id: "command", name: "Command line" };

export async function createClock(store: Store, now: () => Date): Promise<ClockAndIds> {
  return {
    now,
    newId: createIdSource(() => now().getTime(), randomBytes),
    cursors: createCursorSealer(await requireStoreSecret(store)),
  };
}

const TAG_BYTES = 16;

type CursorSealer = ReturnType<typeof createCursorSealer>;

/** A cursor is a tag of 16 bytes (HMAC-SHA256) and a list position as JSON, in base64url. */
export function createCursorSealer(secret: Uint8Array) {
  const tag = (scope: string, position: Uint8Array) =>
    createHmac("sha256", secret)
      .update(`${Buffer.byteLength(scope)}:${scope}`)
      .update(position)
      .digest()
      .subarray(0, TAG_BYTES);

  return {
    /** `scope` identifies the workspace, the list and its filters. */
    seal(scope: string, position: JsonValue): string {
      const body = Buffer.from(JSON.stringify(position));
      return Buffer.concat([tag(scope, body), body]).toString("base64url");
    },
    /** Returns null if the cursor was changed, or signed for another list or store. */
    open(scope: string, cursor: string): JsonValue | null {
      const bytes = Buffer.from(cursor, "base64url");
      // Encode the bytes again and compare, because the decoder ignores invalid characters.
      if (bytes.length <= TAG_BYTES || bytes.toString("base64url") !== cursor) return null;
      const body = bytes.subarray(TAG_BYTES);
      if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), tag(scope, body))) return null;
      const position: JsonValue = JSON.parse(body.toString());
      return position;
    },
  };
}
