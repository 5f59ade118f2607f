/** Sessions of people, and their cookie on the in-app interface (docs/decisions/identity.md). */
import { getCookie } from "hono/cookie";
import { sha256 } from "../../base/bytes.ts";
import type { AppContext } from "../../platform/http/app_context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { getMixedRows, removeInBatches } from "../../platform/store/rows.ts";
import { defineStoreTable } from "../../platform/store/table.ts";
import type { Role } from "../roles.ts";
import { isPast, isToken } from "../secret.ts";
import {
  findUserById,
  noteUser,
  requireUser,
  saveUser,
  type StoredUser,
  userKey,
} from "../users/user.ts";
import type { Workspace } from "../workspace.ts";
import { findWorkspace, workspaces } from "../workspace_store.ts";
import { z } from "@hono/zod-openapi";
import { noSuch } from "../../base/failure.ts";
import type { Context } from "../../platform/store/context.ts";

export const SESSION_COOKIE = "pr_session";
/** Lifetime of a session, which ends two weeks after the sign-in even if it is in use. */
export const SESSION_SECONDS = 1_209_600;

/** A session is found by the hash of its token. Only the browser has the token. */
export interface Session {
  readonly userId: string;
  /** The session ends when the user's `sessionGeneration` exceeds this number. */
  readonly generation: number;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Set while the person has not given the second factor yet. */
  readonly awaits?: "factor";
  /** True if the session needs no further factor. */
  readonly isComplete?: boolean;
  /** Time of the last sign-in or proof of identity. If `provedAt` is absent, `createdAt` counts. */
  readonly provedAt?: string;
  /** Time of the last request, stored at most once a minute. */
  readonly usedAt?: string;
  /** Absent in rows that an earlier version of Kurant wrote. */
  readonly browser?: Browser;
}

export interface Browser {
  readonly agent: string;
  readonly address: string;
}

export interface SessionStart {
  readonly browser?: Browser;
  /** True if the sign-in needs no second step, for example a sign-in by passkey. */
  readonly isComplete?: boolean;
  readonly provedAt?: Date;
}

export function sessionCookie(token: string, isHttps: boolean): string {
  return cookieText(token, SESSION_SECONDS, isHttps);
}

export function endedCookie(isHttps: boolean): string {
  return cookieText("", 0, isHttps);
}

/** True if the request has a session cookie, even an invalid one. */
export function carriesSession(c: AppContext): boolean {
  return getCookie(c, SESSION_COOKIE) !== undefined;
}

export function sessionHash(c: AppContext): Uint8Array | null {
  const token = getCookie(c, SESSION_COOKIE);
  return token !== undefined && isToken(token) ? sha256(token) : null;
}

function cookieText(token: string, maxAgeSeconds: number, isHttps: boolean): string {
  const attributes = `HttpOnly; SameSite=Lax; Path=/; Max-Age=${maxAgeSeconds}`;
  return `${SESSION_COOKIE}=${token}; ${attributes}${isHttps ? "; Secure" : ""}`;
}

export interface SessionOwner {
  readonly id: string;
  readonly workspaceId: string;
}

export const sessions = defineStoreTable<Session & { readonly hash: Uint8Array }, "hash", "user">({
  prefix: "s",
  about: "the session whose token has this SHA-256",
  key: { hash: "bytes" },
  indexes: {
    user: {
      prefix: "su",
      key: { userId: "id" },
      // A session of an earlier version of Kurant enters the index at its next use.
      of: (session) => session.usedAt === undefined ? [] : [session],
    },
  },
  expireInMs: (SESSION_SECONDS + 3_600) * 1000,
});

interface FoundSession {
  readonly session: Session | null;
  readonly user: StoredUser | null;
  readonly factorRoles: readonly Role[];
}

const NOBODY: FoundSession = { session: null, user: null, factorRoles: [] };

export async function findSessionWithUser(
  store: Store,
  hash: Uint8Array,
  guess: SessionOwner | null,
): Promise<FoundSession> {
  if (guess !== null) {
    const keys = [
      sessions.keyOf({}, { hash }),
      userKey(guess.id),
      workspaces.keyOf({}, { id: guess.workspaceId }),
    ] as const;
    const [session, user, workspace] = await getMixedRows<[Session, StoredUser, Workspace]>(
      store,
      keys,
    );
    if (session.value === null) return NOBODY;
    if (session.value.userId === guess.id) {
      const factorRoles = workspace.value?.secondFactorRoles ?? [];
      return { session: session.value, user: user.value, factorRoles };
    }
  }
  const session = await sessions.find({ store }, { hash });
  const found = session && await findUserById(store, session.row.userId);
  if (!session || !found) return NOBODY;
  const workspace = await findWorkspace(store, found.user.workspaceId);
  const factorRoles = workspace?.secondFactorRoles ?? [];
  return { session: session.row, user: found.user, factorRoles };
}

