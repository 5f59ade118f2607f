import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { everyItem } from "../api/answers.ts";
import { repeatedly, until } from "../patience.ts";
import { kurantHere, succeeds } from "../kurant_here.ts";
import { findingsOf, kurant, startLiveServer } from "../program.ts";
import { extent } from "../proof.ts";
import { inFolder } from "../temporary_folder.ts";
import { askIdleStore } from "../left_store.ts";

const BACKUPS = extent(3, 1);
const WRITERS = extent(8, 4);

inFolder.test("backup under write load: each copy is restorable, consistent and contains every acknowledged write", async (folder) => {
  const dataDir = `${folder.path}/live`;
  const taken = await backUpUnderLoad(dataDir, folder.path);
  for (const { path, before } of taken) {
    const restored = `${path}.data`;
    const restoring = kurantHere(["restore", path], { DATA_DIR: restored });
    await succeeds(restoring, /^Restored: \d+ bytes, 0 disagreements\n$/);
    assertEquals(await findingsOf(restored), "");
    assertEquals(await missingIn(restored, before), []);
  }
});

/** Returns the path of each backup and the SKUs of products created before the backup began. */
async function backUpUnderLoad(dataDir: string, folder: string) {
  await using live = await startLiveServer(dataDir);
  const made: string[] = [];
  const writers = Array.from({ length: WRITERS }, (_, writer) => {
    let n = 0;
    return repeatedly(async () => {
      const sku = `W${writer}-${++n}`;
      const body = { sku, title: "Kühlschrank", brand: "Bosch", ourPriceCents: 1_000 + n };
      const { id } = await live.owner.create("/api/products", body);
      await live.owner.change(`/api/products/${id}`, { title: `Titel ${n}` });
      made.push(sku);
    });
  });
  const taken: { path: string; before: string[] }[] = [];
  for (let n = 0; n < BACKUPS; n++) {
    const path = `${folder}/backup-${n}.db`;
    const enough = (taken.at(-1)?.before.length ?? 0) + WRITERS;
    await until("the writers are at work", () => made.length >= enough);
    const before = [...made];
    await succeeds(kurant(["backup", path], { DATA_DIR: dataDir }));
    taken.push({ path, before });
  }
  await Promise.all(writers.map((writer) => writer[Symbol.asyncDispose]()));
  return taken;
}

async function missingIn(dataDir: string, skus: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  await askIdleStore(dataDir, async (owner) => {
    for (const { sku } of await everyItem(owner, "/api/products?limit=200")) found.add(sku);
  });
  return skus.filter((sku) => !found.has(sku));
}
