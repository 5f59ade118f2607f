import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { everyItem } from "../api/answers.ts";
import { untilEnded } from "../caller.ts";
import {
  addSilentShops,
  numberedItems,
  requireEachProduct,
  requireExactStats,
} from "../imports/numbered_items.ts";
import { type LiveServer, startLiveServer } from "../program.ts";
import { withDenokv } from "../stores.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { extent } from "../proof.ts";
import { beginImport } from "./scale_out_scene.ts";

const ITEMS = extent(20_000, 300);
const SABOTAGED = { entry: "tests/fault/sabotaged_entry.ts" };

withDenokv.test("a process that stalls during its import is overtaken, and writes nothing more when it continues", async (kv) => {
  await using folder = await temporaryFolder();
  const settings = { KV_URL: kv.url, DENO_KV_ACCESS_TOKEN: kv.token };
  const stalling = { ...settings, STOPPED_IN_APPLYING: "yes" };
  await using owner = await startLiveServer(folder.path, stalling, { program: SABOTAGED });
  await addSilentShops(owner.owner);
  const sent = beginImport(owner.owner, numberedItems(ITEMS));
  await owner.logged(/stops itself/);
  await using other = await startLiveServer(folder.path, settings, { program: {} });
  const { items: [{ jobId }] } = await other.owner.read("/api/imports");
  const read = (from: LiveServer) => from.owner.read(`/api/imports/${jobId}`);
  ok((await read(other)).stats.inserted > 0, "it has written");
  const job = await untilEnded(other.owner, `/api/imports/${jobId}`);
  await requireExactStats(other.owner, jobId, ITEMS);
  const before = await documentsOf(other);
  // The resumed process cannot commit, because another process has taken over the job.
  owner.tell("SIGCONT");
  await owner.logged(/job lost to another worker/);
  assertEquals(await sent, jobId);
  assertEquals(await read(owner), job);
  assertEquals(await documentsOf(owner), before);
  await requireEachProduct(owner.owner, ITEMS);
});

const documentsOf = ({ owner }: LiveServer) => everyItem(owner, "/api/products?limit=200");
