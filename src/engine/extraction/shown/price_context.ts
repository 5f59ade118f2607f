/**
 * Judges a shown price by the texts and elements around the price. Certain words beside an amount
 * show that the amount is for an addition, a service, a levy or a bundle.
 */
import {
  ancestorsOf,
  childElements,
  type HtmlElement,
  isElsewhere,
  means,
  onOneLine,
  textOf,
} from "../page/html_element.ts";
import { NOT_SHOWN, type PlacedElement, type ShownPlaces } from "../page/html_page.ts";
import { type ShownPrice, TAX, withoutNotes } from "./scored_price.ts";
import { isPriceLabel } from "./shown_prices.ts";
import { anyWord, oneOfWords } from "../shop_words.ts";

const TEXT_CHARACTERS_MAX = 160;
const INLINE: ReadonlySet<string> = new Set(
  "a b strong em i u span small sup sub font mark abbr bdi del ins s data".split(" "),
);
const SKIPPED: ReadonlySet<string> = new Set([...NOT_SHOWN, "meta", "link"]);
const REGIONS: ReadonlySet<string> = new Set(["nav", "aside", "select", "option", "datalist"]);
const ENDS: ReadonlySet<string> = new Set(["header", "footer"]);
/** A `header` or `footer` directly in such an element does not belong to the whole page. */
const PARTS_OF_PAGES: ReadonlySet<string> = new Set(["article", "section", "form", "fieldset"]);
const NAMED_PART = /buy|price|preis|prix|product|produkt|produit|offer|purchase|achat/i;

export interface NearText {
  readonly text: string;
  readonly parts: readonly HtmlElement[];
}

type WalkLimits = Readonly<Record<"characters" | "blocks", number>>;

export function textsAfter(start: HtmlElement, limits: WalkLimits) {
  const walk = new NearWalk(limits, 1);
  walk.enter(start);
  return walk.onFrom(start);
}

export function textsBefore(start: HtmlElement, limits: WalkLimits) {
  const walk = new NearWalk(limits, -1);
  if (isBlock(start)) walk.endBlock();
  return walk.onFrom(start);
}

function isBlock({ name }: HtmlElement): boolean {
  return !INLINE.has(name);
}

/**
 * Collects the short texts around an element, one per block. Skips other products, hidden elements,
 * options, the navigation, and the header and footer of the page.
 */
class NearWalk {
  readonly #step: 1 | -1;
  readonly #blocks: NearText[] = [];
  #own: string | null | undefined;
  #pieces: string[] = [];
  #parts: HtmlElement[] = [];
  #length = 0;
  #charactersLeft: number;
  #elementsLeft = 400;
  readonly #blocksMax: number;

  constructor({ characters, blocks }: WalkLimits, step: 1 | -1) {
    this.#charactersLeft = characters;
    this.#blocksMax = blocks;
    this.#step = step;
  }

  /** `own` is the text in the same block as `start`, before or after it; null if it is too long. */
  onFrom(start: HtmlElement) {
    for (let at = start; at.parent && this.#goesOn(); at = at.parent) {
      this.#visitFrom(at.parent.children.indexOf(at) + this.#step, at.parent);
    }
    this.endBlock();
    const blocks: readonly NearText[] = this.#blocks;
    return { own: this.#own ?? null, blocks };
  }

  enter(element: HtmlElement): void {
    this.#visitFrom(this.#step === 1 ? 0 : element.children.length - 1, element);
  }

  #visitFrom(from: number, parent: HtmlElement): void {
    const { children } = parent;
    for (let n = from; n >= 0 && n < children.length && this.#goesOn(); n += this.#step) {
      const node = children[n];
      if (typeof node === "string") this.#addText(node, parent);
      else if (node) this.#visit(node);
    }
    if (isBlock(parent)) this.endBlock();
  }

