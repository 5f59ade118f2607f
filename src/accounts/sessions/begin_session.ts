import { sha256 } from "../../base/bytes.ts";
import type { Write } from "../../platform/store/kv.ts";
import { newToken } from "../secret.ts";
import type { StoredUser } from "../users/user.ts";
import { SESSION_SECONDS } from "./session.ts";
import { addSession } from "./session_store.ts";

/** Adds a session of the user to a commit and gives back the token for its cookie. */
export function beginSession(write: Write, user: StoredUser, now: Date): string {
  const token = newToken();
  addSession(write, sha256(token), {
    userId: user.id,
    generation: user.sessionGeneration,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + SESSION_SECONDS * 1000).toISOString(),
  });
  return token;
}
