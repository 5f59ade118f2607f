/**
 * Finds differences between two titles which suggest that the titles name different articles. A
 * word such as `set` in only one title outweighs equal article numbers, because shops also give the
 * main article's number to sets, spare parts and samples.
 */
import type { HardKind } from "./identity_codes.ts";
import { areOneMeasure } from "../../base/title_atoms.ts";
import type { TitleFacts } from "./title_facts.ts";
import { EDITION_BITS, ROMAN, type Vocabulary } from "./word_lists.ts";

export interface HardWord {
  readonly kind: HardKind;
  readonly ours: string | null;
  readonly theirs: string | null;
}

const STANDARD_CODE = /^(?:ddr|pc\d|sata|usb|lga|hdmi|80211|\d+rpm|\d+x\d)/;
const CODE_PREFIX_CHARS_MIN = 4;

export function hardWords(ours: TitleFacts, theirs: TitleFacts, vocabulary: Vocabulary) {
  const found: HardWord[] = [];
  const say = (kind: HardKind, difference: Difference | null) => {
    if (difference !== null) found.push({ kind, ours: difference[0], theirs: difference[1] });
  };
  say("quantity", quantitiesApart(ours, theirs));
  say("pack", packsApart(ours, theirs));
  say("size", sizesApart(ours, theirs));
  say("gender", gendersApart(ours, theirs));
  say("colour", coloursApart(ours, theirs) === 1 ? [coloursOf(ours), coloursOf(theirs)] : null);
  say("edition", editionsApart(ours, theirs));
  say("series", compareSeries(ours, theirs).difference);
  say("model", modelsApart(ours, theirs, vocabulary));
  say("accessory", accessoriesApart(ours, theirs));
  const isOneUsed = (ours.usedWord === null) !== (theirs.usedWord === null);
  say("condition", isOneUsed ? [ours.usedWord, theirs.usedWord] : null);
  return found;
}

type Difference = readonly [string | null, string | null];

export function accessoriesApart(ours: TitleFacts, theirs: TitleFacts): Difference | null {
  const [our, their] = [ours.accessory, theirs.accessory];
  const isApart = (our === null) !== (their === null) && (our ?? their)?.meaning === "for";
  return isApart ? [our?.text ?? null, their?.text ?? null] : null;
}

export function compareQuantities({ quantities: ours }: TitleFacts, other: TitleFacts) {
  const theirs = other.quantities;
  if (ours.length === 0 || theirs.length === 0) return { agreeing: 0, apart: 0 };
  const lacking = ours.filter((one) => !hasMeasure(theirs, one));
  const lackingThere = theirs.filter((one) => !hasMeasure(ours, one));
  const apart = new Set(
    lacking.map(({ dimension }) => dimension)
      .filter((dimension) => lackingThere.some((other) => other.dimension === dimension)),
  );
  const agreeing = Math.min(ours.length - lacking.length, theirs.length - lackingThere.length);
  return { agreeing, apart: apart.size };
}

type Measures = TitleFacts["quantities"];

function hasMeasure(measures: Measures, { dimension, value }: Measures[number]): boolean {
  return measures.some((one) => one.dimension === dimension && areOneMeasure(one.value, value));
}

function quantitiesApart(ours: TitleFacts, theirs: TitleFacts): Difference | null {
  for (const one of ours.quantities) {
    if (one.dimension === "pieces" || hasMeasure(theirs.quantities, one)) continue;
    const other = theirs.quantities.find((their) =>
      their.dimension === one.dimension && !hasMeasure(ours.quantities, their)
    );
    if (other) return [one.text, other.text];
  }
  return null;
}

export function packsApart(ours: TitleFacts, theirs: TitleFacts): Difference | null {
  const [our, their] = [piecesIn(ours), piecesIn(theirs)];
  if (our.isPack || their.isPack || (our.text !== null && their.text !== null)) {
    return our.pieces === their.pieces ? null : [our.text, their.text];
  }
  return null;
}