export function addSession(write: Write, hash: Uint8Array, session: Session): void {
  sessions.put(write, {}, { ...session, hash });
}

export async function removeSession(store: Store, write: Write, hash: Uint8Array): Promise<void> {
  const found = await sessions.find({ store }, { hash });
  if (found) sessions.drop(write, {}, found.row);
}

export async function saveUse(
  store: Store,
  write: Write,
  hash: Uint8Array,
  now: Date,
): Promise<void> {
  const found = await sessions.find({ store }, { hash });
  if (!found) return;
  sessions.save(write, {}, found, { ...found.row, usedAt: now.toISOString() });
}

export async function clearSessions(store: Store, userId: string): Promise<void> {
  const found = sessions.walkBy({ store }, "user", { userId });
  await removeInBatches(store, found, 100, (write, { row }) => sessions.drop(write, {}, row));
}

const BROWSERS = ["edge", "opera", "firefox", "chrome", "safari"] as const;
const SYSTEMS = ["android", "ios", "windows", "macos", "linux"] as const;

export const OwnSession = z.object({
  id: z.string(),
  browser: z.enum(BROWSERS).nullable().describe("By its `User-Agent`; null: another"),
  system: z.enum(SYSTEMS).nullable(),
  address: z.string().nullable().describe("Where the person signed in"),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().describe("Up to a minute too early"),
  isCurrent: z.boolean(),
}).meta({ id: "Session" });

type OwnSession = z.infer<typeof OwnSession>;

/** If several browsers match a `User-Agent`, the first one in `BROWSERS` counts. */
const SIGNS: Readonly<Record<(typeof BROWSERS | typeof SYSTEMS)[number], RegExp>> = {
  edge: /Edg(?:e|A|iOS)?\//,
  opera: /OPR\//,
  firefox: /(?:Firefox|FxiOS)\//,
  chrome: /(?:Chrome|CriOS)\//,
  safari: /Safari\//,
  android: /Android/,
  ios: /iPhone|iPad/,
  windows: /Windows/,
  macos: /Mac OS X/,
  linux: /Linux|CrOS/,
};

export async function listSessions(ctx: Context, current: Uint8Array): Promise<OwnSession[]> {
  const { user } = await requireUser(ctx, ctx.actor.id);
  const found = await sessions.listBy(ctx, "user", { userId: user.id });
  const live = found.map(({ row }) => row).filter((row) => isLive(row, user, ctx.now()))
    .map((row): OwnSession => {
      const agent = row.browser?.agent ?? "";
      return {
        id: row.hash.toHex(),
        browser: BROWSERS.find((name) => SIGNS[name].test(agent)) ?? null,
        system: SYSTEMS.find((name) => SIGNS[name].test(agent)) ?? null,
        address: row.browser?.address ?? null,
        createdAt: row.createdAt,
        lastUsedAt: row.usedAt ?? row.createdAt,
        isCurrent: row.hash.toHex() === current.toHex(),
      };
    });
  return live.sort((one, other) => other.lastUsedAt.localeCompare(one.lastUsedAt));
}

export async function endSession(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (write) => {
    const { user } = await requireUser(ctx, ctx.actor.id);
    const hash = /^[0-9a-f]{64}$/.test(id) ? Uint8Array.fromHex(id) : null;
    const found = hash && await sessions.find(ctx, { hash });
    if (found?.row.userId !== user.id || !isLive(found.row, user, ctx.now())) {
      throw noSuch("session", id);
    }
    sessions.remove(write, {}, found);
    noteUser(write, ctx, user, { action: "user.session_end" });
  });
}

export async function endOtherSessions(ctx: Context, current: Uint8Array): Promise<void> {
  await transact(ctx, async (write) => {
    const { user, versionstamp } = await requireUser(ctx, ctx.actor.id);
    const found = await sessions.find(ctx, { hash: current });
    if (!found) return;
    const generation = user.sessionGeneration + 1;
    saveUser(write, { ...user, sessionGeneration: generation }, versionstamp);
    addSession(write, current, { ...found.row, generation });
    noteUser(write, ctx, user, { action: "user.session_end" });
  });
}

export async function endSessionsOf(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (write) => {
    const { user, versionstamp } = await requireUser(ctx, id);
    const sessionGeneration = user.sessionGeneration + 1;
    saveUser(write, { ...user, sessionGeneration }, versionstamp);
    noteUser(write, ctx, user, { action: "user.session_end" });
  });
}

function isLive(session: Session, user: StoredUser, now: Date): boolean {
  return session.generation === user.sessionGeneration && !isPast(session.expiresAt, now);
}
