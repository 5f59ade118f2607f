import fc from "fast-check";
import { gtin14, trustIn } from "../../../src/base/codes.ts";
import { hardWords } from "../../../src/engine/matching/title_differences.ts";
import {
  areOneBrand,
  brandKey,
  foldTitle,
  foldWord,
  partNumberKey,
} from "../../../src/base/title_atoms.ts";
import { titleFacts } from "../../../src/engine/matching/title_facts.ts";
import { sideOf, TitleIndex, titleScore } from "../../../src/engine/matching/title_likeness.ts";
import { Vocabulary } from "../../../src/engine/matching/word_lists.ts";
import { leastCostMs } from "../../processor_time.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { anyCharacter } from "../../any_text.ts";
import { extent } from "../../proof.ts";
import { ourTitles, shopTitles } from "./made_titles.ts";

function facts(title: string) {
  const vocabulary = new Vocabulary();
  const { codes, quantities, pack, series, sizes, accessory } = titleFacts({ title }, vocabulary);
  return [
    ...codes.map((code) => `code ${vocabulary.wordOf(code)}`),
    ...quantities.map(({ dimension, value }) => `${dimension} ${value}`),
    ...(pack ? [`pack ${pack.meaning}`] : []),
    ...series.map(({ text }) => `series ${text}`),
    ...sizes.map((size) => `size ${size}`),
    ...(accessory ? [`accessory ${accessory.meaning}`] : []),
  ].join(", ");
}

const TITLES: readonly [string, string][] = [
  ["Sony DAV-IS50", "code davis50, series is50"],
  ["De'Longhi ECAM 22.110.B", "code 22110b"],
  ["Junghans 047/4659.00", "code 047465900"],
  ["Bohrer EG-1234/EG-1235", "code eg1234, code eg1235"],
  ["Samsung Galaxy S24 256 GB", "code s24, memory 256000, series s24"],
  ["Wasser 2,5 l", "volume 2500"],
  ["Wasser 2.500 ml", "volume 2500"],
  ['Fernseher 55"', "length 1397"],
  ["Bettwäsche 135x200 cm", "length 1350, length 2000"],
  ["Saft 6 x 1 l", "volume 1000, pack 6"],
  ["Arbeitsspeicher 2 x 8GB", "memory 8000"],
  ["Batterien 2er-Pack", "pack 2"],
  ["Seife Doppelpack", "pack 2"],
  ["Batterien AA 8 Stück", "pieces 8"],
  ["Jeans Gr. 32", "series gr. 32, size 32"],
  ["Hülle für iPhone 15", "series iphone 15, accessory for"],
  ["Beutel passend für Miele", "accessory for"],
  ["Full HD 1920x1080 1080p", "lines 1080"],
  ["EAN 4006381333931", "code 4006381333931"],
];

for (const [title, expected] of TITLES) {
  Deno.test(`title: ${title}`, () =>
    assertEquals(facts(title).replace("gr 32", "gr. 32"), expected));
}

const GTINS = Object.entries({
  proof: "4006381333931 04006381333931 14006381333938 96385074 12345678905 9524000000002",
  hint: "9771234567003",
  nothing: `2004711000005 0212345000007 0412345000001 0512345000008 9812345000000 9912345000007
    94006381333934 00000017 20000011`,
  none: `4006381333932 00000000000000 ${"0".repeat(5_000)} ١٢٣٤٥٦٧٨ `,
}).flatMap(([trust, texts]) => texts.split(/\s+/).map((text) => [text, trust] as const));

for (const [text, expected] of GTINS) {
  Deno.test(`GTIN: ${text.slice(0, 20)} is ${expected}`, () => {
    const gtin = gtin14(text);
    assertEquals(gtin === null ? "none" : trustIn(gtin), expected);
  });
}

Deno.test("part numbers have at least four letters and digits, one of them a digit", () => {
  const keys = ["DV3853-001", " 0 601 9F6 000 ", "ABCD", "12a", "Größe 12", "x".repeat(61) + "1"];
  assertEquals(keys.map(partNumberKey), ["dv3853001", "06019f6000", null, null, "grosse12", null]);
});

Deno.test("brands are equal with and without company suffixes", () => {
  const same = (one: string, other: string) => areOneBrand(brandKey(one), brandKey(other));
  ok(same("Bosch", "Bosch Professional"));
  ok(same("Team Pro Mark", "team promark"));
  ok(same("Müller", "Mueller"));
  ok(!same("Bosch", "Makita"));
  ok(!same("Bo", "Bosch"));
  ok(!same("", "Bosch"));
});

const SIZE = { maxLength: 300 };
const anything = fc.oneof(fc.string({ unit: anyCharacter, ...SIZE }), fc.string(SIZE));

Deno.test("folding a title twice equals folding it once", () => {
  fc.assert(fc.property(anything, (text) => {
    const folded = foldTitle(text);
    assertEquals(foldTitle(folded), folded);
  }));
  fc.assert(fc.property(fc.stringMatching(/^[a-z]{1,12}$/), (word) => {
    ok(foldWord(word).length <= word.length);
  }));
});

Deno.test("a title equals itself: nothing contradicts, and no other title scores higher", () => {
  fc.assert(fc.property(anything, anything, (title, other) => {
    const vocabulary = new Vocabulary();
    const [side, twin] = [sideOf({ title }, vocabulary), sideOf({ title }, vocabulary)];
    assertEquals(hardWords(side.facts, twin.facts, vocabulary), []);
    const own = titleScore(side, twin, vocabulary);
    ok(own > 0 && own < 1);
    ok(titleScore(side, sideOf({ title: other }, vocabulary), vocabulary) <= 1);
  }));
});

const HOSTILE: readonly [string, (length: number) => string][] = [
  ["digits", (length) => "1".repeat(length)],
  ["digits and points", (length) => "1.".repeat(length / 2)],
  ["letters and digits", (length) => "a1".repeat(length / 2)],
  ["packs", (length) => "2x ".repeat(length / 3)],
  ["colours", (length) => "rot/".repeat(length / 4)],
  ["accessories", (length) => "hülle ".repeat(length / 6)],
  ["marks", (length) => "a" + "\u0301".repeat(length - 1)],
  ["ligatures", (length) => "\ufdfa".repeat(length)],
  ["codes", (length) => Array.from({ length: length / 8 }, (_, n) => `ab${10_000 + n} `).join("")],
];

for (const [name, made] of HOSTILE) {
  Deno.test(`a megabyte of ${name} costs no more than the beginning of it`, () => {
    const [title, twin] = [made(2 ** 20), made(2 ** 20).toUpperCase()];
    const ms = leastCostMs(() => {
      const vocabulary = new Vocabulary();
      const ours = sideOf({ title, brand: title, mpns: [title] }, vocabulary);
      titleScore(ours, sideOf({ title: twin }, vocabulary), vocabulary);
    });
    ok(ms < 100, `${ms} ms`);
  });
}

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