function piecesIn({ pack, quantities }: TitleFacts) {
  if (pack !== null) return { pieces: pack.meaning, text: pack.text, isPack: pack.meaning > 1 };
  const counted = quantities.find(({ dimension }) => dimension === "pieces");
  return { pieces: counted?.value ?? 1, text: counted?.text ?? null, isPack: false };
}

function sizesApart({ sizes: ours }: TitleFacts, { sizes: theirs }: TitleFacts): Difference | null {
  if (ours.length === 0 || theirs.length === 0) return null;
  return ours.some((size) => theirs.includes(size)) ? null : [ours.join(" "), theirs.join(" ")];
}

export function gendersApart(ours: TitleFacts, theirs: TitleFacts): Difference | null {
  const [our, their] = [ours.genders, theirs.genders];
  if (our === null || their === null) return null;
  return (our.meaning & their.meaning) === 0 ? [our.text, their.text] : null;
}

export function coloursApart({ colours: ours }: TitleFacts, other: TitleFacts): number {
  const theirs = other.colours;
  if (ours.length === 0 || theirs.length === 0) return 0;
  const isIn = (list: TitleFacts["colours"], colour: number) =>
    list.some(({ meaning }) => meaning === colour);
  const common = ours.filter(({ meaning }) => isIn(theirs, meaning)).length;
  if (common === 0) return 1;
  const isAll = common === ours.length && theirs.every(({ meaning }) => isIn(ours, meaning));
  return isAll ? 0 : 0.5;
}

function coloursOf({ colours }: TitleFacts): string {
  return colours.map(({ text }) => text).join(" ");
}

const TWO_SIDED = [
  EDITION_BITS.mac | EDITION_BITS.windows,
  EDITION_BITS.single | EDITION_BITS.family,
] as const;
const ONE_SIDED = EDITION_BITS.upgrade | EDITION_BITS.education;

function editionsApart(ours: TitleFacts, theirs: TitleFacts): Difference | null {
  const [our, their] = [ours.editions?.meaning ?? 0, theirs.editions?.meaning ?? 0];
  const isApart = ((our ^ their) & ONE_SIDED) !== 0 || isOtherChoice(our, their);
  if (isApart) return [ours.editions?.text ?? null, theirs.editions?.text ?? null];
  if (tiersApart(ours, theirs)) return [ours.tiers?.text ?? null, theirs.tiers?.text ?? null];
  return null;
}

function isOtherChoice(our: number, their: number): boolean {
  return TWO_SIDED.some((choice) =>
    (our & choice) !== 0 && (their & choice) !== 0 && (our & their & choice) === 0
  );
}

export function isEditionApart(ours: TitleFacts, theirs: TitleFacts, bit: number): boolean {
  return (((ours.editions?.meaning ?? 0) ^ (theirs.editions?.meaning ?? 0)) & bit) !== 0;
}

export function areOtherPlatforms(ours: TitleFacts, theirs: TitleFacts): boolean {
  return isOtherChoice(ours.editions?.meaning ?? 0, theirs.editions?.meaning ?? 0);
}

export function tiersApart({ tiers: ours }: TitleFacts, { tiers: theirs }: TitleFacts): boolean {
  return ours !== null && theirs !== null && (ours.meaning & theirs.meaning) === 0;
}

export function compareSeries({ series: ours }: TitleFacts, other: TitleFacts) {
  const differences: Difference[] = [];
  const seen = new Set<number>();
  for (const { meaning: { word }, text } of ours) {
    if (seen.has(word)) continue;
    seen.add(word);
    const theirs = other.series.filter(({ meaning }) => meaning.word === word);
    const [first] = theirs;
    const agrees = ours.some(({ meaning }) =>
      meaning.word === word && theirs.some((their) => their.meaning.number === meaning.number)
    );
    if (first && !agrees) differences.push([text, first.text]);
  }
  return { apart: differences.length, difference: differences[0] ?? null };
}

