import { randomBytes } from "node:crypto";
import { createCursorSealer } from "../../base/cursor.ts";
import { createIdSource } from "../../base/id.ts";
import type { ClockAndIds } from "./context.ts";
import type { Store } from "./kv.ts";
import { requireStoreSecret } from "./store_secret_store.ts";

export async function createClock(store: Store, now: () => Date): Promise<ClockAndIds> {
  return {
    now,
    newId: createIdSource(() => now().getTime(), randomBytes),
    cursors: createCursorSealer(await requireStoreSecret(store)),
  };
}
