import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { valuesOf } from "../../api/answers.ts";
import { commitsPerKill, countCommits, killOnTheWay, runToTheEnd } from "../../killed_process.ts";
import { askIdleStore, askLeftStore } from "../../left_store.ts";
import { extent } from "../../proof.ts";
import { inFolder } from "../../temporary_folder.ts";
import { type Item, itemsXml } from "../import_calls.ts";
import { seen, type SeenProduct } from "./undo_scene.ts";

/** Number of changed products. The second file also adds `FEW` products and omits `FEW` others. */
const CHANGED = extent(100_000, 200);
const KILLS = extent(10, 1);
const PATCHED = 77_00;
const PATCHED_SKUS = ["S-1", "S-2", "N-3"];

const FORMS = { "Content-Type": "application/xml", Prefer: "respond-async" };

function items(kind: string, count: number, priceOf: (n: number) => number): Item[] {
  return Array.from({ length: count }, (_, n) => {
    const more = `<BRAND>Marke ${n % 40}</BRAND>`;
    return { sku: `${kind}-${n}`, title: `Artikel ${n}`, price: `${priceOf(n)},99`, more };
  });
}

const FEW = CHANGED / 10;
const FIRST = () => [...items("S", CHANGED, (n) => 10 + n % 97), ...items("M", FEW, () => 5)];
const SECOND = () => [...items("S", CHANGED, (n) => 200 + n % 89), ...items("N", FEW, () => 7)];

/** Requires the products of the first file, with the later changes of three products. */
function requireUndone(products: ReadonlyMap<string, SeenProduct>): void {
  assertEquals(products.size, CHANGED * 1.2);
  for (const [sku, { fields, isDeleted }] of products) {
    const [kind, number] = sku.split("-");
    const n = Number(number);
    const price = kind === "S" ? 1_099 + 100 * (n % 97) : kind === "M" ? 599 : 799;
    const expected = PATCHED_SKUS.includes(sku) ? PATCHED : price;
    assertEquals([sku, fields["ourPrice"], isDeleted], [sku, expected, kind === "N" && n !== 3]);
  }
}

inFolder.test(`an import of ${CHANGED} changed products is undone exactly after ${KILLS} times kill -9`, async (folder) => {
  const path = new URL("../crash_child.ts", import.meta.url).pathname;
  const child = (dataDir: string) => ({ path, args: [dataDir] });
  const importId: string = await askIdleStore(folder.path, async (owner) => {
    const send = async (items: Item[], query: string) =>
      (await owner.begin(`/api/imports${query}`, itemsXml(items), FORMS)).jobId;
    await send(FIRST(), "");
    return await send(SECOND(), "?mode=replace&force=true");
  });
  assertEquals(await runToTheEnd(child(folder.path)), 0);
  const undoId: string = await askIdleStore(folder.path, async (owner) => {
    const products = await seen(owner);
    for (const sku of PATCHED_SKUS) {
      const path = `/api/products/${products.get(sku)?.fields["id"]}`;
      await owner.change(path, { ourPrice: PATCHED / 100 });
    }
    const { Prefer } = FORMS;
    return (await owner.begin(`/api/imports/${importId}/undo`, undefined, { Prefer })).jobId;
  });
  const commits = await countCommits(folder.path, child);
  const commitsMax = commitsPerKill(commits, KILLS);
  await killOnTheWay({ ...child(folder.path), kills: KILLS, commitsMax });
  await askLeftStore(folder.path, async (owner) => {
    const job = await owner.read(`/api/imports/${undoId}`);
    assertEquals(job.status, "succeeded");
    assertEquals(job.undone, {
      entries: CHANGED * 1.2,
      setBack: CHANGED - 2,
      prices: CHANGED - 2,
      links: 0,
      deleted: FEW - 1,
      restored: FEW,
      kept: 3,
      soldDays: 0,
    });
    const { items: warnings } = await owner.read(`/api/imports/${undoId}/errors`);
    assertEquals(valuesOf(warnings, "sku", "code").sort(), [
      ["N-3", "kept_product"],
      ...["S-1", "S-2"].flatMap((sku) => [[sku, "kept_field"], [sku, "kept_price"]]),
    ]);
    requireUndone(await seen(owner));
  });
});
