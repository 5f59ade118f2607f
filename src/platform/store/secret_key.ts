/**
 * The keys that encrypt credentials, from `SECRET_KEY` and from a key file, which backups do not
 * contain.
 */
import { sha256Hex } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";
import { randomBytes } from "node:crypto";

export interface SecretKey {
  /** Each encrypted text contains the id of its key. */
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The base64 form of 32 bytes, whose last character encodes only four bits. */
const BASE64_KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

export function newSecretKey(): string {
  return randomBytes(32).toString("base64");
}

/** Keys are separated by commas or blanks; returns null unless each key is 32 bytes in base64. */
export function parseSecretKeys(text: string): readonly SecretKey[] | null {
  const parts = text.split(/[\s,]+/).filter(Boolean);
  if (parts.length === 0 || parts.some((part) => !BASE64_KEY.test(part))) return null;
  return parts.map((part) => {
    const bytes = Uint8Array.fromBase64(part);
    return { id: sha256Hex(bytes).slice(0, 8), bytes };
  });
}

/** If there is no key, creates a key file that only the current system user can read. */
export async function keysOfFolder(
  dataDir: string,
  configured: readonly SecretKey[],
): Promise<readonly SecretKey[]> {
  const path = `${dataDir}/kurant.key`;
  const found = await readKeys(path);
  if (found !== null) return [...configured, ...found];
  if (configured.length > 0) return configured;
  await makeKey(path);
  return await readKeys(path) ?? [];
}

async function readKeys(path: string): Promise<readonly SecretKey[] | null> {
  const text = await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  });
  if (text === null) return null;
  const keys = parseSecretKeys(text);
  if (keys) return keys;
  throw new Failure("unavailable", `"${path}" holds no key: put the right one back`);
}

/** If two processes create the key file at the same time, the first file stays. */
async function makeKey(path: string): Promise<void> {
  const part = `${path}.${Deno.pid}.part`;
  await Deno.writeTextFile(part, `${newSecretKey()}\n`, { mode: 0o600 });
  try {
    await Deno.link(part, path);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  } finally {
    await Deno.remove(part);
  }
}
