/** Links with which a user chooses a password. A user has at most one link. */
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineStoreTable } from "../../platform/store/table.ts";

interface Link {
  readonly userId: string;
  readonly expiresAt: string;
}

const SWEEP_MS = 80 * 3_600_000;

export const links = defineStoreTable<Link & { readonly hash: Uint8Array }, "hash">({
  prefix: "il",
  about: "the link whose token has this SHA-256",
  key: { hash: "bytes" },
  expireInMs: SWEEP_MS,
});

interface LivingLink {
  readonly userId: string;
  readonly hash: Uint8Array;
}

export const livingLinks = defineStoreTable<LivingLink, "userId">({
  prefix: "iu",
  about: "the hash of a user's only valid link",
  key: { userId: "id" },
  value: "hash",
  expireInMs: SWEEP_MS,
});

/** The caller must check whether the link has expired. */
export async function findLink(store: Store, hash: Uint8Array) {
  return await links.find({ store }, { hash });
}

/** The commit fails if the link has changed. */
export async function endLink(store: Store, write: Write, userId: string): Promise<void> {
  const found = await livingLinks.find({ store }, { userId });
  livingLinks.check(write, {}, { userId }, found);
  if (found) links.drop(write, {}, found.row);
  livingLinks.drop(write, {}, { userId });
}

/** Call `endLink` first, in the same commit. */
export function addLink(write: Write, hash: Uint8Array, link: Link): void {
  links.put(write, {}, { ...link, hash });
  livingLinks.put(write, {}, { userId: link.userId, hash });
}