  endBlock(): void {
    if (this.#length === 0 && this.#own !== undefined) {
      this.#pieces = [];
      return;
    }
    const pieces = this.#step === 1 ? this.#pieces : this.#pieces.toReversed();
    const isShort = this.#length <= TEXT_CHARACTERS_MAX;
    const text = isShort ? onOneLine(pieces.join("")) : null;
    if (this.#own === undefined) this.#own = text;
    else if (text) this.#blocks.push({ text, parts: this.#parts });
    this.#pieces = [];
    this.#parts = [];
    this.#length = 0;
  }

  #goesOn(): boolean {
    return this.#charactersLeft > 0 && this.#elementsLeft > 0 &&
      this.#blocks.length < this.#blocksMax;
  }

  #visit(element: HtmlElement): void {
    this.#elementsLeft -= 1;
    if (SKIPPED.has(element.name)) return;
    if (isBlock(element)) this.endBlock();
    if (!isLeftOut(element)) this.enter(element);
  }

  #addText(data: string, parent: HtmlElement): void {
    const { length } = data.trim();
    this.#length += length;
    this.#charactersLeft -= length;
    if (this.#length > TEXT_CHARACTERS_MAX) return;
    this.#pieces.push(data);
    if (length > 0 && this.#parts.at(-1) !== parent) this.#parts.push(parent);
  }
}

function isLeftOut(element: HtmlElement): boolean {
  return REGIONS.has(element.name) || (ENDS.has(element.name) && !isOfPart(element)) ||
    isElsewhere(element);
}

function isOfPart({ attribs, parent }: HtmlElement): boolean {
  return NAMED_PART.test(attribs.class?.slice(0, 200) ?? "") ||
    (parent !== null && (PARTS_OF_PAGES.has(parent.name) ||
      NAMED_PART.test(`${parent.attribs.class ?? ""} ${parent.attribs.id ?? ""}`.slice(0, 200))));
}

/** A full stop after an abbreviation such as `zzgl` does not end a sentence. */
const SENTENCE_BREAK = /(?<=[.!*|•])(?<!(?:zzgl|zuzügl|inkl|exkl|excl|incl|ges|gesetzl)\.)\s/;

/** `text` must be in lower case. */
export function sentencesOf(text: string): readonly string[] {
  return /[.!*|•]\s/.test(text) ? text.split(SENTENCE_BREAK) : [text];
}

export function mainAnchors({ headings, titles }: ShownPlaces): readonly PlacedElement[] {
  const named = headings.filter(({ element }) =>
    titles.some((title) => ancestorsOf(title.element, 5).includes(element))
  );
  if (named.length > 0) return named;
  return titles.length > 0 ? titles : headings;
}

const HEADINGS: ReadonlySet<string> = new Set(["h2", "h3", "h4"]);

export function headingOf(part: HtmlElement): HtmlElement | null {
  return childElements(part, 6).find(({ name }) => HEADINGS.has(name)) ?? null;
}

const CONTROL_ATTRIBUTES = "class id name value title aria-label data-testid data-action".split(
  " ",
);

const BUYING = new RegExp(
  [
    "(?:^|\\P{L})(?:kaufen|bestellen|jetzt bieten|sofort-?kaufen|vorbestellen|reservieren)(?!\\p{L})",
    "(?:waren|einkaufs|in den )korb",
    "add ?(?:[\\p{L} -]{1,30} )?to ?(?:my ?)?(?:cart|bag|basket|trolley|order)|addtocart|addtobag|addtobasket",
    "buy ?(?:it ?)?now|buynow|(?:^|\\P{L})buy(?!\\p{L})|place ?bid|bid ?now|pre-?order|check ?out",
    "panier|acheter|carrello|acquista|a[ñn]adir|carrito|comprar|carrinho|winkel(?:wagen|mand)|bestel(?:len)?(?!\\p{L})",
    "do koszyka|kup teraz|do ko[šs][íi]k|koupit|kúpiť|košaric|kupi(?!\\p{L})|grozā|pirkt|krepšel",
    "купить|корзин|кошик|количк|поръча|купи(?!\\p{L})|장바구니|구매|カート|[购購]物[车車]|[购購][买買]",
    "(?:^|\\P{L})(?:contact(?: the)? seller|chat with seller|make offer|verkäufer kontaktieren|nachricht schreiben|anfrage senden)(?!\\p{L})",
    "l[äa]gg i (?:varu)?kor|k[øo]b|kurv|ostoskori|lisää",
  ].join("|"),
  "iu",
);

