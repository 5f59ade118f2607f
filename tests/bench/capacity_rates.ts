/** Rates of writes and reads of one process. */
import type { Store } from "../../src/platform/store/kv.ts";
import { startTestApp } from "../harness.ts";
import { importXml } from "../imports/import_calls.ts";
import { bodyOf } from "../api/answers.ts";
import { tell } from "./capacity_figure.ts";
import { generateItems, itemSku } from "./erp_items.ts";
import { inProcess, timed } from "./slices.ts";

const SLICE_MS = 4_000;
const VALUE = new Uint8Array(300);
const ROWS_PER_COMMIT = 450;
const ITEMS = 10_000;
const ROWS_PER_PUSH = 1_000;
const PUSHES = 20;

export async function measureRates(store: Store): Promise<void> {
  await measureBareStore(store);
  await using app = await startTestApp({ store, env: { RATE_LIMIT_PER_MINUTE: "100000" } });
  const key = await app.key(["products:write", "observations:write"]);
  const xml = await new Response(ReadableStream.from(generateItems(ITEMS, 1))).text();
  const say = (name: string, figure: number) => tell(`${store.kind}: ${name}`, figure, "/s");
  say("items imported", await rateOf(ITEMS, () => importXml(key, xml)));
  let sent = 0;
  const push = async () => {
    const observations = Array.from({ length: ROWS_PER_PUSH }, (_, n) => ({
      sku: itemSku((sent * ROWS_PER_PUSH + n) % ITEMS),
      url: `https://www.shop.example/artikel-${(sent * ROWS_PER_PUSH + n) % ITEMS}.html`,
      price: 100 + sent / 100,
      currency: "EUR",
      observedAt: new Date(app.clock.now().getTime() + sent).toISOString(),
    }));
    sent++;
    const answer = key.post("/api/public/v1/observations", { observations });
    if ((await bodyOf(answer, 200)).data.rejected > 0) throw new Error("A row was refused");
  };
  for (let n = 0; n < ITEMS / ROWS_PER_PUSH; n++) await push();
  say(
    "observations pushed",
    await rateOf(PUSHES * ROWS_PER_PUSH, async () => {
      for (let n = 0; n < PUSHES; n++) await push();
    }),
  );
  const { items } = await bodyOf(app.owner.get("/api/products?limit=200"), 200);
  const paths = items.map(({ id }: { id: string }) => `/api/products/${id}`);
  say(
    "GET of a product, 8 at a time",
    await loop(8, (n) => bodyOf(app.owner.get(paths[n % 200]), 200)),
  );
  const list = "/api/products?limit=50";
  say("GET of 50 products, 8 at a time", await loop(8, () => bodyOf(app.owner.get(list), 200)));
}

async function measureBareStore({ kv, kind }: Store): Promise<void> {
  let key = 0;
  const commit = (rows: number) => {
    const write = kv.atomic();
    for (let n = 0; n < rows; n++) write.set(["bench", key++ * 7_919 % 10_000_019], VALUE);
    return write.commit();
  };
  for (const side of [1, 8, 32]) {
    tell(`${kind}: commits of one row, ${side} at a time`, await loop(side, () => commit(1)), "/s");
  }
  const commits = await loop(2, () => commit(ROWS_PER_COMMIT));
  tell(`${kind}: rows in commits of ${ROWS_PER_COMMIT}`, commits * ROWS_PER_COMMIT, "/s");
  const reads = await loop(8, (n) => kv.get(["bench", n * 7_919 % 10_000_019]));
  tell(`${kind}: reads of one row, 8 at a time`, reads, "/s");
}

/** Executions of `work` per second, `side` of them at the same time. */
const loop = (side: number, work: (n: number) => Promise<unknown>) =>
  inProcess(side, work)(SLICE_MS);

async function rateOf(count: number, work: () => Promise<unknown>): Promise<number> {
  return count / (await timed(work)).ms * 1_000;
}
