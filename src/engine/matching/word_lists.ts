/**
 * Lists of title words that name a gender, an edition, a tier (such as `pro`), an accessory or a
 * used article. `Vocabulary` computes the weights of words from their frequency.
 */

import { COLOURS, meaningsOf, placesOf, wordsOf } from "../../base/title_atoms.ts";

const MEN = 1;
const WOMEN = 2;
const CHILDREN = 4;

export const GENDERS = meaningsOf({
  "herren herr men mens man männer male gentlemen homme hommes hombre uomo heren": MEN,
  "damen dame women womens woman frauen lady ladies female femme femmes mujer donna dames": WOMEN,
  "kinder kind kids kid junior juniors youth jungen mädchen boys girls boy girl baby enfant":
    CHILDREN,
  "unisex": MEN | WOMEN,
});

export const GENDER_PREFIXES = [["herren", MEN], ["damen", WOMEN], ["kinder", CHILDREN]] as const;

export const EDITION_BITS = {
  upgrade: 1,
  education: 2,
  mac: 4,
  windows: 8,
  single: 16,
  family: 32,
} as const;

export const EDITIONS = meaningsOf({
  "upgrade update upg upgrd": EDITION_BITS.upgrade,
  "education educational student students academic acad edu schulversion schüler studenten lehrer teacher":
    EDITION_BITS.education,
  "mac macos macintosh osx": EDITION_BITS.mac,
  "windows win": EDITION_BITS.windows,
  "single einzelplatz einzellizenz": EDITION_BITS.single,
  "family familie familienlizenz": EDITION_BITS.family,
});

export const TIERS = placesOf([
  "pro professional",
  "plus",
  "max",
  "ultra",
  "mini",
  "lite light",
  "air",
  "home",
  "premium",
  "ultimate",
  "standard std",
  "deluxe dlx",
  "basic basis",
  "enterprise",
  "business",
  "elite",
  "express",
]);

const ACCESSORY_WORDS: ReadonlySet<string> = new Set(
  wordsOf(
    "hülle tasche case cover bag sleeve etui folie schutzfolie panzerglas halterung replacement " +
      "akku netzteil ladegerät ladekabel protector",
  ),
);
const ACCESSORY_PREFIXES = wordsOf("ersatz schutz zubehör");
const ACCESSORY_SUFFIXES = wordsOf("hülle tasche folie halterung halter cover case etui");

export const FOR_WORDS: ReadonlySet<string> = new Set(wordsOf("für for pour voor"));

export const WITH_WORDS: ReadonlySet<string> = new Set(wordsOf("mit with zu to"));

export const FITTING_WORDS: ReadonlySet<string> = new Set(
  wordsOf("passend geeignet kompatibel compatible suitable"),
);

/** `word` must be a result of `foldWord`. */
export function isAccessoryWord(word: string): boolean {
  return ACCESSORY_WORDS.has(word) ||
    (word.length > 6 &&
      (ACCESSORY_PREFIXES.some((prefix) => word.startsWith(prefix)) ||
        ACCESSORY_SUFFIXES.some((suffix) => word.endsWith(suffix))));
}

/** Does not contain `used`, because many titles of new articles contain this word. */
export const USED_WORDS: ReadonlySet<string> = new Set(
  wordsOf("gebraucht gebrauchte gebrauchtes gebrauchter gebrauchtware generalüberholt refurbished")
    .concat(wordsOf("aufbereitet wiederaufbereitet runderneuert bware secondhand")),
);

export const LITTLE_WORDS: ReadonlySet<string> = new Set(
  wordsOf(
    "und oder mit für von in im an am auf der die das den dem des ein eine einer bei zu zum zur aus " +
      "and or with for from of the a an to on by at in is it new neu used inkl incl ohne plus pack set " +
      "x version ver v nr no vol",
  ),
);

const COMMON_WORDS: ReadonlySet<string> = new Set([
  ...LITTLE_WORDS,
  ...COLOURS.keys(),
  ...GENDERS.keys(),
  ...wordsOf(
    "pro plus mini max schwarz original neuware set digital kamera camera watch uhr schuh schuhe shoes " +
      "shop online kaufen günstig preis bestellen versand amazon ebay otto",
  ),
]);

/** Only Roman numerals that cannot be mistaken for initials. */
export const ROMAN = meaningsOf({ ii: 2, iii: 3, iv: 4, vi: 6, vii: 7, viii: 8 });

const ASSUMED_TITLES = 10_000;
const ASSUMED_COMMON = 1_000;
const ASSUMED_OTHERS = 20;

const WEIGHTS_KEPT = 4_096;

export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #counts: number[] = [];
  #titles = 0;
  readonly #weights = new Float64Array(WEIGHTS_KEPT);
  #weighedTitles = -1;
  readonly #assumed: ReadonlySet<string>;

  constructor(assumed: readonly string[] = []) {
    this.#assumed = new Set(assumed);
  }

  numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#words.push(word) - 1;
    this.#numbers.set(word, number);
    this.#counts.push(0);
    return number;
  }

  wordOf(number: number): string {
    return this.#words[number] ?? "";
  }

  /** Counts the words of one title; `numbers` must not contain a word twice. */
  count(numbers: readonly number[]): void {
    this.#titles += 1;
    for (const number of numbers) this.#counts[number] = (this.#counts[number] ?? 0) + 1;
  }

  weightOf(number: number): number {
    const count = this.#titles === 0 ? this.#assumedCount(number) : this.#counts[number] ?? 0;
    if (this.#weighedTitles !== this.#titles) {
      this.#weighedTitles = this.#titles;
      this.#weights.fill(0);
    }
    const known = this.#weights[count];
    if (known) return known;
    const weight = Math.log(1 + (this.#titles || ASSUMED_TITLES) / (1 + count));
    if (count < this.#weights.length) this.#weights[count] = weight;
    return weight;
  }

  #assumedCount(number: number): number {
    const word = this.wordOf(number);
    return COMMON_WORDS.has(word) || this.#assumed.has(word) ? ASSUMED_COMMON : ASSUMED_OTHERS;
  }

  get weightMax(): number {
    return Math.log(1 + (this.#titles || ASSUMED_TITLES));
  }
}
