/**
 * Stores sessions of people, sets their cookie, and stores when each person last visited Kurant
 * (docs/decisions/identity.md).
 */
import { isPast, MINUTE_MS } from "../../base/time.ts";
import { z } from "@hono/zod-openapi";
import { getCookie } from "hono/cookie";
import { sha256 } from "../../base/bytes.ts";
import { keepNewest } from "../../base/collections.ts";
import { noSuch } from "../../base/failure.ts";
import type { AppContext } from "../../platform/http/http.ts";
import { roomLog } from "../../platform/log.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { defineStoreTable } from "../../platform/store/table.ts";
import { isToken } from "../passwords/password.ts";
import {
  findUserById,
  noteUser,
  requireUser,
  saveUserAnew,
  type StoredUser,
  type Visit,
  visitRows,
} from "../users/user.ts";
import { findWorkspace } from "../workspace.ts";

export const SESSION_COOKIE = "pr_session";
/** Lifetime of a session: two weeks after the sign-in, even if the session is still in use. */
export const SESSION_SECONDS = 1_209_600;

/** The store contains only a hash of the session's token. */
interface Session {
  readonly userId: string;
  /** If the user's `sessionGeneration` exceeds `generation`, the session has ended. */
  readonly generation: number;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Set until the person has given the second factor. */
  readonly awaits?: "factor";
  /** True if no second factor is missing, for example after a sign-in by passkey. */
  readonly isComplete?: boolean;
  /** Time of the last sign-in or proof of identity; if absent, `createdAt` is used. */
  readonly provedAt?: string;
  /** Time of the last request, stored at most once a minute. */
  readonly usedAt?: string;
  /** Rows of earlier versions of Kurant lack `browser`. */
  readonly browser?: Browser;
}

export interface Browser {
  readonly agent: string;
  readonly address: string;
}

export interface SignedIn {
  readonly user: StoredUser;
  readonly token: string;
}

export function sessionCookie(token: string, isHttps: boolean, seconds = SESSION_SECONDS): string {
  const attributes = `HttpOnly; SameSite=Lax; Path=/; Max-Age=${seconds}`;
  return `${SESSION_COOKIE}=${token}; ${attributes}${isHttps ? "; Secure" : ""}`;
}

export function carriesSession(c: AppContext): boolean {
  return getCookie(c, SESSION_COOKIE) !== undefined;
}

export function sessionHash(c: AppContext): Uint8Array | null {
  const token = getCookie(c, SESSION_COOKIE);
  return token !== undefined && isToken(token) ? sha256(token) : null;
}

export const sessions = defineStoreTable<Session & { readonly hash: Uint8Array }, "hash", "user">({
  prefix: "s",
  about: "the session whose token has this SHA-256",
  key: { hash: "bytes" },
  indexes: {
    user: {
      prefix: "su",
      key: { userId: "id" },
      of: (session) => session.usedAt === undefined ? [] : [session],
    },
  },
  expireInMs: (SESSION_SECONDS + 3_600) * 1000,
});

export async function findSessionWithUser(store: Store, hash: Uint8Array) {
  const session = (await sessions.find({ store }, { hash }))?.row;
  const user = session && (await findUserById(store, session.userId))?.row;
  if (!user) return null;
  const workspace = await findWorkspace(store, user.workspaceId);
  return { session, user, factorRoles: workspace?.secondFactorRoles ?? [] };
}

export function addSession(write: Write, hash: Uint8Array, session: Session): void {
  sessions.put(write, {}, { ...session, hash });
}

export async function removeSession(store: Store, write: Write, hash: Uint8Array): Promise<void> {
  const found = await sessions.find({ store }, { hash });
  if (found) sessions.drop(write, {}, found.row);
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
  const { row: user } = await requireUser(ctx, ctx.actor.id);
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
    const { row: user } = await requireUser(ctx, ctx.actor.id);
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
    const session = await sessions.find(ctx, { hash: current });
    if (!session) return;
    const user = saveUserAnew(write, await requireUser(ctx, ctx.actor.id));
    addSession(write, current, { ...session.row, generation: user.sessionGeneration });
    noteUser(write, ctx, user, { action: "user.session_end" });
  });
}

export async function endSessionsOf(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (write) => {
    const user = saveUserAnew(write, await requireUser(ctx, id));
    noteUser(write, ctx, user, { action: "user.session_end" });
  });
}

export function isLive(session: Session, user: StoredUser, now: Date): boolean {
  return session.generation === user.sessionGeneration && !isPast(session.expiresAt, now);
}

/**
 * Requests to these paths do not count as visits: web clients, including older ones, poll these
 * paths even while nobody uses the page.
 */
const WATCHING = new Set([
  "/api/alerts/causes",
  "/api/alerts/unread-count",
  "/api/import-sources",
  "/api/match-suggestions/counts",
  "/api/overview",
  "/api/overview/shops",
  "/api/repairs",
  "/api/settings",
]);

const log = roomLog("identity");

/** Calls `save` in the background, at most once a minute for the same `name`. */
export class MinuteNotes {
  readonly #notedAtMs = new Map<string, number>();
  readonly #saving = new Map<string, Promise<void>>();

  note(name: string, now: Date, save: () => Promise<unknown>): void {
    const nowMs = now.getTime();
    const lastMs = this.#notedAtMs.get(name) ?? -Infinity;
    if (Math.abs(nowMs - lastMs) < MINUTE_MS || this.#saving.has(name)) return;
    keepNewest(this.#notedAtMs, name, nowMs, 10_000);
    const saving = save()
      .then(() => {}, (error) => {
        this.#notedAtMs.delete(name);
        log.warning("a time of use was not saved", { error });
      })
      .finally(() => this.#saving.delete(name));
    this.#saving.set(name, saving);
  }

  forget(name: string): void {
    this.#notedAtMs.delete(name);
  }

  async saved(name: string): Promise<void> {
    await this.#saving.get(name);
  }

  async drain(): Promise<void> {
    await Promise.all(this.#saving.values());
  }
}

interface VisitRequest {
  readonly path: string;
  readonly isCount: boolean;
  readonly now: Date;
}

export class Visits {
  readonly notes = new MinuteNotes();

  note(workspace: WorkspaceStore, userId: string, { path, isCount, now }: VisitRequest): void {
    if (isCount || WATCHING.has(path)) return;
    this.notes.note(userId, now, () =>
      transact(workspace, async (write) => {
        const visit = await visitRows.find(workspace, { userId });
        visitRows.put(write, workspace, seen(visit?.row, userId, now.getTime()));
      }));
  }

  noteSession(store: Store, hash: Uint8Array, now: Date): void {
    this.notes.note(hash.toHex(), now, () =>
      transact({ store }, async (write) => {
        const found = await sessions.find({ store }, { hash });
        if (found) sessions.save(write, {}, found, { ...found.row, usedAt: now.toISOString() });
      }));
  }

  async lastVisit(workspace: WorkspaceStore, userId: string, now: Date): Promise<Date | null> {
    await this.notes.saved(userId);
    const visit = await visitRows.find(workspace, { userId });
    const { previousAtMs } = seen(visit?.row, userId, now.getTime());
    return previousAtMs === null ? null : new Date(previousAtMs);
  }
}

function seen(visit: Visit | undefined, userId: string, nowMs: number): Visit {
  if (!visit) return { userId, seenAtMs: nowMs, previousAtMs: null };
  const hasPaused = nowMs - visit.seenAtMs >= 30 * MINUTE_MS;
  const previousAtMs = hasPaused ? visit.seenAtMs : visit.previousAtMs;
  return { ...visit, seenAtMs: nowMs, previousAtMs };
}
