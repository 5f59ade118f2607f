/**
 * Prepares titles, brands and part numbers for comparison. Different spellings of a word become
 * equal, and measures are converted to base units.
 */
import { composed } from "./text.ts";

const FOLDED_UNITS_MAX = 1_000;
const ASCII = /^\p{ASCII}*$/u;
const MARKS = /\p{M}/gu;
const SIGNS = /[™®©]/g;
const SPELLED: Readonly<Record<string, string>> = {
  "ß": "ss",
  "æ": "a",
  "œ": "o",
  "ø": "o",
  "đ": "d",
  "ł": "l",
  "ı": "i",
  "×": "x",
  "″": '"',
  "”": '"',
  "–": "-",
};
const SPELLED_LETTER = new RegExp(`[${Object.keys(SPELLED).join("")}]`, "g");
const VOWEL_AND_E = /([aou])e/g;

/** Removes accents and case, and shortens the text, because a hostile title may be long. */
export function foldTitle(text: string): string {
  const head = text.slice(0, 500);
  if (ASCII.test(head)) return head.toLowerCase();
  const plain = composed(head.replace(SIGNS, " "), "NFKC").slice(0, FOLDED_UNITS_MAX).toLowerCase();
  return composed(plain, "NFD").replace(MARKS, "")
    .replace(SPELLED_LETTER, (letter) => SPELLED[letter] ?? letter).slice(0, FOLDED_UNITS_MAX);
}

/** Makes `kuehl` and `kuhl` (both for `kühl`) equal; `word` must come from `foldTitle`. */
export function foldWord(word: string): string {
  return word.replace(VOWEL_AND_E, "$1");
}

export type Dimension =
  | "memory"
  | "volume"
  | "mass"
  | "length"
  | "power"
  | "voltage"
  | "charge"
  | "frequency"
  | "pixels"
  | "lines"
  | "times"
  | "pressure"
  | "bits"
  | "seats"
  | "sheets"
  | "pieces";

interface Unit {
  readonly dimension: Dimension;
  readonly size: number;
  /** True if the unit must directly follow its number, as in `720p`. */
  readonly isGlued: boolean;
}

const UNITS: ReadonlyMap<string, Unit> = new Map(
  ([
    ["memory", 1, "mb"],
    ["memory", 1_000, "gb gig gigabyte"],
    ["memory", 1_000_000, "tb terabyte"],
    ["volume", 1, "ml milliliter"],
    ["volume", 10, "cl"],
    ["volume", 1_000, "l liter litre ltr"],
    ["mass", 0.001, "mg"],
    ["mass", 1, "g gr gramm gram"],
    ["mass", 1_000, "kg kilo kilogramm"],
    ["mass", 453.6, "lb lbs"],
    ["mass", 28.35, "oz"],
    ["length", 1, "mm millimeter"],
    ["length", 10, "cm zentimeter"],
    ["length", 1_000, "m meter metre mtr"],
    ["length", 25.4, "zoll inch inches pulgadas"],
    ["length", 304.8, "ft feet foot"],
    ["power", 1, "w watt watts"],
    ["power", 1_000, "kw"],
    ["voltage", 1, "v volt"],
    ["charge", 1, "mah"],
    ["charge", 1_000, "ah"],
    ["frequency", 1, "mhz"],
    ["frequency", 1_000, "ghz"],
    ["pixels", 1, "mp megapixel megapixels mpix"],
    ["pressure", 1, "bar atm"],
    ["bits", 1, "bit"],
    ["seats", 1, "user users nutzer benutzer gerat gerate devices lizenz lizenzen"],
    ["sheets", 1, "blatt seiten pages sheets"],
    [
      "pieces",
      1,
      "stuck stk st pcs pieces piece pc count ct kapseln tabletten tabs beutel teile teilen",
    ],
    ["pieces", 1, "dosen pads rollen caps"],
  ] as const).flatMap(([dimension, size, words]) =>
    words.split(" ").map((word): [string, Unit] => [word, { dimension, size, isGlued: false }])
  ),
);

const GLUED: ReadonlyMap<string, Unit> = new Map([
  ["p", { dimension: "lines", size: 1, isGlued: true }],
  ["x", { dimension: "times", size: 1, isGlued: true }],
]);

