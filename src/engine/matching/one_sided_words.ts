/**
 * Words that make an article another one where the title of one side alone has them: sets, spare parts,
 * used pieces, steps of a line, sides, generations and packs, in German and English. What a title adds to
 * the whole of the other one, a word before it or `mit …` right behind it, is a doubt as well.
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
    `(?:inkl(?:usive)?|incl(?:uding)?|mit|with|samt)\\.? (?:[\\p{L}\\d,./-]{1,20} ){0,5}${ACCESSORIES}`,
  ],
  [
    "pack",
    "\\d{1,3} ?(?:er|fach)-?(?:set|pack\\p{L}*)|\\d{1,3} ?(?:stück|stk|st\\.|pcs|pieces)|doppelpack",
  ],
  ["pack", "nachfüll\\p{L}*|refill"],
  [
    "accessory",
    "ersatz\\p{L}*|ersatzteil\\p{L}*|spare part|replacement|passend (?:für|zu)|" +
    "(?:geeignet|kompatibel|compatible|suitable) (?:für|mit|with|for)|kompatibel\\p{L}*|compatible|zubehör\\p{L}*|" +
    "\\p{L}*hülle|schutz(?:folie|glas|hülle)|displayschutz\\p{L}*|panzerglas",
  ],
  [
    "condition",
    "ausstellungsstück\\p{L}*|ausstellungsgerät\\p{L}*|vorführ\\p{L}*|demo(?:gerät|ware)|generalüberholt\\p{L}*|" +
    "neuwertig\\p{L}*|geöffnete\\p{L}*|(?:2\\.|ii\\.|zweite) wahl|\\p{L}*schaden|beschädigt\\p{L}*|kratzer|mängel\\p{L}*|" +
    "gebraucht\\p{L}*|b-?ware|b-?stock|refurbished|renewed|open box|rückläufer|retoure|display model",
  ],
  [
    "edition",
    "mini(?![- ]?(?:usb|hdmi|display|jack|sd))|pro|max|(?<!dect [\\d.]{1,4} )plus|ultra(?![- ]?(?:short|hd|wide|slim|thin|compact))|lite|se",
  ],
  ["model", "links|linke[rs]?|left|(?:für )?linkshänder"],
  ["model", "rechts|rechte[rs]?|right(?![- ]angle)"],
  ["series", "(?<!sata )(?:ii|iii|iv|vi|vii|viii)"],
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

/** Modules of memory are sold as kits, whether a title says so or not. */
const MODULES = /\d ?x ?\d+ ?gb|(?:dual|quad)[- ]channel|dimm/i;
const ROMAN = ["ii", "iii", "iv", "vi", "vii", "viii"];
const ROMAN_NUMBERS = ["2", "3", "4", "6", "7", "8"];

/**
 * The words of each kind that one of two titles has; each kind once. Words of a brand are its name: `Tripp
 * Lite`.
 */
export function oneSidedWords(
  ourTitle: string,
  theirTitle: string,
  brands: readonly (string | null)[] = [],
): readonly HardWord[] {
  const names = brands.flatMap((brand) => tokensOf(brand ?? ""));
  const [ours, theirs] = [ourTitle, theirTitle].map((title) => title.slice(0, CHARACTERS_MAX));
  if (ours === undefined || theirs === undefined) return [];
  const isMemory = MODULES.test(ours) || MODULES.test(theirs);
  const found = PATTERNS.flatMap(({ kind, pattern }) => {
    const [our, their] = [pattern.exec(ours)?.[0], pattern.exec(theirs)?.[0]];
    const word = (our ?? their ?? "").toLowerCase();
    const isNone = names.includes(word) || (isMemory && word === "kit") ||
      isSaidOtherwise(word, our === undefined ? [theirs, ours] : [ours, theirs]);
    return isNone ? [] : apart(kind, our, their);
  });
  return [...found, ...apart("pack", PLUS.exec(ours)?.[0], PLUS.exec(theirs)?.[0])];
}