export function isBuying(element: HtmlElement): boolean {
  const { attribs } = element;
  const named = CONTROL_ATTRIBUTES
    .map((name) => attribs[name]?.slice(0, 200).replace(/[-_]/g, " ") ?? "")
    .join(" ");
  return BUYING.test(`${named} ${textOf(element, 60)}`);
}

export function sellsAfter(places: ShownPlaces): boolean {
  const [anchor] = mainAnchors(places);
  if (!anchor) return false;
  const near = places.controls.filter(({ element, at }) =>
    at >= anchor.at && at - anchor.at <= 4_000 && element.attribs.disabled === undefined
  );
  return near.slice(0, 200).some(({ element }) => isBuying(element));
}

const SERVICE = anyWord(({ service }) => service);
const LABEL_PARTS_MAX = 10;
const LABEL_CHARACTERS_MAX = 130;

export function isNotChosen(label: HtmlElement): boolean {
  if (label.name !== "label") return false;
  const parts = childElements(label, LABEL_PARTS_MAX)
    .flatMap((child) => [child, ...childElements(child, LABEL_PARTS_MAX)]);
  const open = parts.find(({ name, attribs }) => name === "input" && attribs.checked === undefined);
  const type = open?.attribs.type?.toLowerCase();
  return type === "checkbox" ||
    (type === "radio" && SERVICE.test(textOf(label, LABEL_CHARACTERS_MAX).toLowerCase()));
}

const ONCE =
  /(?<!\p{L})(?:einmal(?:ig\p{L}{0,2}|kauf|bestellung)?|one[- ]?(?:time|off)|(?:single|just) (?:purchase|delivery|order|once)|(?:achat|livraison|commande) (?:unique|ponctuel(?:le)?)|(?:ohne|sans) abo(?:nnement)?)(?!\p{L})/iu;

export function isSubscriptionChoice(choice: HtmlElement): boolean {
  if (choice.name !== "label" && choice.attribs.role !== "radio") return false;
  const isOnce = (one: HtmlElement) => ONCE.test(textOf(one, LABEL_CHARACTERS_MAX));
  const siblings = choice.parent ? childElements(choice.parent, LABEL_PARTS_MAX) : [];
  return !isOnce(choice) &&
    siblings.some((one) => one !== choice && one.name === choice.name && isOnce(one));
}

const MANY_PIECES = /^(?:[2-9]|[1-9]\d{1,3}) ?\+?$/;
const QUANTITY = /^(?:menge|anzahl|stück(?:zahl)?|quantity|qty|quantité)(?!\p{L})/iu;

/** True for a row such as `6 | 9,30 €` in a table whose first column has quantities. */
export function isOfQuantities(row: HtmlElement): boolean {
  const cell = childElements(row).find(({ children }) => children.length > 0);
  if (!cell || !MANY_PIECES.test(textOf(cell, LABEL_CHARACTERS_MAX))) return false;
  const table = row.parent?.name === "table" ? row.parent : row.parent?.parent;
  return table?.name === "table" && QUANTITY.test(textOf(table, LABEL_CHARACTERS_MAX));
}

export function termOf({ whole: { name, parent }, whole }: ShownPrice): string {
  if (name !== "dd" || parent === null) return "";
  const term = childElements(parent, parent.children.indexOf(whole)).at(-1);
  return term?.name === "dt" ? textOf(term, LABEL_CHARACTERS_MAX) : "";
}

