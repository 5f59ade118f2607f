/** Records when each person last visited the app (docs/decisions/identity.md). */
import { keepNewest } from "../../base/collections.ts";
import { roomLog } from "../../platform/log.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { type Visit, visitRows } from "../users/user.ts";
import { saveUse, type Session } from "./session.ts";

/** Open pages request these paths even if nobody looks, so such a request is no visit. */
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

interface VisitRequest {
  readonly path: string;
  /** True if the request has `limit=1`. Pages send such requests to show the number of items. */
  readonly isCount: boolean;
  readonly now: Date;
}

interface Known {
  seenAtMs: number;
  notedAtMs: number;
  noting: Promise<void> | null;
}

export class Visits {
  readonly #people = new Map<string, Known>();
  readonly #uses = new Map<string, Promise<void>>();

  /** Stores the time of the request in the background, at most once a minute. */
  note(workspace: WorkspaceStore, userId: string, { path, isCount, now }: VisitRequest): void {
    if (isCount || WATCHING.has(path)) return;
    const nowMs = now.getTime();
    const known = this.#people.get(userId);
    const before = known?.seenAtMs ?? 0;
    const isNoted = known !== undefined && Math.abs(nowMs - known.notedAtMs) < 60_000;
    const person: Known = known ?? { seenAtMs: nowMs, notedAtMs: nowMs, noting: null };
    person.seenAtMs = nowMs;
    keepNewest(this.#people, userId, person, 10_000);
    if (isNoted) return;
    person.notedAtMs = nowMs;
    const noting: Promise<void> = write(workspace, userId, { before, nowMs })
      .catch((error) => {
        person.notedAtMs = 0;
        log.warning("the time of a visit was not saved", { userId, error });
      })
      .finally(() => {
        if (person.noting === noting) person.noting = null;
      });
    person.noting = noting;
  }

  noteSession(store: Store, hash: Uint8Array, { usedAt = "" }: Session, now: Date): void {
    const name = hash.toHex();
    if (now.getTime() - Date.parse(usedAt) < 60_000 || this.#uses.has(name)) return;
    const noting = transact({ store }, (write) => saveUse(store, write, hash, now))
      .catch((error) => log.warning("the use of a session was not saved", { error }))
      .finally(() => this.#uses.delete(name));
    this.#uses.set(name, noting);
  }

  /** Returns the end of the previous visit; null during the first visit. */
  async lastVisit(workspace: WorkspaceStore, userId: string, now: Date): Promise<Date | null> {
    await this.#people.get(userId)?.noting;
    const visit = await visitRows.find(workspace, { userId });
    const { previousAtMs = null } = visit === null ? {} : seen(visit.row, 0, now.getTime());
    return previousAtMs === null ? null : new Date(previousAtMs);
  }

  async drain(): Promise<void> {
    await Promise.all([...this.#people.values()].map(({ noting }) => noting));
    await Promise.all(this.#uses.values());
  }
}

async function write(
  workspace: WorkspaceStore,
  userId: string,
  { before, nowMs }: { readonly before: number; readonly nowMs: number },
): Promise<void> {
  await transact(workspace, async (write) => {
    const visit = await visitRows.find(workspace, { userId });
    const next = visit === null
      ? { userId, seenAtMs: nowMs, previousAtMs: null }
      : seen(visit.row, before, nowMs);
    visitRows.put(write, workspace, next);
  });
}

function seen(visit: Visit, beforeMs: number, nowMs: number): Visit {
  const lastMs = Math.max(visit.seenAtMs, Math.min(beforeMs, nowMs));
  // A new visit begins after a pause of half an hour.
  const hasPaused = nowMs - lastMs >= 30 * 60_000;
  return { ...visit, seenAtMs: nowMs, previousAtMs: hasPaused ? lastMs : visit.previousAtMs };
}
