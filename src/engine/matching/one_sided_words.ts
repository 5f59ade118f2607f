/**
 * Words that make an article another one where the title of one side alone has them: sets, spare parts,
 * used pieces, steps of a line, sides, generations and packs, in German and English.
 */
import type { HardKind } from "./identity_codes.ts";
import type { HardWord } from "./hard_words.ts";

const ACCESSORIES =
  "(?:akkus?|batter(?:y|ies|ie|ien)|ladegerät\\p{L}*|lader|charger|koffer|l-?boxx|tasche|bag|hülle|case|" +
  "cover|stativ|tripod|objektiv|lens|speicherkarte|sd-?karte|memory card|netzteil|kabel|cable|" +
  "controller|spiel|game|dock\\p{L}*|halterung|zubehör\\p{L}*|set|tastatur|maus|kopfhörer|filter\\p{L}*|" +
  "stift|pen|pencil|fernbedienung|ersatz\\p{L}*|bohrer\\p{L}*|sägeblätter|bits?|aufsätze|schutz\\p{L}*)";

const WORDS: readonly (readonly [HardKind, string])[] = [
  [
    "pack",
    "bundle|kit|combo|paket|starter-?set|im set|set mit|set inkl\\p{L}*|vorteilsset|\\p{L}{3,}-set",
  ],
  [
    "pack",
    `(?:inkl(?:usive)?|incl(?:uding)?|mit|with|samt)\\.? (?:[\\p{L}\\d,.-]{1,20} ){0,5}${ACCESSORIES}`,
  ],
  [
    "pack",
    "\\d{1,3} ?(?:er|fach)-?(?:set|pack\\p{L}*)|\\d{1,3} ?(?:stück|stk|st\\.|pcs|pieces)|doppelpack",
  ],
  [
    "accessory",
    "ersatz\\p{L}*|ersatzteil\\p{L}*|spare part|replacement|passend (?:für|zu)|" +
    "(?:geeignet|kompatibel|compatible|suitable) (?:für|mit|with|for)|kompatibel\\p{L}*|compatible|zubehör\\p{L}*|" +
    "\\p{L}*hülle|schutz(?:folie|glas|hülle)|displayschutz\\p{L}*|panzerglas",
  ],
  [
    "condition",
    "ausstellungsstück\\p{L}*|ausstellungsgerät\\p{L}*|vorführ\\p{L}*|demo(?:gerät|ware)|generalüberholt\\p{L}*|" +
    "gebraucht\\p{L}*|b-?ware|b-?stock|refurbished|renewed|open box|rückläufer|retoure|display model",
  ],
  [
    "edition",
    "mini(?![- ]?(?:usb|hdmi|display|jack|sd))|pro|max|plus|ultra(?![- ]?(?:short|hd|wide|slim|thin))|lite|se",
  ],
  ["model", "links|linke[rs]?|left"],
  ["model", "rechts|rechte[rs]?|right"],
  ["series", "ii|iii|iv|vi|vii|viii"],
  [
    "series",
    "(?:\\d{1,2}\\.? ?(?:gen(?:eration)?|gen\\.)|(?:gen(?:eration)?) ?\\d{1,2}|mark \\d|mk ?\\d)",
  ],
];

const PLUS = /\s\+\s?[\p{L}\d][\p{L}\d.,-]+/u;

const PATTERNS = WORDS.map(([kind, words]) => ({
  kind,
  pattern: new RegExp(`(?<![\\p{L}\\d])(?:${words})(?![\\p{L}\\d])`, "iu"),
}));

const CHARACTERS_MAX = 300;

/** The words of each kind that one of two titles has; each kind once. */
export function oneSidedWords(ourTitle: string, theirTitle: string): readonly HardWord[] {
  const [ours, theirs] = [ourTitle, theirTitle].map((title) => title.slice(0, CHARACTERS_MAX));
  if (ours === undefined || theirs === undefined) return [];
  const found = PATTERNS.flatMap(({ kind, pattern }) =>
    apart(kind, pattern.exec(ours)?.[0], pattern.exec(theirs)?.[0])
  );
  return [...found, ...apart("pack", PLUS.exec(ours)?.[0], PLUS.exec(theirs)?.[0])];
}

function apart(kind: HardKind, ours: string | undefined, theirs: string | undefined): HardWord[] {
  if ((ours === undefined) === (theirs === undefined)) return [];
  return [{ kind, ours: ours?.trim() ?? null, theirs: theirs?.trim() ?? null }];
}
