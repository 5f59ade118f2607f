/**
 * Product pages made for tests (`made_pages/`), read with our product and without it. Floors, so that
 * a change which reads worse is seen; raise them when more is read. `MADE_PAGES=all` prints each page
 * that is not read right.
 */
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { env } from "node:process";
import { BARE } from "./made_pages/bare.ts";
import { FORMER } from "./made_pages/former.ts";
import { type Kind, KINDS, type MadePage, pagesOf } from "./made_pages/made_page.ts";
import { countsOf, score, tableOf } from "./made_pages/score_made_pages.ts";
import { VARIANTS } from "./made_pages/variants.ts";
import { VETOES } from "./made_pages/vetoes.ts";
import { WORDS } from "./made_pages/words.ts";

const PAGES: readonly MadePage[] = [
  ...pagesOf("variants", VARIANTS),
  ...pagesOf("vetoes", VETOES),
  ...pagesOf("words", WORDS),
  ...pagesOf("bare", BARE),
  ...pagesOf("former", FORMER),
];

/** Least right prices, most wrong ones, and most wrong or too sure ones at 0.9. */
type Floor = readonly [right: number, wrong: number, wrongHigh: number];

const FLOORS: Readonly<Record<"product" | "nothing", Readonly<Record<Kind, Floor>>>> = {
  product: {
    variants: [2, 12, 8],
    vetoes: [2, 14, 14],
    words: [12, 0, 4],
    bare: [7, 0, 0],
    former: [13, 0, 0],
  },
  nothing: {
    variants: [6, 0, 10],
    vetoes: [2, 14, 14],
    words: [14, 0, 2],
    bare: [7, 0, 0],
    former: [13, 0, 0],
  },
};

for (const knows of ["product", "nothing"] as const) {
  Deno.test(`extractPrice() reads the made pages as well as before, with ${knows} known`, () => {
    const scored = PAGES.map((page) => score(page, knows));
    const table = tableOf(`Made pages, ${knows} known`, scored);
    const bad = scored.filter(({ verdict }) => verdict !== "right");
    const lines = env.MADE_PAGES === "all"
      ? bad.map(({ verdict, told }) => `${verdict} ${told}`)
      : [];
    Deno.stdout.writeSync(new TextEncoder().encode(`${[table, ...lines].join("\n")}\n`));
    for (const kind of KINDS) {
      const counts = countsOf(scored.filter(({ page }) => page.kind === kind));
      const [right, wrong, wrongHigh] = FLOORS[knows][kind];
      assert(counts.right >= right, `${kind}: ${counts.right} right`);
      assert(counts.wrong <= wrong, `${kind}: ${counts.wrong} wrong`);
      assert(
        counts.wrongHigh <= wrongHigh,
        `${kind}: ${counts.wrongHigh} wrong or too sure at 0.9`,
      );
    }
  });
}

Deno.test("each kind has twelve made pages or more, each with its own name", () => {
  assertEquals(new Set(PAGES.map(({ name }) => name)).size, PAGES.length);
  for (const kind of KINDS) assert(PAGES.filter((page) => page.kind === kind).length >= 12, kind);
});
