/** Generated titles of a German shop, the same in every run. */
import type { SideText } from "../../../src/engine/matching/title_likeness.ts";

const SYLLABLES =
  "ba be bo da de di fa fi ga go ka ke ko la le lo ma me mo na ne no ra re ro sa se ta ti to va vo wa wi za"
    .split(" ");
const KINDS =
  "Akkuschrauber Stichsäge Kaffeevollautomat Bratpfanne Kühlschrank Waschmaschine Lautsprecher Kopfhörer Rucksack Laufschuh Armbanduhr Bettwäsche Tischleuchte Gartenstuhl Toner Tintenpatrone Festplatte Monitor Drucker Staubsauger Toaster Wasserkocher Mixer Fahrradhelm Zelt Schlafsack Puzzle Bausatz Puppe Parfüm"
    .split(" ");
const WORDS =
  "schwarz weiß rot blau silber kompakt leise Edelstahl Holz kabellos Serie Profi Home Eco Premium"
    .split(" ");
const MEASURES = "18V 500 ml 1,5 l 28 cm 256 GB 1200 W 2er-Pack 27 Zoll 2 kg 5 m".split(/ (?=\d)/);

/** A pseudo-random number that depends only on `seed` and `salt`. */
function draw(seed: number, salt: number): number {
  let x = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  return (x ^ (x >>> 15)) >>> 0;
}

function pick<T>(list: readonly T[], seed: number, salt: number): T {
  return list[draw(seed, salt) % list.length]!;
}

function made(seed: number) {
  const brandSeed = draw(seed, 1) % 800;
  const brand = [1, 2, 3].map((salt) => pick(SYLLABLES, brandSeed, salt)).join("");
  const lineSeed = draw(seed, 2) % 6_000;
  const line = [4, 5, 6].map((salt) => pick(SYLLABLES, lineSeed, salt)).join("");
  const letters = `${pick(SYLLABLES, seed, 7)}${pick(SYLLABLES, seed, 8)}`.toUpperCase();
  return {
    brand: brand.charAt(0).toUpperCase() + brand.slice(1),
    line: line.charAt(0).toUpperCase() + line.slice(1),
    code: `${letters.slice(0, 3)}-${100 + draw(seed, 9) % 900}${draw(seed, 10) % 100}`,
    kind: pick(KINDS, seed, 11),
    word: pick(WORDS, seed, 12),
    measure: pick(MEASURES, seed, 13),
  };
}

/** At even indexes, `shopTitles()` has the same products; at odd indexes, it has others. */
export function ourTitles(count: number): SideText[] {
  return Array.from({ length: count }, (_, at) => {
    const { brand, line, code, kind, word, measure } = made(at % 2 === 0 ? at : at + 10_000_000);
    return { title: `${brand} ${kind} ${line} ${code} ${measure} ${word}`, brand };
  });
}

export function shopTitles(count: number): SideText[] {
  return Array.from({ length: count }, (_, at) => {
    const { brand, line, code, kind, word, measure } = made(at);
    const number = code.replace("-", "");
    const article = `${kind} ${brand} ${number} ${line}`;
    return { title: `${article}, ${measure}, ${word} – versandkostenfrei` };
  });
}