/** Matches a pack of several pieces: `Carton de 6 : 450,00 €`. */
export const PACK_OF =
  /^(?:carton|caisse|karton|kiste|case) (?:de|of|à|mit|zu|von) (?:[2-9]|[1-9]\d)(?: \p{L}+)? ?: ?\p{Sc}? ?\d/iu;

const BLOCKS: ReadonlySet<string> = new Set("p li blockquote q dd figcaption h2 h3 h4".split(" "));
const QUOTES: ReadonlySet<string> = new Set(["blockquote", "q"]);
const RUNNING_TEXT_WORDS_MIN = 12;
const WORDS_OF_SENTENCE = 5;
const WORDS_OF_PROSE = 3;
const WORDS_BEFORE = 2;
const WORD = /\p{L}{2,}/gu;
const SENTENCE_END = /\p{L}{2}[.!?](?:\s|$)/u;

export function isRunningText(element: HtmlElement): boolean {
  const block = blockOf(element);
  if (block === null) return false;
  if (QUOTES.has(block.name)) return true;
  const text = withoutNotes(textOf(block, 500));
  const count = text.match(WORD)?.length ?? 0;
  if (count >= RUNNING_TEXT_WORDS_MIN) return true;
  const [lead = ""] = text.split(/\d/, 1);
  // A long heading counts as running text: `10 € für Ihre Anmeldung zum Newsletter`.
  if (HEADINGS.has(block.name) && count >= WORDS_OF_SENTENCE && !isPriceLabel(lead)) return true;
  // A text that begins with a price describes this price: `10 €, in 2 Tagen bei Ihnen`.
  if ((lead.match(WORD)?.length ?? 0) < WORDS_BEFORE || isPriceLabel(lead)) return false;
  if (count >= WORDS_OF_SENTENCE && SENTENCE_END.test(text)) return true;
  return count >= WORDS_OF_PROSE && ancestorsOf(block, 11).some((at) => means(at, "prose"));
}

function blockOf(element: HtmlElement): HtmlElement | null {
  const found = ancestorsOf(element, 5).find((at) => means(at, "price") || BLOCKS.has(at.name));
  return found === undefined || means(found, "price") ? null : found;
}

const CHARACTERS_MAX = 200;

/** Words that mark the next amount as the article's own price, as in `Versand kostenlos 49 €`. */
const FREE = "(?<!\\p{L})(?:preis|price|prix|nur|only|jetzt|now|seulement|gratis|kostenlos|free|" +
  "gratuite?|offerte?)(?!\\p{L})";
const LEVY = oneOfWords(({ levy }) => levy);
const INCLUDED =
  "(?:inkl|incl|inklusive|including|included|inclu(?:se|s)?s?|comprise?|dont|davon|darin|enthält|enthalten)\\.?";
const OTHER_OFFERS =
  "(?<!\\p{L})(?:offres|angeboten?|offers|anbietern?|vendeurs|sellers|händlern?)" +
  "(?: (?:neufs?|d['’]occasion|neue?|used|new))? (?:à partir de|dès|ab|from|von)";
const ORDER_VALUE =
  "(?:(?:waren|bestell|auftrags|einkaufs)wert|order value|(?:d['’]|de )(?:achats?|commande)|" +
  "(?:nächste[nr]?|next|prochaine?) (?:einkauf|bestellung|order|purchase|achat|commande))";
const BUNDLE =
  "(?<!\\p{L})(?:bundle|kombi\\p{L}{0,24}|pack|lot)[^|\\p{L}\\d]{1,3}(?:mit|with|avec) [^|]{1,60}$";
const SUCCESSOR =
  "(?<!\\p{L})(?:nachfolge\\p{L}{0,24}|successors?|successeur|replace(?:d by|ment)|remplacée? par)[^|\\p{L}]{1,3}[^|]{1,80}$";
