/**
 * An element of a parsed page, its shown text, and its meanings, such as `price` or `old`. Meanings
 * are read from the class, the id, test ids and `itemprop`. Style sheets are read only to find text
 * that is struck through.
 */

export interface HtmlElement {
  readonly name: string;
  readonly attribs: Readonly<Record<string, string>>;
  readonly children: HtmlNode[];
  /** Only the document, which is the root of the tree, has no parent. */
  readonly parent: HtmlElement | null;
  meanings?: Meanings;
}

export type HtmlNode = HtmlElement | string;

const NOT_SHOWN: ReadonlySet<string> = new Set(["script", "style", "template", "noscript"]);
const BREAKS: ReadonlySet<string> = new Set(
  "br div p li ul ol td th tr table dd dt dl section article h1 h2 h3 h4 h5 h6".split(" "),
);
const CENTS_CLASS = /cent|decimal|fraction/i;
const END_CHARACTERS = 4;

/**
 * Adds a decimal sign to raised cents: `29<sup>99</sup>` is €29.99. Reads at most 2,000 elements,
 * because `charactersMax` does not limit elements without text.
 */
export function textOf(
  element: HtmlElement,
  charactersMax: number,
  leavesOut?: (inner: HtmlElement) => boolean,
): string {
  const [only, other] = element.children;
  if (
    other === undefined && typeof only !== "object" && !NOT_SHOWN.has(element.name) && !leavesOut
  ) {
    return cut(only?.slice(0, charactersMax * 2) ?? "", charactersMax);
  }
  const shown = new ShownText(charactersMax * 2, leavesOut);
  shown.add(element);
  return cut(shown.text(), charactersMax);
}

function cut(text: string, charactersMax: number): string {
  return onOneLine(text).slice(0, charactersMax).trimEnd();
}

/** The pattern skips single blanks: replacing each of them would be slow. */
export function onOneLine(text: string): string {
  return text.replace(/[^\S ]\s*|\s{2,}/g, " ").trim();
}

export function childElements({ children }: HtmlElement, max = Infinity): HtmlElement[] {
  return children.slice(0, max).filter((child) => typeof child !== "string");
}

export function rawTextOf(element: HtmlElement): string {
  return element.children.filter((child) => typeof child === "string").join("");
}

/** Collects shown text up to a limit, so that reading nested elements takes linear time. */
class ShownText {
  readonly #pieces: string[] = [];
  readonly #max: number;
  readonly #leavesOut: ((inner: HtmlElement) => boolean) | undefined;
  #length = 0;
  #elements = 0;
  /** The end of the collected text. Joining all pieces to read it would be slow. */
  #end = "";

  constructor(max: number, leavesOut?: (inner: HtmlElement) => boolean) {
    this.#max = max;
    this.#leavesOut = leavesOut;
  }

  text(): string {
    return this.#pieces.join("");
  }