export function areOneCode(one: string, other: string): boolean {
  return one === other || isCodePrefix(one, other);
}

export function isCodePrefix(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= CODE_PREFIX_CHARS_MIN && short.length < long.length &&
    long.startsWith(short);
}

export function strangeCodes(one: TitleFacts, other: TitleFacts, vocabulary: Vocabulary): number[] {
  return one.codes.filter((number) => {
    const code = vocabulary.wordOf(number);
    return code.length >= 6 && !other.joined.includes(code) &&
      !other.codes.some((their) => areOneCode(vocabulary.wordOf(their), code));
  });
}

function modelsApart(
  ours: TitleFacts,
  theirs: TitleFacts,
  vocabulary: Vocabulary,
): Difference | null {
  const isStandard = (code: number) => STANDARD_CODE.test(vocabulary.wordOf(code));
  const our = strangeCodes(ours, theirs, vocabulary).find((code) => !isStandard(code));
  const their = strangeCodes(theirs, ours, vocabulary).find((code) => !isStandard(code));
  if (our === undefined || their === undefined) return null;
  return [vocabulary.wordOf(our), vocabulary.wordOf(their)];
}

const ACCESSORIES =
  "(?:akkus?|batter(?:y|ies|ie|ien)|ladegerät\\p{L}*|lader|charger|koffer|l-?boxx|tasche|bag|hülle|case|" +
  "cover|stativ|tripod|objektiv|lens|speicherkarte|sd-?karte|memory card|netzteil|kabel|cable|" +
  "controller|spiel|game|dock\\p{L}*|halterung|zubehör\\p{L}*|set|tastatur|maus|kopfhörer|filter\\p{L}*|" +
  "stift|pen|pencil|fernbedienung|führungsschiene\\p{L}*|ersatz\\p{L}*|bohrer\\p{L}*|sägeblätter|bits?|aufsätze|schutz\\p{L}*)";