const ANOTHER_BEFORE = new RegExp(`${BUNDLE}|${SUCCESSOR}`, "u");
const EXTRA_LEADS = [
  // In `+ 45 €`, the amount is added to the article's price.
  "(?:^|[\\s(|:])(?:\\+|(?:zzgl|zuzügl(?:ich)?)\\.?) ?$",
  "(?:^|[,(|:] ?)plus ?$",
  // In `Mühle + Bohnen: 129 €`, the amount is for two articles.
  "\\p{L} \\+ [^|]{1,60}[:=] ?$",
  BUNDLE,
  `${OTHER_OFFERS} ?$`,
  // Finds `Montage vor Ort: 45 €`, but not `Lieferung gratis, jetzt nur 45 €`.
  `^(?:\\P{L}*|[\\p{L}-]{2,20} )${
    oneOfWords(({ service, delivery }) => [...service, ...delivery])
  }(?![\\p{L}-])` +
  `(?!.*${FREE})[^|]{0,40}$`,
  // In `mit Steuer, Versand als Wertpaket 18,50 EUR`, the amount is for shipping.
  `[,;] ?${oneOfWords(({ delivery }) => delivery)}(?![\\p{L}-])` +
  `(?![^|,;\\d]{0,30}${FREE})[^|,;\\d]{0,30}$`,
  // In `Komplett mit Montage beim Partner: 457,80 €`, the amount includes a service.
  `(?<!\\p{L})(?:komplett mit|inklusive|including|complete with|mit|with|avec) (?:\\p{L}{2,16} )?${
    oneOfWords(({ service }) => service)
  }(?![\\p{L}-])[^|\\d]{0,30}[:=] ?$`,
  `(?:mindestbestellwert|(?:minimum|min\\.?) (?:order|de commande)|${ORDER_VALUE})[^|\\d]{0,12}$`,
  "(?:purchases?|orders?|einkäufen?|bestellungen|achats) (?:over|above|from|ab|über|dès) ?$",
  // In `Versand (Sperrgut 9,50 €)`, the amount is for shipping.
  `(?<!\\p{L})${oneOfWords(({ delivery }) => delivery)} ?\\([^)|\\d]{0,24}$`,
  // In `over £25 (otherwise £2.99)`, the second amount is for shipping.
  "(?<!\\p{L})(?:otherwise|usually|normally|sonst|ansonsten|normalerweise|sinon|habituellement|worth|\\((?:wert|value|valeur)|im wert von|d['’]une valeur de) ?$",
  // In `Recupel inclus (1 €)`, the amount is a levy.
  `(?<!${TAX}\\.? )(?<!\\p{L})${INCLUDED} ?\\( ?$`,
  `${LEVY}[^|\\d]{0,12}$`,
];
const EXTRA_BEFORE = new RegExp(EXTRA_LEADS.join("|"), "u");
const LEVY_AFTER = new RegExp(`^[^\\p{L}\\d]*(?:d['’]|de |of )?${LEVY}`, "u");
const ORDER_VALUE_AFTER = new RegExp(`^ ?${ORDER_VALUE}`, "u");
const INCLUDED_BEFORE = new RegExp(`(?<!\\p{L})${INCLUDED}[^\\p{L}\\d]*$`, "u");

export function isExtra(before: string, after: string): boolean {
  if (before === "" && after === "") return false;
  const lead = before.slice(-CHARACTERS_MAX).toLowerCase();
  const tail = after.slice(0, 60).toLowerCase();
  return EXTRA_BEFORE.test(lead) || ORDER_VALUE_AFTER.test(tail) ||
    (INCLUDED_BEFORE.test(lead) && LEVY_AFTER.test(tail));
}

export function isOfAnother(before: string): boolean {
  return ANOTHER_BEFORE.test(before.slice(-CHARACTERS_MAX).toLowerCase());
}
