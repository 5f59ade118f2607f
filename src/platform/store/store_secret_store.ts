/** Keys: `secret` → 32 random bytes that all processes share, for example to seal cursors. */
import { randomBytes } from "node:crypto";
import { type Store, transact } from "./kv.ts";

const SECRET_KEY = ["secret"];

export async function requireStoreSecret(store: Store): Promise<Uint8Array> {
  return await transact({ store }, async (write) => {
    const found = await store.kv.get<Uint8Array>(SECRET_KEY);
    if (found.value !== null) return found.value;
    const secret = new Uint8Array(randomBytes(32));
    write.check(SECRET_KEY, null);
    write.set(SECRET_KEY, secret);
    return secret;
  });
}