const WORDS: readonly (readonly [HardKind, string])[] = [
  [
    "pack",
    "bundle|kit|combo|\\p{L}*paket|starter-?set|im set|set mit|set inkl\\p{L}*|vorteilsset|\\p{L}{3,}-set",
  ],
  [
    "pack",
    `(?:inkl(?:usive)?|incl(?:uding)?|mit|with|samt)\\.? (?:[\\p{L}\\d,./-]{1,20} ){0,5}${ACCESSORIES}`,
  ],
  [
    "pack",
    "\\d{1,3} ?(?:er|fach)-?(?:set|pack\\p{L}*)|\\d{1,3} ?(?:stück|stk|st\\.|pcs|pieces)|doppelpack|" +
    "\\d{1,3} (?:flaschen|dosen|beutel|rollen|kartons) (?:à|je|x)",
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
  [
    "accessory",
    "(?:hand)?muster(?:stück)?|musteranstrich|farbtonkarte|sample|bauanleitung|kalibrier\\p{L}*|" +
    "garantieverlängerung|abdeckhaube\\p{L}*|sitzkissen|zwischenbausatz|(?:tages|wochen)?miete[n]?|leihgerät|verleih",
  ],
  ["edition", "hörbuch\\p{L}*|audio-?cds?|mp3-?cd|e-?book|großdruck\\p{L}*"],
  ["edition", "entkoffeiniert\\p{L}*|koffeinfrei\\p{L}*|alkoholfrei\\p{L}*|decaf"],
  ["series", "nachfolge\\p{L}*|successor"],
  ["model", "vorderachse|vorderrad"],
  ["model", "hinterachse|hinterrad"],
  // The word `lo` distinguishes `Renegade GTX Lo` from `Renegade GTX Mid`.
  ["model", "lo"],
  ["model", "links|linke[rs]?|left|(?:für )?linkshänder"],
  ["model", "rechts|rechte[rs]?|right(?![- ]angle)"],
  ["series", "(?<!sata )(?:ii|iii|iv|vi|vii|viii)"],
  [
    "series",
    "(?:\\d{1,2}\\.? ?(?:gen(?:eration)?|gen\\.)|(?:gen(?:eration)?) ?\\d{1,2}|\\d{1,2}\\. ?aufl(?:age|\\.)|mark \\d|mk ?\\d)",
  ],
];

const PLUS = /\s\+\s?[\p{L}\d][\p{L}\d.,-]+/u;

const PATTERNS = WORDS.map(([kind, words]) => ({
  kind,
  pattern: new RegExp(`(?<![\\p{L}\\d])(?:${words})(?![\\p{L}\\d])`, "iu"),
}));

const CHARACTERS_MAX = 300;
const MEMORY_MODULES = /\d ?x ?\d+ ?gb|(?:dual|quad)[- ]channel|dimm/i;
/** `solar` in only one title is a `light` difference (`wordsApart`): watch titles often omit it. */
const DRIVE = /(?<![\p{L}\d])solar(?![\p{L}\d])/iu;
const SHORT = /^[A-Z\d]{1,3}$/;
const LINKING = new Set("mit für inkl ohne zu with for without incl".split(" "));
const LITTLE = new Set("neu new original the der die das".split(" "));

/**
 * `hard` differences change the verdicts `same` and `probably` to `unknown`; `light` differences
 * change `same` to `probably`.
 */
export function wordsApart(
  [ourTitle, theirTitle]: readonly [string, string],
  brands: readonly (string | null)[],
): { readonly hard: readonly HardWord[]; readonly light: readonly HardWord[] } {
  const [ours, theirs] = [ourTitle.slice(0, CHARACTERS_MAX), theirTitle.slice(0, CHARACTERS_MAX)];
  const [our, their] = [tokensOf(ours), tokensOf(theirs)];
  const names = brands.flatMap((brand) => lowerOf(tokensOf(brand ?? "")));
  const isMemory = MEMORY_MODULES.test(ours) || MEMORY_MODULES.test(theirs);
  const hard = PATTERNS.flatMap(({ kind, pattern }) => {
    const [one, other] = [pattern.exec(ours)?.[0], pattern.exec(theirs)?.[0]];
    const word = (one ?? other ?? "").toLowerCase();
    const isNone = names.includes(word) || (isMemory && word === "kit") ||
      hasOtherForm(word, one === undefined ? [their, our] : [our, their]);
    return isNone ? [] : apart(kind, one, other, kind === "series");
  });
  const [more, less] = [addedTo(our, their, names), addedTo(their, our, names)];
  const made = apart("accessory", madeFor(their, our, names), madeFor(our, their, names));
  const light = [
    ...apart("accessory", undefined, more.lead),
    ...apart("pack", less.tail, more.tail),
    ...shortWordsApart(our, their),
    ...apart("edition", DRIVE.exec(ours)?.[0], DRIVE.exec(theirs)?.[0]),
  ];
  const plus = apart("pack", PLUS.exec(ours)?.[0], PLUS.exec(theirs)?.[0]);
  return { hard: [...hard, ...plus, ...made], light: [...light, ...codesApart(our, their)] };
}

type Words = readonly string[];

function madeFor(other: Words, title: Words, names: Words): string | undefined {
  const words = lowerOf(title);
  const at = words.findIndex((word, n) => n > 0 && MADE_FOR.has(word));
  if (at === -1) return undefined;
  const [brand] = lowerOf(other);
  const shared = lowerOf(other).filter((word) =>
    words.includes(word) && word !== brand && !names.includes(word) && !LITTLE.has(word)
  );
  const areAfter = shared.every((word) =>
    words.indexOf(word) > at || word.length < 3 || /^\d{3}$/.test(word)
  );
  const isTelling = shared.length >= 2 || shared.some((word) => CODE.test(word));
  return areAfter && isTelling ? title.slice(at, at + 4).join(" ") : undefined;
}

const MADE_FOR = new Set("für fuer for zu zum zur pour per".split(" "));
/** Years, and measures such as `18v`, are not article codes. */
const CODE =
  /^(?=.*\d)(?!(?:19|20)\d\d$|\d+(?:mm|cm|m|km|g|kg|mg|l|ml|cl|v|w|kw|ah|mah|[gtm]b|[gm]?hz|qm|stk?|er|fach|in|zoll|watt|volt|teile?n?|teilig|bar|db|lm)$)(?:.*\p{L}|\d{4,}$)/u;

function codesApart(our: Words, their: Words): readonly HardWord[] {
  const [ours, theirs] = [our, their].map((words) =>
    lowerOf(words).filter((word) => CODE.test(word) && !STANDARD_CODE.test(word))
  );
  const [first] = ours ?? [];
  const [other] = theirs ?? [];
  if (first === undefined || other === undefined) return [];
  const [one, two] = [lowerOf(our).join(""), lowerOf(their).join("")];
  const isShared = ours?.some((code) => two.includes(code.slice(0, 4))) ||
    theirs?.some((code) => one.includes(code.slice(0, 4)));
  return isShared ? [] : [{ kind: "model", ours: first, theirs: other }];
}

function hasOtherForm(word: string, sides: readonly Words[]): boolean {
  const [words = [], others = []] = sides.map(lowerOf);
  const glued = `${word}${words[words.indexOf(word) + 1]}`;
  const names = [String(ROMAN.get(word) ?? glued), glued, word === "pro" ? "professional" : glued];
  return names.some((name) => others.includes(name));
}

function addedTo(whole: Words, longer: Words, names: Words) {
  const [part, all] = [lowerOf(whole), lowerOf(longer)];
  const at = all.findIndex((_, n) => part.every((word, k) => all[n + k] === word));
  if (part.length < 2 || at === -1) return {};
  const lead = all.slice(0, at).filter((word) => !LITTLE.has(word) && !names.includes(word));
  const tail = all.slice(at + part.length);
  return {
    ...(lead.length > 0 && lead.length <= 2 && { lead: lead.join(" ") }),
    ...(LINKING.has(tail[0] ?? "") && { tail: tail.slice(0, 4).join(" ") }),
  };
}

/**
 * Finds different short words after a shared word, such as `X` and `CW` in `FX-991DE X` and
 * `FX-991DE CW`.
 */
function shortWordsApart(our: Words, their: Words): readonly HardWord[] {
  const [before, beforeThere] = [lowerOf(our), lowerOf(their)];
  for (const [n, word] of our.entries()) {
    if (n === 0 || !SHORT.test(word) || their.includes(word)) continue;
    const other = their.find((one, at) =>
      at > 0 && beforeThere[at - 1] === before[n - 1] && SHORT.test(one) && !our.includes(one)
    );
    if (other !== undefined) return [{ kind: "model", ours: word, theirs: other }];
  }
  return [];
}

function tokensOf(title: string): Words {
  return title.match(/[\p{L}\d]+/gu) ?? [];
}

function lowerOf(words: Words): Words {
  return words.map((word) => word.toLowerCase());
}

function apart(
  kind: HardKind,
  ours: string | undefined,
  theirs: string | undefined,
  isNumbered = false,
): HardWord[] {
  const digitsOf = (words: string | undefined) => words?.replace(/\D/g, "");
  const isOne = (ours === undefined) !== (theirs === undefined);
  const isOther = isNumbered && digitsOf(ours) !== digitsOf(theirs);
  return isOne || isOther
    ? [{ kind, ours: ours?.trim() ?? null, theirs: theirs?.trim() ?? null }]
    : [];
}
