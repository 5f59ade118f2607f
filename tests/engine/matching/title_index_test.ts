import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { TitleIndex } from "../../../src/engine/matching/title_likeness.ts";
import { extent } from "../../proof.ts";
import { ourTitles, shopTitles } from "./made_titles.ts";

const COUNT = extent(3_000, 1_200);
const SHOP = shopTitles(COUNT);
const OURS = ourTitles(COUNT);

function shopIndex(): TitleIndex {
  const index = new TitleIndex();
  for (const text of SHOP) index.add(text);
  return index;
}

Deno.test("our products in the shop are suggested first, others are not suggested as sure", () => {
  const index = shopIndex();
  const firsts = OURS.map((text) => index.suggest(index.read(text))[0]);
  const missed = OURS.flatMap((text, at) => {
    const first = firsts[at];
    const isThere = at % 2 === 0;
    return isThere && first?.entry !== at ? [text.title] : [];
  });
  assertEquals(missed, []);
  const strangers = OURS.filter((_, at) => at % 2 === 1 && (firsts[at]?.score ?? 0) >= 0.95);
  assertEquals(strangers.map(({ title }) => title), []);
});

Deno.test("an added title is found, a removed one is not", () => {
  const index = shopIndex();
  const late = { title: "Nachtigall Teekessel TK-4711 1,5 l" };
  const ours = index.read(late);
  assertEquals(index.suggest(ours), []);
  const entry = index.add(late);
  assertEquals(index.suggest(ours)[0]?.entry, entry);
  index.remove(entry);
  assertEquals(index.suggest(ours), []);
  assertEquals(index.scoreOf(ours, entry), 0);
});

Deno.test("candidates are the titles that share most words, as a full comparison says", () => {
  const words = fc.array(fc.constantFrom(..."abcdefghijklmnop"), { minLength: 1, maxLength: 6 })
    .map((list) => list.map((letter) => `wort${letter}`).join(" "));
  fc.assert(fc.property(fc.array(words, { maxLength: 60 }), words, (titles, wanted) => {
    const index = new TitleIndex();
    for (const title of titles) index.add({ title });
    const own = new Set(wanted.split(" "));
    const countOf = (word: string) =>
      titles.filter((title) => title.split(" ").includes(word)).length;
    const sums = titles.map((title) =>
      [...new Set(title.split(" "))].filter((word) => own.has(word))
        .reduce((sum, word) => sum + Math.log(1 + titles.length / (1 + countOf(word))) ** 2, 0)
    );
    const found = index.candidates(index.read({ title: wanted }));
    assertEquals(found.length, Math.min(20, sums.filter((sum) => sum > 0).length));
    assertEquals(new Set(found).size, found.length);
    const least = Math.min(...found.map((entry) => sums[entry] ?? 0));
    const left = sums.filter((_, entry) => !found.includes(entry));
    ok(left.every((sum) => sum <= least + 1e-3), "none that is left out shares more");
  }));
});

Deno.test("words of all titles do not make all titles candidates", () => {
  const index = new TitleIndex();
  for (let at = 0; at < 5_000; at += 1) index.add({ title: `immer dasselbe wort, nummer x${at}y` });
  assertEquals(index.candidates(index.read({ title: "immer dasselbe wort" })).length, 20);
  const [first] = index.rank(index.read({ title: "immer dasselbe wort, nummer x4711y" }));
  assertEquals(first?.entry, 4_711);
});
