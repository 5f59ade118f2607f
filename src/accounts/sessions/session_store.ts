/**
 * Sessions by the hash of their token. Increasing the user's session generation ends all of the
 * user's sessions at once.
 */
import type { Store, Write } from "../../platform/store/kv.ts";
import { getMixedRows, removeInBatches } from "../../platform/store/rows.ts";
import { defineStoreTable } from "../../platform/store/table.ts";
import type { StoredUser } from "../users/user.ts";
import { findUserById, userKey } from "../users/user_store.ts";
import type { Role } from "../roles.ts";
import type { Workspace } from "../workspace.ts";
import { findWorkspace, workspaces } from "../workspace_store.ts";
import { type Session, SESSION_SECONDS, type SessionOwner } from "./session.ts";

export const sessions = defineStoreTable<
  Session & { readonly hash: Uint8Array },
  "hash",
  "user"
>({
  prefix: "s",
  about: "the session whose token has this SHA-256",
  key: { hash: "bytes" },
  keyOnly: ["hash"],
  indexes: {
    user: {
      prefix: "su",
      key: { userId: "id" },
      // An older row gets its index row with its next use.
      of: (session) => session.usedAt === undefined ? [] : [session],
    },
  },
  expireInMs: (SESSION_SECONDS + 3_600) * 1000,
});

/** A session with its user. The caller checks whether it has ended. */
interface FoundSession {
  readonly session: Session | null;
  readonly user: StoredUser | null;
  /** The roles that need a second factor in the user's workspace. */
  readonly factorRoles: readonly Role[];
}

const NOBODY: FoundSession = { session: null, user: null, factorRoles: [] };

/** `guess` is the probable owner, with which one read is enough for all rows. */
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

/** Removes a session, if there still is one. */
export async function removeSession(
  store: Store,
  write: Write,
  hash: Uint8Array,
): Promise<void> {
  const found = await sessions.find({ store }, { hash });
  if (found) sessions.drop(write, {}, found.row);
}

/** Notes the time of a use. A session that has ended meanwhile stays ended. */
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

/** Removes all sessions of a user who is being removed, in separate commits. */
export async function clearSessions(store: Store, userId: string): Promise<void> {
  const found = sessions.walkBy({ store }, "user", { userId });
  await removeInBatches(store, found, 100, (write, { row }) => sessions.drop(write, {}, row));
}
