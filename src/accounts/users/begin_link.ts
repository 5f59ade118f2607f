import { sha256 } from "../../base/bytes.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { newToken } from "../secret.ts";
import { addLink, endLink } from "./link_store.ts";

/** Links of invitations and of new passwords live this long (docs/decisions/identity.md). */
const LINK_MS = 72 * 3_600_000;

/** What goes into the address of a link, and until when it counts. */
export interface NewLink {
  readonly token: string;
  readonly expiresAt: string;
}

/** Adds a link for the user to a commit, in place of the one before. */
export async function beginLink(
  store: Store,
  write: Write,
  { userId, now }: { userId: string; now: Date },
): Promise<NewLink> {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + LINK_MS).toISOString();
  await endLink(store, write, userId);
  addLink(write, sha256(token), { userId, expiresAt });
  return { token, expiresAt };
}
