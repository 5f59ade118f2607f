/** Links with which a user chooses a password; a user's new link replaces the previous one. */
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineStoreTable } from "../../platform/store/table.ts";

/** The token lets its bearer choose the user's password, once. */
export interface Link {
  readonly userId: string;
  readonly expiresAt: string;
}

const SWEEP_MS = 80 * 3_600_000;

export const links = defineStoreTable<Link & { readonly hash: Uint8Array }, "hash">({
  prefix: "il",
  about: "the link of a token, whose SHA-256 this is",
  key: { hash: "bytes" },
  keyOnly: ["hash"],
  expireInMs: SWEEP_MS,
});

interface LivingLink {
  readonly userId: string;
  readonly hash: Uint8Array;
}

export const livingLinks = defineStoreTable<LivingLink, "userId">({
  prefix: "iu",
  about: "the hash of the one link of a user that lives",
  key: { userId: "id" },
  keyOnly: ["userId"],
  codec: { encode: ({ hash }) => hash, decode: (hash) => Object({ hash }) },
  expireInMs: SWEEP_MS,
});

/** Null for an unknown hash; whether the link has expired is for the reader to judge. */
export async function findLink(store: Store, hash: Uint8Array) {
  return await links.find({ store }, { hash });
}

/** Ends the link that the user had, if any; the commit fails when it is no longer that one. */
export async function endLink(store: Store, write: Write, userId: string): Promise<void> {
  const found = await livingLinks.find({ store }, { userId });
  livingLinks.check(write, {}, { userId }, found);
  if (found) links.drop(write, {}, found.row);
  livingLinks.drop(write, {}, { userId });
}

/** Takes the place of the link that `endLink` ended in the same commit. */
export function addLink(write: Write, hash: Uint8Array, link: Link): void {
  links.put(write, {}, { ...link, hash });
  livingLinks.put(write, {}, { userId: link.userId, hash });
}