  add(element: HtmlElement): void {
    this.#elements += 1;
    if (NOT_SHOWN.has(element.name) || this.#leavesOut?.(element)) return;
    const isBreak = BREAKS.has(element.name);
    if (isBreak) this.#put(" ");
    let opener: HtmlElement | null = element;
    for (const child of element.children) {
      if (this.#length >= this.#max || this.#elements > 2_000) return;
      if (typeof child !== "string") this.add(child);
      else this.#addText(child.slice(0, this.#max), opener);
      opener = null;
    }
    if (isBreak) this.#put(" ");
  }

  #addText(text: string, opener: HtmlElement | null): void {
    if (isDigit(this.#end.at(-1)) && isDigit(text.at(0))) {
      const sign = /,\d{3}$/.test(this.#end) ? "." : ",";
      this.#put(opener !== null && isCents(opener, text) ? sign : " ");
    }
    this.#put(text);
  }

  #put(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    const end = piece.length < END_CHARACTERS ? this.#end + piece : piece;
    this.#end = end.slice(-END_CHARACTERS);
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

function isCents(element: HtmlElement, text: string): boolean {
  if (!/^\d\d$/.test(text.trimEnd())) return false;
  return element.name === "sup" || CENTS_CLASS.test(element.attribs.class ?? "");
}

const STRUCK_TAGS: ReadonlySet<string> = new Set(["del", "s", "strike"]);
const STRUCK_CLASS =
  /(?:^|[\s_-])(?:(?:old|original|was|former|previous|strike|striked|strikethrough|crossed|streich|uvp)[_-]?(?:price|preis)|(?:price|preis)[_-]{0,2}(?:old|original|was|strike|crossed|uvp)|line-?through)/i;

export function isStruck(element: HtmlElement): boolean {
  return isStruckByTag(element) || isCalledOld(element);
}

export function isStruckByTag({ name }: HtmlElement): boolean {
  return STRUCK_TAGS.has(name);
}

export function isCalledOld({ attribs }: HtmlElement): boolean {
  return STRUCK_CLASS.test(attribs.class ?? "");
}

export function ancestorsOf(element: HtmlElement, levels = Infinity): readonly HtmlElement[] {
  const found: HtmlElement[] = [];
  let at: HtmlElement | null = element;
  for (let level = 0; level <= levels && at?.parent; level++, at = at.parent) found.push(at);
  return found;
}

/** Attributes that name elements for the shop's own automated tests. */
export const TEST_IDS = ["data-testid", "data-test", "data-qa", "data-test-id", "data-cy"] as const;

const NAMES: ReadonlySet<string> = new Set(["class", "id", ...TEST_IDS, "itemprop"]);
const CHARACTERS_MAX = 200;

const PRICE = /price|preis|prix|prezzo|precio|prijs|\bpris\b|cena|cijena|kaina|hind\b|amount\b/;
const MAIN =
  /\b(?:main|current|final|pdp|buy ?box|sales?|special|actual|our|today|now|selling|product price|price (?:product|wrapper|box|value)|to ?pay|detail|article price|promo)\b/;
const OTHER =
  /\b(?:unit price|(?<!product )price unit|per unit|price per|base price|basis preis|grund ?preis|tiers?|bulk price|staffel\w*|scale|rates?|(?<!and )rating|instal\w*|finan\w*|credit|kredit|month\w*|monat\w*|leasing|loyal\w*|members?|club|bonus|points?|punkte|\w*shipping\w*|postage|versand\w*|delivery|liefer\w*|used|refurb\w*|gebraucht\w*|subscri\w*|abo|savings?|saved?|conv\w*|coupon\w*|voucher|deposit|pfand|trade in|warranty|garantie|(?<!(?:incl?(?:uding|usive)?|with|final price) )(?:tax|vat))\b/;
const OLD =
  /\b(?:old|was|former|previous|prior|before|original|strike\w*|struck|crossed|through|line through|uvp|rrp|msrp|srp|suggested|recommended price|streich\w*|statt|ancien|barr(?:e|ed|ato)|list price|price list|compare|vorher)\b/;
const REGULAR = /\b(?:regular|normal price|retail)\b/;
const PROSE =
  /\b(?:reviews?|bewertung\w*|rezension\w*|comments?|kommentare?|faqs?|questions?|fragen|answers?|antwort\w*|descriptions?|beschreibung\w*|avis|blog)\b/;
const TILE =
  /\b(?:tiles?|(?<!\b(?:price|buy|purchase|order) )cards?|sliders?|slide|carousel|swiper|slick|owl|recommend\w*|reco|related|successors?|nachfolge\w*|rempla\w*|cross|upsell\w*|similar|accessor\w*|zubehoer|reviews?|popup|modal|overlay|dialog|mini ?cart|minicart|cart drawer|mini ?basket|shopping cart|cart total|cart summary|cart items?|header cart|(?:basket|warenkorb)(?! (?:details?|wrapper|form|info|box|action|row|button|section))|wishlist|recent\w*|bestseller\w*|teasers?|product (?:box|item|list|tile|card|grid)|products list|product listing|item box|items? list|listing|suggest\w*|bundles?|alternativ\w*|sponsored|ads|ad (?:slot|banner|box|unit)|advert\w*|facets?|filters?|menu|dropdown|breadcrumbs?|newsletter|cookie\w*|flyout|gallery item|also)\b/;
const NET =
  /\b(?:(?:excl(?:uding)?|ex|without|exkl) (?:tax|vat|mwst)|net(?:to)? ?(?:price|preis)|(?:price|preis) net(?:to)?|netto|prix ht|price ht)\b/;
const GROSS =
  /\b(?:(?:incl(?:uding)?|inc|with|inkl) (?:tax|vat|mwst)|gross ?(?:price)?|brutto(?: ?preis)?|prix ttc|price ttc)\b/;
const HIDDEN = /\b(?:hidden|hide|invisible|d none|display none|is hidden)\b/;

/** Words that are removed from names, because `add-to-basket` names a button and not a cart. */
const ADDING = /\badd (?:item )?(?:to|in) ?(?:my |the )?(?:basket|cart|bag|warenkorb)\b/g;

const MEANINGS = {
  price: (words: string) => PRICE.test(words),
  main: (words: string) => MAIN.test(words),
  /** True for words of other amounts, such as shipping costs or a monthly price. */
  other: (words: string) => OTHER.test(words),
  old: (words: string) => OLD.test(words.replace(/\bwith (?:list|old) price\b/g, "")),
  regular: (words: string) => REGULAR.test(words),
  prose: (words: string) => PROSE.test(words),
  net: (words: string) => NET.test(words) && !GROSS.test(words),
  gross: (words: string) => GROSS.test(words) && !NET.test(words),
  /** True for names of page parts that do not show the product: product lists, cart, reviews. */
  tile: (words: string) => TILE.test(words.replace(ADDING, "")),
  hidden: (words: string) => HIDDEN.test(words),
} as const;

export type Meaning = keyof typeof MEANINGS;

/** Matches `block__` in the class `block__part`, but not in the generated class `module__x7Yq`. */
const BLOCK = /(?<![^\s])[a-z][a-z-]*__(?=[a-z]{3,}(?:-[a-z]+)*(?:\s|--|$))/g;

/** Caches the meanings of element names, because the pages of a shop repeat these names. */
const KNOWN = new Map<string, Meanings>();
const KNOWN_MAX = 2_000;

export function means(element: HtmlElement, meaning: Meaning): boolean {
  if (meaning === "hidden" && isHidden(element)) return true;
  element.meanings ??= KNOWN.getOrInsertComputed(rawOf(element), meaningsOf);
  return element.meanings.has(meaning);
}

export function isElsewhere(element: HtmlElement): boolean {
  return means(element, "hidden") || means(element, "tile");
}

function meaningsOf(raw: string): Meanings {
  if (KNOWN.size >= KNOWN_MAX) KNOWN.clear();
  return new Meanings(raw);
}

class Meanings {
  readonly #words: string;
  readonly #ownWords: string;
  readonly #known = new Map<Meaning, boolean>();

  constructor(raw: string) {
    this.#words = wordsOf(raw);
    // `card__price` names a part inside a card, so `card__` must not mark the part as a list item.
    this.#ownWords = raw.includes("__") ? wordsOf(raw.replace(BLOCK, "")) : this.#words;
  }

  has(meaning: Meaning): boolean {
    const known = this.#known.get(meaning);
    if (known !== undefined) return known;
    const means = MEANINGS[meaning](meaning === "tile" ? this.#ownWords : this.#words);
    this.#known.set(meaning, means);
    return means;
  }
}

/** The tag of a custom element also names its purpose: `sale-price`. */
function rawOf({ name: tag, attribs }: HtmlElement): string {
  let raw = tag.includes("-") ? ` ${tag.slice(0, CHARACTERS_MAX)}` : "";
  const own = Object.keys(attribs).filter((name) => NAMES.has(name));
  for (const name of own.length > 1 ? NAMES : own) {
    const value = attribs[name];
    if (value !== undefined) raw += ` ${value.slice(0, CHARACTERS_MAX)}`;
  }
  return raw;
}

function isHidden({ attribs }: HtmlElement): boolean {
  if (attribs.hidden !== undefined || attribs["aria-hidden"] === "true") return true;
  const { style } = attribs;
  return style !== undefined &&
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style.slice(0, CHARACTERS_MAX));
}

/** Returns `product price final` for `productPrice__final`. */
function wordsOf(raw: string): string {
  return raw.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().replace(/[^a-z0-9äöüß]+/g, " ");
}

const SELECTOR_CHARACTERS_MAX = 300;
const UNDERSTOOD_SELECTOR = /^([a-z0-9]*)((?:\.[\w-]+)*)(?::(first|last)-(?:child|of-type))?$/i;

interface Step {
  /** The tag that an element must have; an empty text matches any tag. */
  readonly tag: string;
  readonly classes: readonly string[];
  readonly place: string | undefined;
}

/** Finds text that is struck through by attributes of elements or by style sheets. */
export class StruckStyles {
  readonly #struck = new Map<HtmlElement, boolean>();
  /** CSS rules that strike text through. Keys are classes, or `<s` for the tag `s`. */
  readonly #rules = new Map<string, { readonly own: Step; readonly around: readonly Step[] }[]>();

  constructor(styles: readonly HtmlElement[]) {
    let [rules, characters] = [0, 0];
    for (const style of styles) {
      const text = rawTextOf(style);
      characters += text.length;
      if (characters > 2 * 1024 * 1024) return;
      for (const { index } of text.matchAll(/line-through/g)) {
        if (++rules > 300) return;
        for (const selector of selectorsBefore(text, index)) this.#add(selector);
      }
    }
  }

  strike(element: HtmlElement): boolean {
    return this.#struck.getOrInsertComputed(element, () => {
      const style = element.attribs.style?.slice(0, CHARACTERS_MAX) ?? "";
      return /line-through/i.test(style) || this.#strikesByRule(element);
    });
  }

  #strikesByRule(element: HtmlElement): boolean {
    if (this.#rules.size === 0) return false;
    return [...classesOf(element), `<${element.name}`].some((key) =>
      this.#rules.get(key)?.some(({ own, around }) =>
        fits(element, own) &&
        around.every((step) => ancestorsOf(element, 8).slice(1).some((at) => fits(at, step)))
      )
    );
  }

  #add(selector: string): void {
    const steps = selector.split(/[\s>]+/).map((step): Step | null => {
      const [, tag, classes, place] = UNDERSTOOD_SELECTOR.exec(step) ?? [];
      if (tag === undefined || classes === undefined) return null;
      return { tag: tag.toLowerCase(), classes: classes.split(".").slice(1), place };
    }).filter((step) => step !== null);
    const own = steps.at(-1);
    if (own === undefined || steps.length < selector.split(/[\s>]+/).length) return;
    const around = steps.slice(0, -1).filter(({ classes }) => classes.length > 0);
    // Selectors without any class, such as `div span`, are skipped: they match all over the page.
    const key = own.classes[0] ?? (around.length > 0 && own.tag !== "" ? `<${own.tag}` : null);
    if (key !== null) this.#rules.getOrInsertComputed(key, () => []).push({ own, around });
  }
}

