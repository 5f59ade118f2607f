/** Bytes that only the holder of a secret can read again: AES-256-GCM (NIST SP 800-38D). */

import { joinedBytes } from "../../base/bytes.ts";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Nonce, tag and ciphertext in one; `secret` has 32 bytes. */
export function sealBytes(secret: Uint8Array, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, secret, nonce);
  const text = [cipher.update(bytes), cipher.final()];
  return joinedBytes([nonce, cipher.getAuthTag(), ...text]);
}

/** The inverse of `sealBytes`. Throws when the secret is another one or a byte was changed. */
export function openBytes(secret: Uint8Array, sealed: Uint8Array): Uint8Array<ArrayBuffer> {
  const decipher = createDecipheriv(ALGORITHM, secret, sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = sealed.subarray(NONCE_BYTES + TAG_BYTES);
  return joinedBytes([decipher.update(text), decipher.final()]);
}
