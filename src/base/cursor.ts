/** Cursors of lists: tokens that only the service can make. */
import type { JsonValue } from "./collections.ts";
import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";

const TAG_BYTES = 16;

export type CursorSealer = ReturnType<typeof createCursorSealer>;

/** A cursor is base64url of 16 bytes HMAC-SHA256 and the position as JSON (not encrypted). */
export function createCursorSealer(secret: Uint8Array) {
  const tag = (scope: string, position: Uint8Array) =>
    createHmac("sha256", secret)
      .update(`${Buffer.byteLength(scope)}:${scope}`)
      .update(position)
      .digest()
      .subarray(0, TAG_BYTES);

  return {
    /** `scope` identifies the workspace, the list and its filters. */
    seal(scope: string, position: JsonValue): string {
      const body = Buffer.from(JSON.stringify(position));
      return Buffer.concat([tag(scope, body), body]).toString("base64url");
    },
    /** Returns the position; null if the cursor was changed or is for another scope or secret. */
    open(scope: string, cursor: string): JsonValue | null {
      const bytes = Buffer.from(cursor, "base64url");
      // The encoded bytes must equal the cursor, because the decoder ignores invalid characters.
      if (bytes.length <= TAG_BYTES || bytes.toString("base64url") !== cursor) return null;
      const body = bytes.subarray(TAG_BYTES);
      if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), tag(scope, body))) return null;
      const position: JsonValue = JSON.parse(body.toString());
      return position;
    },
  };
}
