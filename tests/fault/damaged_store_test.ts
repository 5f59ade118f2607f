import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { bodyOf, statusOf } from "../api/answers.ts";
import { storeFile } from "../../src/platform/store/open_store.ts";
import { flushFile } from "../../src/platform/store/store_file.ts";
import { kurantHere } from "../kurant_here.ts";
import { startLiveServer } from "../program.ts";
import { inFolder } from "../temporary_folder.ts";
import { askIdleStore } from "../left_store.ts";

/** Random attributes do not compress, so a document fills a good part of a page. */
const bulk = () => Object.fromEntries([1, 2, 3, 4].map((n) => [`M${n}`, randomHex()]));
const randomHex = () => crypto.getRandomValues(new Uint8Array(400)).toHex();
/** The beginning of keys `p …` in the file, in hex. */
const PRODUCT_DOCUMENT = "027000";
const PAGE_BYTES = 16_384;

/**
 * Overwrites one page that contains only product documents, so that a server still starts normally.
 * Returns the keys of the rows that became unreadable.
 */
async function damageProducts(kvPath: string): Promise<string[]> {
  await flushFile(kvPath);
  const whole = await Deno.readFile(kvPath);
  const keys = keysOf(kvPath);
  for (let at = PAGE_BYTES; at < whole.length; at += PAGE_BYTES) {
    const bytes = whole.slice();
    bytes.fill(0xff, at, at + PAGE_BYTES);
    await Deno.writeFile(kvPath, bytes);
    const left = readable(kvPath, keys);
    const lost = keys.filter((key) => !left.has(key));
    if (lost.length > 0 && lost.every((key) => key.startsWith(PRODUCT_DOCUMENT))) return lost;
  }
  throw new Error("No page has documents of products alone");
}

function keysOf(kvPath: string): string[] {
  using file = new DatabaseSync(kvPath, { readOnly: true });
  return file.prepare("SELECT hex(k) AS key FROM kv").all().map(({ key }) => String(key));
}

/** The keys whose values can be read. */
function readable(kvPath: string, keys: readonly string[]): Set<string> {
  using file = new DatabaseSync(kvPath, { readOnly: true });
  const isReadable = (key: string) => {
    try {
      return file.prepare("SELECT hex(v) FROM kv WHERE k = unhex(?)").all(key).length === 1;
    } catch (error) {
      if (error instanceof Error && /malformed/.test(error.message)) return false;
      throw error;
    }
  };
  return new Set(keys.filter(isReadable));
}

/** The id at the end of a key. Keys write a zero byte as 00 FF and end with 00. */
function lastIdOf(key: string): string {
  const bytes = Uint8Array.fromHex(key);
  return bytes.filter((byte, at) => byte !== 0xff || bytes[at - 1] !== 0).slice(-13, -1).toHex();
}

inFolder.test("a damaged page makes /readyz 503 once a read meets it, and check-store names the remedy", async (folder) => {
  const { kvPath } = storeFile(folder.path);
  await askIdleStore(folder.path, async (owner) => {
    for (let n = 0; n < 60; n++) {
      const product = { sku: `S${n}`, title: "Herd", attributes: bulk() };
      await owner.create("/api/products", product);
    }
  });
  const [lost] = (await damageProducts(kvPath)).map(lastIdOf);
  {
    await using live = await startLiveServer(folder.path);
    const refused = await bodyOf(live.owner.get(`/api/products/${lost}`), 503);
    assertEquals(refused.error.code, "unavailable");
    match(refused.error.message, /^The store's file is damaged: .*kurant restore FILE/);
    const unready = await bodyOf(live.anyone.get("/readyz"), 503);
    match(unready.error.message, /^The store's file is damaged: .*kurant restore FILE/);
    assertEquals(await statusOf(live.anyone.get("/healthz")), 200);
    match(live.log(), /"level":"error","room":"store","event":"the store's file is damaged/);
    await live.stop("SIGTERM");
  }
  const checked = await kurantHere(["check-store"], { DATA_DIR: folder.path });
  assertEquals([checked.code, checked.out], [1, ""]);
  match(
    checked.err,
    /^error: The store file ".*kurant\.db" is damaged: restore a backup \(kurant restore FILE\)\n$/m,
  );
});
