/** Words for colours, packs and sizes in titles, in several languages. */

import { foldTitle, foldWord } from "./title_atoms.ts";

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

/** Words that mean a pack only directly after a number: `3er-Set`. */
export const SET_WORDS: ReadonlySet<string> = new Set(wordsOf("set sets karton"));

export const SIZE_WORDS: ReadonlySet<string> = new Set(
  wordsOf("gr größe size sz eu eur uk us talla taille"),
);

/** Sizes that have no other meaning, unlike the letters in `SHORT_SIZES`. */
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

/** Maps each word to the index of its list. Words of a list are synonyms. */
export function placesOf(lists: readonly string[]): ReadonlyMap<string, number> {
  return meaningsOf(Object.fromEntries(lists.map((list, at) => [list, at])));
}
