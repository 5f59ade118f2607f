/**
 * A second process on the store of an app. For each line `nowMs expected` on its standard input, it reads
 * the market until the hash of all products equals `expected`, and answers with the number of reads and
 * the elapsed milliseconds.
 */

import { sha256Hex } from "../../src/base/bytes.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { PATIENCE_MS, pause } from "../patience.ts";
import { openMarketCache, statementAuthor } from "./market_reader.ts";
import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline";

/** A read may return the previous answer for this long, so reads are at least this far apart. */
const POLL_MS = 250;

const [kvUrl = "", dataDir = "", workspaceId = ""] = Deno.args;
const store = await openStore(
  kvUrl === "" ? { kvUrl: null, dataDir } : { kvUrl, dataDir: null },
  60_000,
);
const cache = openMarketCache();
let lookedAtMs = -Infinity;
stdout.write("ready\n");
for await (const line of createInterface({ input: stdin })) {
  const [nowMs = "", expected] = line.split(" ");
  const now = () => new Date(Number(nowMs));
  const begunMs = performance.now();
  let looks = 0;
  for (let said = ""; said !== expected; looks++) {
    if (performance.now() - begunMs > PATIENCE_MS) Deno.exit(1);
    await pause(Math.max(0, lookedAtMs + POLL_MS - performance.now()));
    said = sha256Hex(
      JSON.stringify(statementAuthor(await cache.read({ store, workspaceId, now }))),
    );
    lookedAtMs = performance.now();
  }
  stdout.write(`${looks} ${Math.round(performance.now() - begunMs)}\n`);
}
await cache.close();
store.kv.close();
