/**
 * Recipes are learned from shops without markup: twelve invented templates of 40 pages each, with struck
 * prices, unit prices, tiles, instalments, other currencies, two layouts and redesigns. Six templates were
 * used to develop the rules; the other six are judged separately.
 */
import { ok } from "node:assert/strict";
import { madeShops } from "./made_shops.ts";
import { visit } from "./shop_series.ts";
import { extent } from "../../../proof.ts";

const LEARNING_PAGES = 5;
const SEEDS = Array.from({ length: extent(5, 1) }, (_, n) => n + 1);
/** The service must report a redesign within this number of pages. */
const NOTICED_PAGES = 10;

for (const which of ["tuned", "judged"] as const) {
  Deno.test(`invented shops without markup are read correctly from their sixth page on: ${which} templates`, () => {
    const lines: string[] = [];
    let [pages, right] = [0, 0];
    for (const seed of SEEDS) {
      for (const shop of madeShops(seed, which)) {
        const visited = visit(shop);
        const after = visited.slice(LEARNING_PAGES);
        const own = after.filter(({ verdict }) => verdict === "right").length;
        const wrong = visited.filter(({ verdict, confidence }) =>
          verdict === "wrong" && confidence >= 0.9
        );
        const unsure = after.filter(({ verdict }) => verdict === "wrong");
        pages += after.length;
        right += own;
        lines.push(`${shop.name} ${seed}: ${own} of ${after.length}`);
        ok(wrong.length === 0, `${shop.name}: ${wrong.length} wrong and sure`);
        ok(unsure.length === 0, `${shop.name}: ${unsure.length} wrong after learning`);
        ok(visited.some(({ lessons }) => lessons.recipe !== null), `${shop.name}: learned nothing`);
        const newAt = visited.flatMap(({ isNew }, n) => isNew ? [n] : []);
        if (shop.changesAt === null) continue;
        const late = (newAt[0] ?? Infinity) - shop.changesAt;
        ok(late >= 0 && late < NOTICED_PAGES, `${shop.name}: told after ${late} pages`);
        ok(newAt.length === 1, `${shop.name}: told ${newAt.length} times`);
        ok(visited.at(-1)?.lessons.recipe?.status === "active", `${shop.name}: learned anew`);
      }
    }
    ok(right >= 0.95 * pages, lines.join("; "));
  });
}
