/** Keys: `secret` → 32 random bytes that sign what this store's processes hand out (cursors). */
import { randomBytes } from "node:crypto";
import type { Store } from "./kv.ts";

const SECRET_KEY = ["secret"];

/** The same for every process of the store; made by the first one. */
export async function requireStoreSecret({ kv }: Store): Promise<Uint8Array> {
  const found = await kv.get<Uint8Array>(SECRET_KEY);
  if (found.value !== null) return found.value;
  const secret = new Uint8Array(randomBytes(32));
  await kv.atomic().check({ key: SECRET_KEY, versionstamp: null }).set(SECRET_KEY, secret).commit();
  const { value } = await kv.get<Uint8Array>(SECRET_KEY);
  if (value === null) throw new Error("The store's secret was neither found nor made");
  return value;
}
