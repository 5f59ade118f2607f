/**
 * Size of a catalogue's file, and bytes written for it, on a real server. An import adds products
 * with short or long documents, another one changes all prices, and prices of two shops are pushed
 * for each product. The file is measured when all work is done, before and after `compact`. "Used"
 * pages contain rows; other pages are free and reused. `deno task bench store_size`, or `deno run
 * -A tests/bench/store_size_bench.ts [products]`
 */
import { argv } from "node:process";
import { storeFile } from "../../src/platform/store/open_store.ts";
import { bodyOf } from "../api/answers.ts";
import { callerWithKey } from "../caller.ts";
import { processorMs, writtenBytes } from "../other_process.ts";
import { kurant, type LiveServer, serverPid, startLiveServer } from "../program.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { untilAtRest } from "./at_rest.ts";
import { generateItems, itemCents, itemSku } from "./erp_items.ts";
import { sendImport, weighFile } from "./send_import.ts";
import { usedBytes } from "./used_bytes.ts";
import { say, timed } from "./slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const SHOPS = 2;
const ROWS_PER_PUSH = 1_000;
const SETTINGS = { RATE_LIMIT_PER_MINUTE: "1000000", LOG_LEVEL: "warning" };

/** Bytes per product. */
interface Weight {
  /** The file when all work is done, including free pages. */
  readonly file: number;
  readonly compacted: number;
}

interface Weights {
  /** After a change of all prices. */
  readonly priced: Weight;
  /** After that, with the offers of two shops. */
  readonly offered: Weight;
  /** Bytes written for a new product. */
  readonly written: number;
}

interface Catalogue {
  readonly name: string;
  readonly tiers: (n: number) => number;
  /** Earlier results at 100,000 products, with the engine's own file layout (docs/scale.md). */
  readonly former: Weights;
  /** Maximum share of the earlier bytes. */
  readonly budget: number;
}

const WRITTEN_BUDGET = 6_000;
const CATALOGUES: readonly Catalogue[] = [
  {
    name: "short documents",
    tiers: () => 0,
    former: {
      priced: { file: 3_558, compacted: 2_497 },
      offered: { file: 6_414, compacted: 6_376 },
      written: 51_910,
    },
    budget: 0.55,
  },
  {
    name: "long documents",
    tiers: (n) => 7 + n % 14,
    former: {
      priced: { file: 10_604, compacted: 6_359 },
      offered: { file: 10_604, compacted: 10_179 },
      written: 67_247,
    },
    budget: 0.4,
  },
];

for (const catalogue of CATALOGUES) await measure(catalogue);

async function measure({ name, tiers, former, budget }: Catalogue): Promise<void> {
  say(`${name}, ${PRODUCTS.toLocaleString("en")} products; bytes are of a product`);
  await using folder = await temporaryFolder();
  const { path } = folder;
  const fileOf = (revision: number) =>
    weighFile(
      "application/xml",
      () => generateItems(PRODUCTS, revision, { tiers, isVaried: true }),
    );
  const files = [await fileOf(1), await fileOf(2)] as const;
  let written = 0;
  {
    await using live = await startLiveServer(path, SETTINGS);
    written = await tellCost(path, "new", () => sendImport(live, files[0]));
    const { items } = await bodyOf(live.owner.get("/api/products?limit=200"), 200);
    say(`  a document of ${Math.round(JSON.stringify(items).length / items.length)} characters`);
    await tellCost(path, "changed price", () => sendImport(live, files[1]));
    await untilAtRest(path);
  }
  const priced = await tellWeight(path, "with a changed price");
  {
    await using live = await startLiveServer(path, SETTINGS);
    await tellCost(path, `${SHOPS} offers pushed`, () => pushOffers(live));
    await untilAtRest(path);
  }
  const offered = await tellWeight(path, `and with ${SHOPS} offers`);
  tellShare("written for a new one", written, former.written, WRITTEN_BUDGET / former.written);
  tellShares("with a changed price", priced, former.priced, budget);
  tellShares(`and with ${SHOPS} offers`, offered, former.offered, budget);
}

async function tellCost(
  dataDir: string,
  what: string,
  work: () => Promise<unknown>,
): Promise<number> {
  const pid = await serverPid(dataDir);
  const before = await writtenBytes(pid);
  const { ms, cpuMs } = await timed(work, () => processorMs(pid));
  const written = (await writtenBytes(pid) - before) / PRODUCTS;
  const thousandMs = cpuMs / PRODUCTS * 1_000;
  say(
    `  ${what}: ${(written / 1_000).toFixed(1)} kB written, ${thousandMs.toFixed(0)} ms of the ` +
      `processor per 1,000, ${Math.round(PRODUCTS / ms * 1_000).toLocaleString("en")}/s`,
  );
  return written;
}

/** Compacts a copy, so that the store itself stays the same. */
async function tellWeight(dataDir: string, what: string): Promise<Weight> {
  const { kvPath } = storeFile(dataDir);
  const { size } = await Deno.stat(kvPath);
  const used = usedBytes({ storePath: kvPath });
  await using copy = await temporaryFolder();
  await Deno.copyFile(kvPath, storeFile(copy.path).kvPath);
  const { code, err } = await kurant(["compact"], { DATA_DIR: copy.path });
  if (code !== 0) throw new Error(err);
  const compactedSize = (await Deno.stat(storeFile(copy.path).kvPath)).size;
  const [file, compacted] = [size / PRODUCTS, compactedSize / PRODUCTS];
  say(
    `  ${what}: ${file.toFixed(0)} B, ${(used / PRODUCTS).toFixed(0)} B of them used; ` +
      `${compacted.toFixed(0)} B after compact`,
  );
  return { file, compacted };
}

async function pushOffers(live: LiveServer): Promise<void> {
  const scopes = ["observations:write"];
  const { key } = await bodyOf(live.owner.post("/api/keys", { name: "bench", scopes }), 201);
  const caller = callerWithKey(live.url, key);
  const observedAt = new Date(Date.now() - 60_000).toISOString();
  for (let at = 0; at < PRODUCTS * SHOPS; at += ROWS_PER_PUSH) {
    const count = Math.min(ROWS_PER_PUSH, PRODUCTS * SHOPS - at);
    const observations = Array.from({ length: count }, (_, row) => {
      const n = Math.floor((at + row) / SHOPS);
      return {
        sku: itemSku(n),
        url: `https://www.shop-${(at + row) % SHOPS}.example/haushalt/artikel-${n}.html`,
        // Close to our price, because suspicious prices would go to the quarantine.
        price: Math.round(itemCents(n, 2) * (0.98 + (at + row) % SHOPS / 20)) / 100,
        currency: "EUR",
        inStock: true,
        observedAt,
      };
    });
    const { data } = await bodyOf(
      caller.post("/api/public/v1/observations", { observations }),
      200,
    );
    if (data.rejected > 0) throw new Error(JSON.stringify(data));
  }
}

function tellShares(what: string, now: Weight, former: Weight, budget: number): void {
  tellShare(what, now.file, former.file, budget);
  tellShare(`${what}, after compact`, now.compacted, former.compacted, budget);
}

function tellShare(what: string, now: number, former: number, budget: number): void {
  const verdict = now / former <= budget ? "reached" : "MISSED";
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
  say(
    `  ${what}: ${Math.round(now)} B of ${former} B formerly, ${percent(now / former)} ` +
      `(≤ ${percent(budget)}: ${verdict})`,
  );
}
