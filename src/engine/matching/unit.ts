/** Units that titles measure in. */

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
  /** How many base units of the dimension it is. */
  readonly size: number;
  /** Only where the number touches it: `720p`. */
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
    ["pieces", 1, "stuck stk st pcs pieces piece pc count ct kapseln tabletten tabs beutel"],
    ["pieces", 1, "dosen pads rollen caps"],
  ] as const).flatMap(([dimension, size, words]) =>
    words.split(" ").map((word): [string, Unit] => [word, { dimension, size, isGlued: false }])
  ),
);

const GLUED: ReadonlyMap<string, Unit> = new Map([
  ["p", { dimension: "lines", size: 1, isGlued: true }],
  ["x", { dimension: "times", size: 1, isGlued: true }],
]);

/** The unit that a word is behind a number; null for other words. Takes a folded word. */
export function unitOf(word: string, isGlued: boolean): Unit | null {
  return UNITS.get(word) ?? (isGlued ? GLUED.get(word) : undefined) ?? null;
}

/** Within this share two measures are one: 55 inches and 139 cm. */
const TOLERANCE = 0.02;

/** True for two numbers of base units that mean the same measure. */
export function areOneMeasure(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE * Math.max(one, other);
}