/** Differences that only a person can judge, where the numbers are the same. */
export function doubtfulWords(
  ourTitle: string,
  theirTitle: string,
  brands: readonly (string | null)[],
): readonly HardWord[] {
  const [ours, theirs] = [ourTitle, theirTitle].map((title) => title.slice(0, CHARACTERS_MAX));
  if (ours === undefined || theirs === undefined) return [];
  const names = brands.flatMap((brand) => tokensOf(brand ?? ""));
  const more = [
    { added: addedTo(ours, theirs, names), isTheirs: true },
    { added: addedTo(theirs, ours, names), isTheirs: false },
  ].flatMap(({ added, isTheirs }): HardWord[] => {
    // Our own title begins with its brand more often than with a part for another article.
    if (added === null || (!isTheirs && added.kind === "accessory")) return [];
    const { kind, words } = added;
    return [{ kind, ours: isTheirs ? null : words, theirs: isTheirs ? words : null }];
  });
  return [
    ...more,
    ...shortWordsApart(ours, theirs),
    ...apart("edition", DRIVE.exec(ours)?.[0], DRIVE.exec(theirs)?.[0]),
  ];
}

/** Watches and calculators are called so as often as not. */
const DRIVE = /(?<![\p{L}\d])solar(?![\p{L}\d])/iu;

/** `Warlords 3` for `Warlords III`, `ProFit` for `Pro Fit`, `Professional` for `Pro`. */
function isSaidOtherwise(word: string, [title, other]: readonly [string, string]): boolean {
  const [words, others] = [tokensOf(title), tokensOf(other)];
  const next = words[words.indexOf(word) + 1];
  const names = [ROMAN_NUMBERS[ROMAN.indexOf(word)] ?? "", `${word}${next}`];
  if (word === "pro") names.push("professional");
  return names.some((name) => others.includes(name));
}

const LINKING = new Set("mit für inkl ohne zu with for without incl".split(" "));
const LEADING_MAX = 2;
const WHOLE_MIN = 2;
const LITTLE = new Set("neu new original the der die das".split(" "));

/** What a title says besides the whole of the other one: `Abdeckhaube Weber Spirit E-325`. */
function addedTo(
  whole: string,
  longer: string,
  names: readonly string[],
): { readonly kind: HardKind; readonly words: string } | null {
  const [part, all] = [tokensOf(whole), tokensOf(longer)];
  if (part.length < WHOLE_MIN || all.length <= part.length) return null;
  const at = all.findIndex((_, n) => part.every((word, k) => all[n + k] === word));
  if (at === -1) return null;
  const lead = all.slice(0, at).filter((word) => !LITTLE.has(word) && !names.includes(word));
  if (lead.length > 0 && lead.length <= LEADING_MAX) {
    return { kind: "accessory", words: lead.join(" ") };
  }
  const rest = all.slice(at + part.length);
  return LINKING.has(rest[0] ?? "") ? { kind: "pack", words: rest.slice(0, 4).join(" ") } : null;
}

const SHORT = /^[A-Z\d]{1,3}$/;

/** `FX-991DE X` and `FX-991DE CW`: behind one word, each has a short one that the other lacks. */
function shortWordsApart(ours: string, theirs: string): HardWord[] {
  const [our, their] = [ours, theirs].map((title) => title.split(/[^\p{L}\d]+/u));
  if (our === undefined || their === undefined) return [];
  for (const [n, word] of our.entries()) {
    const next = our[n + 1] ?? "";
    if (word.length < WHOLE_MIN || !SHORT.test(next) || their.includes(next)) continue;
    const other = their[their.findIndex((one) => one.toLowerCase() === word.toLowerCase()) + 1];
    if (other !== undefined && their.length > 1 && SHORT.test(other) && !our.includes(other)) {
      if (their[their.indexOf(other) - 1]?.toLowerCase() === word.toLowerCase()) {
        return [{ kind: "model", ours: next, theirs: other }];
      }
    }
  }
  return [];
}

function tokensOf(title: string): readonly string[] {
  return title.toLowerCase().split(/[^\p{L}\d]+/u).filter((word) => word !== "");
}

function apart(kind: HardKind, ours: string | undefined, theirs: string | undefined): HardWord[] {
  if ((ours === undefined) === (theirs === undefined)) return [];
  return [{ kind, ours: ours?.trim() ?? null, theirs: theirs?.trim() ?? null }];
}
