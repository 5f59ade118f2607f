/**
 * Tests how recipes are learned from invented shops without markup. Shops use two layouts at once,
 * change their layout, show other articles before the price, or state prices only in script data.
 */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { placeText } from "../../../../src/engine/extraction/recipe/recipe.ts";
import { type MadePage, type MadeShop, madeShops, visit } from "./made_shops.ts";
import { euro } from "../reading_pages.ts";
import { extent } from "../../../proof.ts";

const LEARNING_PAGES = 5;
const SEEDS = Array.from({ length: extent(5, 1) }, (_, n) => n + 1);
/** The service must report a redesign within this number of pages. */
const NOTICED_PAGES = 10;

Deno.test("invented shops without markup are read correctly from their sixth page on", () => {
  const lines: string[] = [];
  let [pages, right] = [0, 0];
  for (const seed of SEEDS) {
    for (const shop of madeShops(seed)) {
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

/** Script data with the price and with misleading amounts, such as a fee or a former price. */
type State = (cents: number, n: number) => unknown;

const inCents: State = (cents, n) => ({
  cart: { totalPrice: { value: 4_711 + n } },
  shipping: { price: 495 },
  product: { id: n, priceBefore: cents + 2_000, price: { cents, currency: "EUR" } },
  others: [{ price: 1_000 + 37 * n }, { price: 2_000 + 41 * n }],
});

const inEuros: State = (cents, n) => ({
  fees: { price: 4.95 },
  [`Product:${n}`]: { prices: { current: cents / 100, was: cents / 100 + 20 } },
});

/** A shop without markup; from page `changesAt` on, its script data have another structure. */
function shopOf(state: State, count: number, changesAt: number | null = null): MadeShop {
  const pages = Array.from({ length: count }, (_, n): MadePage => {
    const cents = 2_000 + 791 * ((n * 7) % 23) + n;
    const isNew = changesAt !== null && n >= changesAt;
    const data = isNew ? { shop: { offer: { price: cents } } } : state(cents, n);
    const shown = n % 2 === 0
      ? `<div class="kasten"><p class="zahl">${
        euro(cents)
      }</p><button>In den Warenkorb</button></div>`
      : '<div id="app"></div>';
    return {
      url: `https://shop.example/p/${n}`,
      html: `<!doctype html><html lang="de"><head><title>Lampe ${n} | Laden</title></head><body>
<h1>Lampe ${n}</h1>${shown}<script>window.__STATE__ = ${
        JSON.stringify(data)
      };</script></body></html>`,
      priceCents: cents,
      ownCents: Math.round(cents * 1.02),
    };
  });
  return { name: "state", pages, changesAt };
}

for (
  const [name, state, path] of [
    ["in cents", inCents, "__STATE__ $.product.price.cents / 100"],
    ["in euros, under keys of one page", inEuros, "__STATE__ $.*.prices.current"],
  ] as const
) {
  Deno.test(`a shop that shows its price on every second page is read from its data on the others: ${name}`, () => {
    const visited = visit(shopOf(state, 40));
    const verdicts = visited.map(({ verdict }) => verdict);
    assertEquals(verdicts.filter((verdict) => verdict === "wrong"), []);
    // Kurant finds the price in the script data after three pages that also show it.
    assertEquals(verdicts.slice(0, 5), ["right", "none", "right", "none", "right"]);
    assertEquals(verdicts.slice(5).filter((verdict) => verdict !== "right"), []);
    for (const { extraction: { result }, confidence } of visited.slice(5)) {
      ok("price" in result);
      if (result.method === "recipe") ok(confidence <= 0.7, "an unshown price is never sure");
    }
    const recipe = visited.at(-1)?.lessons.recipe;
    ok(recipe?.selectors.map(placeText).includes(path), JSON.stringify(recipe?.selectors));
    for (const { statePath, hits, agreements, contradictions } of recipe?.selectors ?? []) {
      if (statePath === undefined) continue;
      ok(agreements >= 3 && agreements <= hits && contradictions === 0, statePath);
      assertEquals(statePath, path, "no cart, no fee, nothing before, no other scale");
    }
  });
}

Deno.test("a price that moves to another place in the data counts as a changed shop and is learned again", () => {
  const changesAt = 20;
  const visited = visit(shopOf(inCents, 60, changesAt));
  assertEquals(visited.filter(({ verdict }) => verdict === "wrong").length, 0);
  const last = visited.at(-1)?.lessons.recipe;
  const places = last?.selectors.map(placeText);
  ok(places?.includes("__STATE__ $.shop.offer.price / 100"), JSON.stringify(last));
  const late = visited.slice(changesAt).findIndex(({ verdict, extraction: { result } }) =>
    verdict === "right" && "price" in result && result.method === "recipe"
  );
  ok(late >= 0 && late <= 20, `read again after ${late} pages`);
});
