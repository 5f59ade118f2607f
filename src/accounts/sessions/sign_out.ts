import { transact } from "../../platform/store/kv.ts";
import type { Store } from "../../platform/store/kv.ts";
import { removeSession } from "./session_store.ts";

/** Ends the session on the server, so that a copy of its cookie is worth nothing. */
export async function signOut(store: Store, session: Uint8Array): Promise<void> {
  await transact({ store }, (write) => {
    removeSession(write, session);
  });
}