export function unitOf(word: string, isGlued: boolean): Unit | null {
  return UNITS.get(word) ?? (isGlued ? GLUED.get(word) : undefined) ?? null;
}

/** Two measures are equal if they differ by at most 2 %, like 55 inches and 139 cm. */
const TOLERANCE = 0.02;

/** `one` and `other` must be in the same base unit. */
export function areOneMeasure(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE * Math.max(one, other);
}

/** An atom is a sequence of letters, or a number with its dots and commas. */
export interface Atom {
  readonly isWord: boolean;
  readonly text: string;
  /** For letters, the result of `foldWord`; for a number, its digits. */
  readonly word: string;
  readonly digits: string | null;
  readonly value: number;
  /** The separator before the atom; a separator that is not listed counts as a blank. */
  readonly glue: "" | "-" | "/" | "." | "_" | " ";
}

const LETTER = /\p{L}/u;

export function atomsOf(text: string): Atom[] {
  const folded = foldTitle(text);
  const atoms: Atom[] = [];
  let end = -1;
  for (let at = 0; at < folded.length && atoms.length < 120;) {
    const kind = kindAt(folded, at);
    if (kind === "other") {
      // A double quote after a number means inches.
      if (folded[at] === '"' && end === at && atoms.at(-1)?.isWord === false) {
        atoms.push(wordAtom("zoll", ""));
        end = at + 1;
      }
      at += 1;
      continue;
    }
    let to = at + 1;
    while (to < folded.length && to - at < 60 && continues(folded, to, kind)) to += 1;
    const glue = glueOf(folded, end, at);
    const run = folded.slice(at, to);
    const isGenitive = run === "s" && at > 0 && /['’]/.test(folded[at - 1] ?? "");
    if (!isGenitive) atoms.push(kind === "letter" ? wordAtom(run, glue) : numberAtom(run, glue));
    at = to;
    end = to;
  }
  return atoms;
}

type Kind = "letter" | "digit" | "other";

function kindAt(text: string, at: number): Kind {
  const code = text.charCodeAt(at);
  if (code >= 97 && code <= 122) return "letter";
  if (code >= 48 && code <= 57) return "digit";
  return code >= 128 && LETTER.test(text[at] ?? "") ? "letter" : "other";
}

function continues(text: string, at: number, kind: Kind): boolean {
  const here = kindAt(text, at);
  if (here === kind) return true;
  const sign = text[at];
  return kind === "digit" && (sign === "." || sign === ",") && kindAt(text, at + 1) === "digit";
}

function glueOf(text: string, end: number, at: number): Atom["glue"] {
  if (end === at) return "";
  if (end < 0 || at - end !== 1) return " ";
  const sign = text[end];
  return sign === "-" || sign === "/" || sign === "." || sign === "_" ? sign : " ";
}

function wordAtom(text: string, glue: Atom["glue"]): Atom {
  return { isWord: true, text, word: foldWord(text), digits: null, value: 0, glue };
}

function numberAtom(text: string, glue: Atom["glue"]): Atom {
  const digits = text.replace(/[.,]/g, "");
  return { isWord: false, text, word: digits, digits, value: valueOf(text), glue };
}

/** Returns 2.5 for `2,5` and `2.5`, 7 for `7.0.2`, and 1299 for `1.299,00`. */
function valueOf(text: string): number {
  const last = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  if (last < 0) return Number(text);
  const version = /^(\d{1,2}\.\d{1,2})\./.exec(text)?.[1];
  if (version !== undefined) return Number(version);
  return Number(`${text.slice(0, last).replace(/[.,]/g, "")}.${text.slice(last + 1)}`);
}

/** `2.500 ml` means 2500 ml, but `2.500 l` means 2.5 l: small units never have three decimals. */
export function measuredValue({ text, value }: Atom, size: number): number {
  const isThousands = size <= 1 && /^\d{1,3}[.,]\d{3}$/.test(text);
  return size * (isThousands ? Number(text.replace(/[.,]/, "")) : value);
}

export function joinedOf(atoms: readonly Atom[]): string {
  let joined = "";
  for (const { digits, word } of atoms) joined += digits ?? word;
  return joined;
}

const NO_LETTER_OR_DIGIT = /[^\p{L}\p{N}]/gu;

export function partNumberKey(text: string): string | null {
  const key = foldTitle(text).replace(NO_LETTER_OR_DIGIT, "");
  const isTelling = key.length >= 4 && key.length <= 60 && /\d/.test(key);
  return isTelling ? key : null;
}

const LITTLE = new Set(
  "gmbh ag kg co se inc corp corporation company ltd llc the by and und international group".split(
    " ",
  ),
);

export function brandKey(text: string | null | undefined): string {
  const words = atomsOf(text ?? "").map(({ word }) => word);
  const distinctive = words.filter((word) => !LITTLE.has(word));
  return (distinctive.length > 0 ? distinctive : words).join(" ");
}

/** Compares brand keys: `bosch` equals `bosch professional`, and `pro mark` equals `promark`. */
export function areOneBrand(one: string, other: string): boolean {
  if (one === "" || other === "") return false;
  const [a, b] = [one.replaceAll(" ", ""), other.replaceAll(" ", "")];
  return a === b || `${one} `.startsWith(`${other} `) || `${other} `.startsWith(`${one} `);
}

export const COLOURS = placesOf([
  "schwarz schwarze schwarzer schwarzes black blk noir noire negro negra nero nera preto zwart czarny czarna nera",
  "weiß weiße weißer weißes white wht blanc blanche blanco blanca bianco bianca wit bialy biala",
  "rot rote roter rotes red rouge rojo roja rosso rossa rood czerwony czerwona",
  "blau blaue blauer blaues blue bleu azul blu blauw niebieski niebieska",
  "grün grüne grüner grünes green vert verde groen zielony",
  "gelb gelbe gelber gelbes yellow jaune amarillo giallo geel zolty",
  "orange naranja arancione oranje pomaranczowy",
  "grau graue grauer graues grey gray gris grigio grijs anthrazit anthracite szary",
  "silber silbern silberfarben silver argent plata plateado argento zilver srebrny",
  "gold golden goldfarben oro dorado zloty zlote",
  "braun braune brauner braunes brown marron marrone bruin",
  "rosa pink rose rosé fuchsia fuxia magenta rozowe rozowy",
  "lila violett purple violet morado viola purpur",
  "beige creme cream ivory elfenbein",
  "türkis turquoise cyan",
  "bronze kupfer copper",
  "navy marine dunkelblau granatowy",
  "bordeaux burgundy weinrot maroon",
  "oliv olive khaki",
]);

export const PACK_WORDS: ReadonlySet<string> = new Set(
  wordsOf(
    "pack packs pack. packung packungen set sets karton pk pck sparpack vorteilspack multipack",
  ),
);

export const PACK_COUNTS = meaningsOf({
  "doppelpack doppelpackung zweierpack twinpack duopack": 2,
  dreierpack: 3,
  viererpack: 4,
  "fünferpack": 5,
  "sechserpack sixpack": 6,
  achterpack: 8,
  zehnerpack: 10,
});

/** Words that mean a pack only if they directly follow a number, as in `3er-Set`. */
export const SET_WORDS: ReadonlySet<string> = new Set(wordsOf("set sets karton"));

export const SIZE_WORDS: ReadonlySet<string> = new Set(
  wordsOf("gr größe size sz eu eur uk us talla taille"),
);

/** Clothing sizes: `SIZES` are recognised alone, `SHORT_SIZES` only with a word such as `size`. */
export const SIZES: ReadonlySet<string> = new Set(wordsOf("xs xl xxl xxxl xxs 2xl 3xl 4xl 5xl"));
export const SHORT_SIZES: ReadonlySet<string> = new Set(wordsOf("s m l"));

export function wordsOf(text: string): string[] {
  return foldTitle(text).split(/\s+/).map(foldWord);
}

export function meaningsOf(lists: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(lists).flatMap(([list, meaning]) =>
      wordsOf(list).map((word): [string, number] => [word, meaning])
    ),
  );
}

export function placesOf(lists: readonly string[]): ReadonlyMap<string, number> {
  return meaningsOf(Object.fromEntries(lists.map((list, at) => [list, at])));
}
