/** Recovery codes, each for one use. A code has 120 random bits, so a plain hash protects it. */
import { sha256Hex } from "../../base/bytes.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { randomBytes } from "node:crypto";

const CODES = 10;
const CHARACTERS = 24;
/** Crockford's base32, which has no characters that look alike. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

interface StoredCodes {
  readonly userId: string;
  /** SHA-256 of each unused code. */
  readonly hashes: readonly string[];
}

export const recoveryCodes = defineTable<StoredCodes, "userId">({
  prefix: "far",
  about: "the hashes of a person's unused recovery codes",
  key: { userId: "id" },
});

/** Replaces the person's codes, whose texts are shown only once. */
export function mintRecoveryCodes(
  write: Write,
  { workspaceId }: Pick<WorkspaceStore, "workspaceId">,
  userId: string,
): string[] {
  const codes = Array.from({ length: CODES }, newCode);
  recoveryCodes.put(write, { workspaceId }, { userId, hashes: codes.map(hashOf) });
  return codes;
}

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

/** Four groups of six characters, such as `7k2m9x-…`. */
function newCode(): string {
  const signs = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET.charAt(byte % 32));
  return signs.join("").replace(/(.{6})(?=.)/g, "$1-");
}

/** Ignores upper case, blanks and hyphens. */
function hashOf(code: string): string {
  return sha256Hex(code.toLowerCase().replace(/[\s-]/g, ""));
}
