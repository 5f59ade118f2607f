/**
 * A process that writes events and relays them, until all events are relayed or the process is
 * killed.
 */

import { publish, relayOutbox } from "../../../src/platform/events/outbox_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { leashedStore } from "../../killed_process.ts";
import { contextOf, createTestClock, workspaceNumber } from "../jobs/counting.ts";
import { dirty, priceChanged, relaySetup } from "./outbox.ts";

const [dataDir = "", causes = ""] = Deno.args;
const store = leashedStore(await openStore({ kvUrl: null, dataDir }, 60_000));
const clock = { ...createTestClock(), now: () => new Date() };

/** Makes all commits that cause events. Each commit writes a row and its events. */
async function makeCauses(): Promise<void> {
  for (let n = 0; n < Number(causes); n++) {
    const ctx = contextOf(store, clock, workspaceNumber(1 + n % 3));
    const key = ["cause", n];
    await transact(ctx, async (write) => {
      const { versionstamp } = await store.kv.get(key);
      if (versionstamp !== null) return;
      write.check(key, null);
      write.set(key, true);
      publish(write, ctx, [dirty(n * 130, 130), priceChanged(n)]);
    });
  }
}

const making = { isOver: false };
const made = makeCauses().finally(() => making.isOver = true);
while (!making.isOver) await relayOutbox(relaySetup(store, clock));
await made;
await relayOutbox(relaySetup(store, clock));
store.kv.close();
Deno.exit(0);
