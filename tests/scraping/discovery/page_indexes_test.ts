import { MINUTE_MS } from "../../../src/base/time.ts";
import fc from "fast-check";
import { transact } from "../../../src/platform/store/kv.ts";
import { PageIndex, PageIndexes } from "../../../src/scraping/suggestions/product_indexes.ts";
import { foundPages, savePage } from "../../../src/shops/discovery/page_store.ts";
import { urlHashOf } from "../../../src/shops/domain.ts";
import { shopPage } from "./made_shop.ts";
import { withStore } from "../../memory_store.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const workspaceId = "0".repeat(23) + "1";
const [SHOP, OTHER] = ["a".repeat(24), "b".repeat(24)] as const;
const going = new AbortController().signal;

const page = (title: string) => shopPage("https://shop.example/p", { title });

const placeOf = (competitorId: string, n: number) => ({
  competitorId,
  urlHash: urlHashOf(new URL(`https://shop.example/p/${n}`)),
});

withStore.test("an index of a shop's pages has all pages that any process wrote, and no deleted ones", async (store) => {
  const workspace = { store, workspaceId };
  const put = (n: number, title: string | null, competitorId: string = SHOP) =>
    transact(workspace, async (write) => {
      const place = placeOf(competitorId, n);
      const after = title === null ? null : page(title);
      savePage(
        write,
        workspaceId,
        place,
        (await foundPages.find(workspace, place))?.row.page ?? null,
        after,
      );
    });
  const indexes = new PageIndexes();
  const likely = async (title: string, own = indexes) => {
    const index = await own.of(workspace, SHOP, 0, going);
    return index?.likelyFor({ title, brand: null, mpn: null }).map(({ urlHash }) => urlHash);
  };
  const drill = "Makita Akku-Schlagbohrschrauber DHP485";
  assertEquals(await likely(drill), []);
  // With 200 pages, every part of the shop has some pages.
  for (let n = 0; n < 200; n++) await put(n, `Artikel Nummer ${1_000 + n} Sorte ${n % 7}`);
  await put(77, "Makita Schlagbohrschrauber DHP485 ohne Akku");
  await put(78, "Makita Schlagbohrschrauber DHP485", OTHER);
  const first = placeOf(SHOP, 77).urlHash;
  assertEquals((await likely(drill))?.[0], first);
  assertEquals((await likely(drill))?.includes(placeOf(SHOP, 78).urlHash), false);
  await put(77, "Gartenschlauch 20 m");
  await put(150, "Makita Schlagbohrschrauber DHP485");
  assertEquals(await likely(drill), [placeOf(SHOP, 150).urlHash]);
  await put(150, null);
  assertEquals(await likely(drill), []);
  assertEquals(await likely("Gartenschlauch 20 m"), [first]);
  // A new index, such as that of another process, gives the same result.
  assertEquals(await likely("Gartenschlauch 20 m", new PageIndexes()), [first]);
  assertEquals(indexes.size, 199);
});

withStore.test("page indexes stay within their limit, and an unused one is dropped for another shop's", async (store) => {
  const workspace = { store, workspaceId };
  await transact(workspace, (write) => {
    for (const shop of [SHOP, OTHER]) {
      for (let n = 0; n < 60; n++) {
        savePage(write, workspaceId, placeOf(shop, n), null, page(`Artikel ${n}`));
      }
    }
  });
  const indexes = new PageIndexes(100);
  ok(await indexes.of(workspace, SHOP, 0, going));
  assertEquals(await indexes.of(workspace, OTHER, 5 * MINUTE_MS, going), null);
  assertEquals(indexes.size, 60);
  // After a refusal, the index is not loaded for ten minutes, even if there is room.
  assertEquals(await indexes.of(workspace, OTHER, 11 * MINUTE_MS, going), null);
  ok(await indexes.of(workspace, OTHER, 16 * MINUTE_MS, going));
  assertEquals(indexes.size, 60);
  indexes.keepOnly(new Set());
  assertEquals(indexes.size, 0);
});

Deno.test("a page index after many changes finds the same as a new one", () => {
  const titles = fc.constantFrom(null, "Makita DHP485", "Bosch GSR 18V", "Stabilo Boss gelb", "");
  const places = fc.constantFrom("00", "0f", "7a", "ff");
  fc.assert(
    fc.property(fc.array(fc.tuple(places, titles), { maxLength: 30 }), (changes) => {
      const [lived, last] = [new PageIndex(), new Map<string, string | null>()];
      for (const [place, title] of changes) {
        lived.put(place, { title, brand: null, mpn: null });
        last.set(place, title);
      }
      const fresh = [...last].filter(([, title]) => title !== null && title !== "");
      assertEquals(lived.size, fresh.length);
      assertEquals(lived.within("00", null).toSorted(), fresh.map(([place]) => place).toSorted());
      for (const title of ["Makita DHP485", "Stabilo Boss gelb"]) {
        const found = lived.likelyFor({ title, brand: null, mpn: null }).map((one) => one.urlHash);
        const equal = fresh.filter(([, own]) => own === title).map(([place]) => place);
        assertEquals(found.toSorted().slice(0, 3).length, Math.min(3, equal.length), title);
        ok(found.every((place) => equal.includes(place)));
      }
    }),
  );
});
