/** Lists and ends the sessions of a person. */
import { z } from "@hono/zod-openapi";
import { noSuch } from "../../base/failure.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { isPast } from "../secret.ts";
import { requireUser } from "../users/change_user.ts";
import { noteUser, saveUser, type StoredUser } from "../users/user.ts";
import { addSession, type Session, sessions } from "./session.ts";

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

/** Patterns for `User-Agent`. If several browsers match, the first in `BROWSERS` is used. */
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

/** The most recently used session comes first. */
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

/** Throws `not_found`. */
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
