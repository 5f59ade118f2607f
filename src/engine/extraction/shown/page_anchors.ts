/** Finds the name of the product, the headings and the buy buttons on a page. */
import { ancestorsOf, childElements, type HtmlElement, textOf } from "../page/html_element.ts";
import type { PlacedElement, ShownPlaces } from "../page/html_page.ts";
import { isService } from "./extra_amounts.ts";
import type { ShownPrice } from "./scored_price.ts";

const TITLE_LEVELS = 5;

/** Returns the headings that contain the page's title, or else `titles`, or else `headings`. */
export function mainAnchors({ headings, titles }: ShownPlaces): readonly PlacedElement[] {
  const named = headings.filter(({ element }) =>
    titles.some((title) => ancestorsOf(title.element, TITLE_LEVELS).includes(element))
  );
  if (named.length > 0) return named;
  return titles.length > 0 ? titles : headings;
}

export function anchorsOf(places: ShownPlaces): readonly PlacedElement[] {
  return [...mainAnchors(places), ...places.titles];
}

const HEADINGS: ReadonlySet<string> = new Set(["h2", "h3", "h4"]);
const HEADING_AMONG = 6;

export function headingOf(part: HtmlElement): HtmlElement | null {
  return childElements(part, HEADING_AMONG).find(({ name }) => HEADINGS.has(name)) ?? null;
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

const SELLING_CHARACTERS = 4_000;

export function sellsAfter(places: ShownPlaces): boolean {
  const [anchor] = mainAnchors(places);
  if (!anchor) return false;
  const near = places.controls.filter(({ element, at }) => {
    return at >= anchor.at && at - anchor.at <= SELLING_CHARACTERS &&
      element.attribs.disabled === undefined;
  });
  return near.slice(0, 200).some(({ element }) => isBuying(element));
}

const LABEL_PARTS_MAX = 10;
const LABEL_CHARACTERS_MAX = 130;

/** True for the label of a service that is not chosen: `[ ] Montage 45 €`. */
export function isNotChosen(label: HtmlElement): boolean {
  if (label.name !== "label") return false;
  const parts = childElements(label, LABEL_PARTS_MAX)
    .flatMap((child) => [child, ...childElements(child, LABEL_PARTS_MAX)]);
  const open = parts.find(({ name, attribs }) => name === "input" && attribs.checked === undefined);
  const type = open?.attribs.type?.toLowerCase();
  return type === "checkbox" ||
    (type === "radio" && isService(textOf(label, LABEL_CHARACTERS_MAX)));
}

const ONCE =
  /(?<!\p{L})(?:einmal(?:ig\p{L}{0,2}|kauf|bestellung)?|one[- ]?(?:time|off)|(?:single|just) (?:purchase|delivery|order|once)|(?:achat|livraison|commande) (?:unique|ponctuel(?:le)?)|(?:ohne|sans) abo(?:nnement)?)(?!\p{L})/iu;

/** True for a choice that is next to the choice of a one-time purchase. */
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

/** True for `Carton de 6 : 450,00 €`. */
export function isOfPack(text: string): boolean {
  return PACK_OF.test(text);
}

const PACK_OF =
  /^(?:carton|caisse|karton|kiste|case) (?:de|of|à|mit|zu|von) (?:[2-9]|[1-9]\d)(?: \p{L}+)? ?: ?\p{Sc}? ?\d/iu;
