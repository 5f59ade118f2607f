import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { bodyOf, everyItem } from "../api/answers.ts";
import { untilEnded } from "../caller.ts";
import { itemsXml } from "../imports/import_calls.ts";
import { type LiveServer, startLiveServer } from "../program.ts";
import { withDenokv } from "../stores.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { extent } from "../proof.ts";

const ITEMS = extent(20_000, 300);
const SABOTAGED = { entry: "tests/fault/sabotaged_entry.ts" };
const priceOf = (n: number) => 100 + (n * 7_919) % 90_000;

function fileOf(): string {
  return itemsXml(Array.from({ length: ITEMS }, (_, n) => ({
    sku: `S-${n}`,
    title: `Artikel ${n}`,
    price: (priceOf(n) / 100).toFixed(2).replace(".", ","),
  })));
}

withDenokv.test("a process that stalls during its import is overtaken, and writes nothing more when it continues", async (kv) => {
  await using folder = await temporaryFolder();
  const settings = { KV_URL: kv.url, DENO_KV_ACCESS_TOKEN: kv.token };
  const stalling = { ...settings, STOPPED_IN_APPLYING: "yes" };
  await using owner = await startLiveServer(folder.path, stalling, { program: SABOTAGED });
  const headers = { "Content-Type": "application/xml", Prefer: "respond-async" };
  const sent = owner.owner.post("/api/imports", fileOf(), headers);
  await owner.logged(/stops itself/);
  await using other = await startLiveServer(folder.path, settings, { program: {} });
  const { items: [{ jobId }] } = await other.owner.read("/api/imports");
  const read = (from: LiveServer) => from.owner.read(`/api/imports/${jobId}`);
  ok((await read(other)).stats.inserted > 0, "it has written");
  const job = await untilEnded(other.owner, `/api/imports/${jobId}`);
  assertEquals([job.status, job.stats.inserted, job.count], ["succeeded", ITEMS, ITEMS]);
  const before = await documentsOf(other);
  // The resumed process cannot commit, because another process has taken over the job.
  owner.tell("SIGCONT");
  await owner.logged(/job lost to another worker/);
  assertEquals((await bodyOf(sent, 202)).jobId, jobId);
  assertEquals(await read(owner), job);
  assertEquals(await documentsOf(owner), before);
  assertEquals(before.size, ITEMS);
  for (let n = 0; n < ITEMS; n += 97) {
    assertEquals(JSON.parse(before.get(`S-${n}`)!).ourPrice, priceOf(n));
  }
});

async function documentsOf({ owner }: LiveServer): Promise<Map<string, string>> {
  const items = await everyItem(owner, "/api/products?limit=200");
  return new Map(items.map((item) => [item.sku, JSON.stringify(item)]));
}
