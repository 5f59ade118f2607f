/**
 * Recovery codes replace a lost second factor. A person has ten of them, each works once, and new
 * ones void the old ones. They have 120 random bits, so a plain hash protects them in the store.
 */
import { sha256Hex } from "../../base/bytes.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { randomBytes } from "node:crypto";

const CODES = 10;
const CHARACTERS = 24;
/** The 32 characters of Crockford's base32, of which none looks like another. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

interface StoredCodes {
  readonly userId: string;
  /** SHA-256 of the unused codes. */
  readonly hashes: readonly string[];
}

export const recoveryCodes = defineTable<StoredCodes, "userId">({
  prefix: "far",
  about: "the hashes of a person's unused recovery codes",
  key: { userId: "id" },
});

/** Replaces the person's codes. Returns the new ones, which are shown only once. */
export function mintRecoveryCodes(
  write: Write,
  { workspaceId }: Pick<WorkspaceStore, "workspaceId">,
  userId: string,
): string[] {
  const codes = Array.from({ length: CODES }, newCode);
  recoveryCodes.put(write, { workspaceId }, { userId, hashes: codes.map(hashOf) });
  return codes;
}

/** Uses up a code. Returns whether it is one of the person's unused codes. */
export async function spendRecoveryCode(
  write: Write,
  workspace: WorkspaceStore,
  { userId, code }: { readonly userId: string; readonly code: string },
): Promise<boolean> {
  const found = await recoveryCodes.find(workspace, { userId });
  const hash = hashOf(code);
  if (!found?.row.hashes.includes(hash)) return false;
  const hashes = found.row.hashes.filter((other) => other !== hash);
  recoveryCodes.save(write, workspace, found, { ...found.row, hashes });
  return true;
}

/** Four groups of six characters, as in `7k2m9x-…`. */
function newCode(): string {
  const signs = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET.charAt(byte % 32));
  return signs.join("").replace(/(.{6})(?=.)/g, "$1-");
}

/** Case, blanks and hyphens do not matter. */
function hashOf(code: string): string {
  return sha256Hex(code.toLowerCase().replace(/[\s-]/g, ""));
}
