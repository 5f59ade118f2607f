/**
 * Automatic prices, compared with a bare loop of the same commits. `deno run -A
 * tests/bench/evaluation_bench.ts [products]`
 */
import { argv } from "node:process";
import { listDocuments } from "../../src/catalogue/products/product_store.ts";
import { dirtyQueue, outboxQueue, publish } from "../../src/platform/events/outbox_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { oldestDueMs } from "../../src/platform/store/row_queue_store.ts";
import { bodyOf } from "../api/answers.ts";
import { startTestApp } from "../harness.ts";
import { pause } from "../patience.ts";
import { addSilentRule } from "../rules/evaluation/market.ts";
import { recordCommits, replayCommits } from "./recorded_commits.ts";
import { contextOf, seedOffers } from "./seed_offers.ts";
import { report, timed } from "./slices.ts";

const PRICED = Number(argv[2] ?? 5_000);
const SHOPS = 4;
/** Number of products whose ids fit into one commit. */
const TOUCHED = 5_000;

await using auto = await startTestApp({ now: () => new Date() });
const { store } = auto;
const place = contextOf(auto);
await seedOffers(place, { products: PRICED, shops: SHOPS });
await bodyOf(auto.owner.patch("/api/settings", { autoApply: true }), 200);
await addSilentRule(auto, {
  marginFloor: { pct: 1 },
  actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 20 }],
});
const productIds = (await listDocuments(place, null, PRICED)).map(({ id }) => id);
const recording = recordCommits(store, () => true);
const { ms, cpuMs } = await timed(async () => {
  for (let at = 0; at < productIds.length; at += TOUCHED) {
    const touched = productIds.slice(at, at + TOUCHED);
    const data = { cause: "write", ref: null, productIds: touched } as const;
    await transact(place, (write) => publish(write, place, [{ type: "products.touched", data }]));
  }
  while (await oldestDueMs(outboxQueue, store) !== null) await pause(20);
  while (await oldestDueMs(dirtyQueue, store) !== null) await pause(20);
});
const commits = recording.stop();
const rows = commits.flatMap(({ mutations }) => mutations);
const prices = rows.filter(({ key }) => key[0] === "p").length;
const bare = await replayCommits(commits);
const micros = (ms: number) => `${Math.round(ms / prices * 1_000)} µs`;
report(
  `${prices} prices set by a rule beside a bare loop of their commits, time`,
  bare.ms / ms,
  "≥ 0.50",
  `${micros(ms)} a price against ${micros(bare.ms)}, processor ${micros(cpuMs)} ` +
    `against ${micros(bare.cpuMs)}, ${commits.length} commits of ${rows.length} rows`,
);