function selectorsBefore(text: string, at: number): readonly string[] {
  const begin = Math.max(0, at - 600);
  const before = text.slice(begin, at);
  const opens = before.lastIndexOf("{");
  if (opens === -1 || before.lastIndexOf("}") > opens) return [];
  const lead = text.slice(Math.max(0, begin + opens - SELECTOR_CHARACTERS_MAX), begin + opens);
  const start = Math.max(lead.lastIndexOf("}"), lead.lastIndexOf("{"), lead.lastIndexOf("/"));
  const selectors = lead.slice(start + 1).split(",");
  return (start === -1 && lead.length === SELECTOR_CHARACTERS_MAX ? selectors.slice(1) : selectors)
    .map((selector) => selector.trim());
}

function classesOf({ attribs }: HtmlElement): readonly string[] {
  const names = attribs.class;
  return names === undefined ? [] : names.slice(0, SELECTOR_CHARACTERS_MAX).split(/\s+/);
}

function fits(element: HtmlElement, { tag, classes, place }: Step): boolean {
  const own = classesOf(element);
  if (tag !== "" && tag !== element.name) return false;
  if (!classes.every((name) => own.includes(name))) return false;
  if (place === undefined) return true;
  const siblings = element.parent?.children ?? [];
  const isElement = (child: HtmlNode) => typeof child !== "string";
  return element === (place === "first" ? siblings.find(isElement) : siblings.findLast(isElement));
}
