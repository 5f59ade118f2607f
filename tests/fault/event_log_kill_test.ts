import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import { callerWithKey } from "../caller.ts";
import { type PastEvent, readEvents } from "../messages/webhooks/past_events.ts";
import { until } from "../patience.ts";
import { findingsOf, startLiveServer } from "../program.ts";
import { extent } from "../proof.ts";
import { inFolder } from "../temporary_folder.ts";

const KILLS = extent(3, 1);
const PRODUCTS = 4;

inFolder.test(`a server that is killed ${KILLS} times logs each price once, in order for each product`, async (folder) => {
  const ids: string[] = [];
  const set: number[][] = Array.from({ length: PRODUCTS }, () => []);
  const read: PastEvent[] = [];
  let [since, key] = ["", ""];
  for (let kill = 0; kill <= KILLS; kill++) {
    await using live = await startLiveServer(folder.path);
    if (key === "") {
      const made = { name: "ERP", scopes: ["events:read"] };
      key = (await bodyOf(live.owner.post("/api/keys", made), 201)).key;
      for (let n = 0; n < PRODUCTS; n++) {
        const product = { sku: `P-${n}`, title: "P" };
        ids.push((await bodyOf(live.owner.post("/api/products", product), 201)).id);
      }
    }
    for (let round = 0; round < 15; round++) {
      // Products change in parallel, each of them in sequence.
      await Promise.all(ids.map(async (id, n) => {
        const ourPriceCents = 100 + (set[n]?.length ?? 0);
        await bodyOf(live.owner.patch(`/api/products/${id}`, { ourPriceCents }), 200);
        set[n]?.push(ourPriceCents);
      }));
    }
    const reader = callerWithKey(live.url, key);
    const readOn = async () => {
      const page = await readEvents(reader, since, 7);
      read.push(...page.events);
      since = page.nextSince;
    };
    // Some events are read before the kill, the others afterwards.
    await readOn();
    if (kill < KILLS) {
      await live.crash();
      continue;
    }
    await until("all are read", async () => {
      await readOn();
      return pricesIn(read).length >= set.flat().length;
    });
    assertEquals((await readEvents(reader)).events, read);
    await live.stop("SIGTERM");
  }
  assertEquals(new Set(read.map(({ id }) => id)).size, read.length);
  assertEquals(ids.map((id) => pricesIn(read, id)), set);
  assertEquals(await findingsOf(folder.path), "");
});

function pricesIn(events: readonly PastEvent[], productId?: string): unknown[] {
  return events.filter(({ type, data }) =>
    type === "price.changed" && (productId === undefined || data.productId === productId)
  ).map(({ data }) => data.toCents);
}
