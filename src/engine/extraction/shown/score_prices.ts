/** Computes the scores of the prices that a page shows, from their features (`scored_price.ts`). */
import {
  headingOf,
  isBuying,
  isExtra,
  isNotChosen,
  isOfQuantities,
  isRunningText,
  isSubscriptionChoice,
  mainAnchors,
  PACK_OF,
  termOf,
} from "./price_context.ts";
import { pricesInText } from "../../../base/price_text.ts";
import { isSameAmount, plainDecimal, type Writing } from "../amount.ts";
import {
  ancestorsOf,
  childElements,
  type HtmlElement,
  isCalledOld,
  isStruckByTag,
  type Meaning,
  means,
  textOf,
} from "../page/html_element.ts";
import type { PlacedElement, ShownPlaces } from "../page/html_page.ts";
import { withOld } from "./old_prices.ts";
import {
  currencyOfPrices,
  type Feature,
  isOutBy,
  ranked,
  scored,
  type ScoredPrice,
  type ShownPrice,
  type ShownReading,
  WELL_SHOWN,
  withFeature,
  withoutFeature,
} from "./scored_price.ts";
import {
  attributePrices,
  isPriceLabel,
  namesMoney,
  PriceSearch,
  scriptPrices,
  upToAmount,
  wordsAround,
} from "./shown_prices.ts";

const AGAIN_SCORE = 2;
const BUY_AROUND = 1_200;
const MANY = 3;
const LABEL_CHARACTERS_MAX = 130;
const ATTRIBUTE_CHARACTERS_MAX = 200;
const NEARNESS = [
  [500, "near_500"],
  [1_500, "near_1500"],
  [4_000, "near_4000"],
  [10_000, "near_10000"],
] as const;
const OTHER_AMOUNTS = ["shipping", "rate", "coupon", "used", "subscription", "tier"] as const;
const OF_THE_PRICE = /preis|price|prix|kauf|bestell|buy|order|acheter|command/i;
const HEADING_OF_OTHERS =
  /(?<!\p{L})(?:kauften|gekauft|bought|purchased|(?:auch|also) (?:gefallen|interessieren|like|viewed)|aimerez aussi|ont aussi|related (?:products|items)|ähnliche (?:produkte|artikel)|produits similaires|customers also|nachfolge\p{L}*|(?:auch )?als set (?:erhältlich|verfügbar)|available as (?:a )?(?:set|kit|bundle)|successors?|successeurs?|replaced by|replacement|remplacé(?:e)? par|(?:son|produit de) remplaç\p{L}*|remplaçants?)(?!\p{L})/iu;
const REGIONS: ReadonlySet<string> = new Set(["nav", "header", "footer", "aside"]);
export class ShownPricesOf {
  readonly #search: PriceSearch;
  readonly #anchors: readonly PlacedElement[];
  readonly #around: ReadonlySet<HtmlElement>;
  readonly #controls: readonly PlacedElement[];
  readonly #buys = new Map<HtmlElement, boolean>();
  readonly #outer = new Map<HtmlElement, ReadonlySet<Feature>>();
  readonly #parts = new Map<HtmlElement, "others" | "other" | null>();
  readonly #soldAt: number;
  readonly #soldIn: ReadonlySet<HtmlElement>;

  constructor(places: ShownPlaces, writing: Writing) {
    this.#search = new PriceSearch(places, writing);
    const main = mainAnchors(places);
    this.#anchors = [...main, ...places.titles];
    this.#around = new Set(main.flatMap(({ element }) => [...ancestorsOf(element)]));
    this.#controls = places.controls;
    const first = this.#firstControlFrom(main[0]?.at ?? Infinity);
    const sold = this.#controls.slice(first, first + 200)
      .find(({ element }) => this.#isBuying(element));
    this.#soldAt = sold?.at ?? Infinity;
    this.#soldIn = new Set(sold ? ancestorsOf(sold.element) : []);
  }

  read(): ShownReading {
    const shown = this.#search.prices();
    if (shown.length === 0) return { prices: [], isSure: false };
    const currency = currencyOfPrices(shown);
    const weighed = shown.map((price) => {
      const features = this.#featuresOf(price);
      const isOdd = currency !== null && price.codes.length > 0 && !price.codes.includes(currency);
      return scored(price, isOdd ? [...features, "odd_currency"] : features);
    });
    const shaped = withShapes(withOld(weighed));
    const supported = withSupport(shaped, this.#search.places);
    return ranked(withRanks(supported));
  }

  #featuresOf(price: ShownPrice): readonly Feature[] {
    const features: Feature[] = [this.#nearness(price.at)];
    const buy = this.#buying(price.at);
    if (buy !== null) features.push(buy);
    const place = this.#placeFeatures(price);
    const label = place.some(isOutBy) ? null : this.#labelOf(price);
    features.push(...place, ...this.#wordFeatures(price, label));
    if (!place.includes("named_price") && isRunningText(price.element)) {
      features.push("running_text");
    }
    if (isOfLink(price) && !features.includes("link")) features.push("link");
    if (price.codes.length === 0) features.push("bare");
    return features;
  }

  /** A price before its heading counts as farther away than a price after its heading. */
  #nearness(at: number): Feature {
    let nearest = Infinity;
    for (const anchor of this.#anchors) {
      const distance = at >= anchor.at ? at - anchor.at : 4 * (anchor.at - at) + 500;
      if (distance < nearest) nearest = distance;
    }
    return NEARNESS.find(([below]) => nearest < below)?.[1] ?? "far";
  }

  #buying(at: number): Feature | null {
    const controls = this.#controls;
    const distance = (n: number) => Math.abs((controls[n]?.at ?? Infinity) - at);
    let after = this.#firstControlFrom(at);
    let before = after - 1;
    for (;;) {
      const nearest = distance(before) < distance(after) ? before-- : after++;
      const control = controls[nearest];
      if (control === undefined || distance(nearest) > BUY_AROUND) return null;
      if (this.#isBuying(control.element)) return distance(nearest) <= 300 ? "buy_300" : "buy_1200";
    }
  }

  #firstControlFrom(at: number): number {
    let [low, high] = [0, this.#controls.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#controls[middle]?.at ?? Infinity) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isBuying(element: HtmlElement): boolean {
    return this.#buys.getOrInsertComputed(element, () => isBuying(element));
  }

  #placeFeatures({ element, whole, at: place }: ShownPrice): Feature[] {
    const features = new Set<Feature>();
    let level = 0;
    let isBelow = true;
    let isAround = false;
    for (let at: HtmlElement | null = element; at?.parent; at = at.parent) {
      if (at === whole) isBelow = false;
      isAround ||= this.#around.has(at);
      if (level > 3) {
        for (const feature of this.#outerFeatures(at)) {
          if (feature !== "other_part" || place > this.#soldAt) features.add(feature);
        }
        break;
      }
      this.#noteElement(at, level, isAround, features);
      if (!isAround) this.#notePart(at, place > this.#soldAt, features);
      if (!isBelow) level += 1;
    }
    if (features.has("named_price")) features.delete("other_part");
    return [...features];
  }

  /**
   * Returns the features that `at` and its ancestors give to every price inside `at`. Callers must
   * remove `other_part` from prices before the buy button.
   */
  #outerFeatures(at: HtmlElement): ReadonlySet<Feature> {
    const known = this.#outer.get(at);
    if (known) return known;
    const features = new Set<Feature>();
    this.#outer.set(at, features);
    if (at.parent === null || this.#around.has(at)) return features;
    this.#noteElement(at, Infinity, false, features);
    this.#notePart(at, true, features);
    for (const feature of this.#outerFeatures(at.parent)) features.add(feature);
    return features;
  }

  #notePart(part: HtmlElement, isAfterSale: boolean, features: Set<Feature>): void {
    const kind = this.#parts.getOrInsertComputed(part, () => this.#partOf(part));
    if (kind === "others") features.add("tile");
    else if (isAfterSale && kind === "other") features.add("other_part");
  }

  #partOf(part: HtmlElement): "others" | "other" | null {
    const heading = headingOf(part);
    if (heading === null || this.#around.has(heading)) return null;
    const text = textOf(heading, LABEL_CHARACTERS_MAX);
    if (HEADING_OF_OTHERS.test(text)) return "others";
    return OF_THE_PRICE.test(text) ? null : "other";
  }

  #noteElement(at: HtmlElement, level: number, isAround: boolean, features: Set<Feature>): void {
    const mean = (meaning: Meaning) => means(at, meaning);
    if (level <= 2) {
      if (mean("price")) features.add("named_price");
      if (mean("main")) features.add("named_main");
      if (mean("other")) features.add("named_other");
      if (/\b(?:price|offers)\b/i.test(at.attribs.itemprop?.slice(0, 50) ?? "")) {
        features.add("marked_up");
      }
    }
    if (level <= 3) {
      if (this.#search.styles.strike(at) || isStruckByTag(at)) features.add("struck");
      else if (mean("old") || isCalledOld(at)) features.add("called_old");
      else if (mean("regular")) features.add("called_regular");
    }
    if (mean("hidden") && !isAround) features.add("hidden");
    if (at.name === "option" || at.name === "select" || isNotChosen(at)) features.add("option");
    if (isSubscriptionChoice(at)) features.add("subscription");
    if (at.name === "tr" && isOfQuantities(at)) features.add("tier");
    if (isAround) return;
    if (mean("tile")) features.add("tile");
    const isBox = at.name === "aside" && this.#soldIn.has(at) && headingOf(at) === null;
    if (REGIONS.has(at.name) && !isBox) features.add("region");
    if (at.name === "a" && leadsElsewhere(at)) features.add("link");
  }

  #wordFeatures(price: ShownPrice, label: string | null): Feature[] {
    const features: Feature[] = [];
    const lead = (label?.slice(0, Math.max(0, label.indexOf(price.text))) ?? "") || termOf(price);
    const tail = upToAmount(label?.slice(lead.length + price.text.length) ?? "");
    const words = wordsAround(`${price.before} | ${lead}`, `${price.after} | ${tail}`);
    const isLabelled = isPriceLabel(price.before) || isPriceLabel(lead);
    if (price.isMarked && !isLabelled) features.push("old");
    else if (lead !== "" && !this.#isPriceAfter(lead, price)) features.push("not_the_price");
    if (isExtra(price.before, price.after)) features.push("extra");
    if (PACK_OF.test(price.text)) features.push("tier");
    features.push(...OTHER_AMOUNTS.filter((kind) => words[kind]));
    const { net, gross } = words.net && words.gross
      ? wordsAround(price.before, price.after)
      : words;
    if (net && !gross) features.push("net");
    else if (words.gross && (gross || !net)) features.push("gross");
    else if (!words.net) features.push(...this.#namedTax(price));
    if (isLabelled) features.push("labelled");
    return features;
  }

  #namedTax({ whole }: ShownPrice): Feature[] {
    const places = [whole, ...whole.parent ? [whole.parent] : []];
    const kind = (["gross", "net"] as const)
      .find((one) => places.some((at) => means(at, one)));
    return kind === undefined ? [] : [kind];
  }

  #labelOf({ whole, text, isAlone }: ShownPrice): string | null {
    if (!isAlone) return null;
    let label: string | null = null;
    let at = whole.parent;
    for (let level = 0; level < 3 && at?.parent; level++, at = at.parent) {
      if (this.#around.has(at)) break;
      const wider = textOf(at, LABEL_CHARACTERS_MAX + 1);
      if (wider.length > LABEL_CHARACTERS_MAX) break;
      if (wider === text) continue;
      const amounts = pricesInText(wider, { locale: this.#search.writing.locale })
        .filter(({ currency }) => currency !== null);
      const decimals = new Set(amounts.map((amount) => plainDecimal(amount.decimal)));
      // In `79,00 € Versand 5,95 € · ab 120 €`, the money before `ab 120 €` is another price.
      const others = decimals.size === 0 ? wider.replace(text, "") : wider.split(text, 1).join();
      const isOther = namesMoney(others);
      if (isOther || decimals.size > 1) break;
      label = wider;
    }
    return label;
  }

  #isPriceAfter(lead: string, { text, decimal, codes }: ShownPrice): boolean {
    if (codes.length === 0) return true;
    // A dash between a label and its price is not a minus sign, as in `Preis - 20 €`.
    return pricesInText(lead.replace(/[-−–—]\s*$/, ": ") + text, {
      locale: this.#search.writing.locale,
    })
      .some((price) => plainDecimal(price.decimal) === decimal && !price.isMarked);
  }
}

function isOfLink({ element: { children }, whole, isAlone }: ShownPrice): boolean {
  const { parent } = whole;
  if (isAlone && parent?.name === "li") {
    const before = childElements(parent, parent.children.indexOf(whole)).at(-1);
    if (before?.name === "a" && leadsElsewhere(before)) return true;
  }
  const at = children.findIndex((child) => typeof child === "string" && /\d/.test(child));
  const [before, text] = [children[at - 1], children[at]];
  return isAlone && typeof before === "object" && typeof text === "string" &&
    before.name === "a" && leadsElsewhere(before) && !/^\D*\p{L}{5}/u.test(text.slice(0, 40));
}

function leadsElsewhere({ attribs }: HtmlElement): boolean {
  const href = attribs.href?.slice(0, ATTRIBUTE_CHARACTERS_MAX).trim() ?? "";
  return href !== "" && !/^(?:#|javascript:|tel:|mailto:)/i.test(href);
}

/** Adds `one_of_many` if elements with equal tags and classes show many different prices. */
function withShapes(prices: readonly ScoredPrice[]): readonly ScoredPrice[] {
  const alike = [...Map.groupBy(prices, ({ element }) => shapeOf(element)).values()];
  const many = new Set(
    alike.filter((some) => new Set(some.map(({ decimal }) => decimal)).size >= MANY).flat(),
  );
  return prices.map((price) => many.has(price) ? withFeature(price, "one_of_many") : price);
}

function shapeOf(element: HtmlElement): string {
  return ancestorsOf(element, 3).map(({ name, attribs }) =>
    `${name}.${attribs.class?.slice(0, ATTRIBUTE_CHARACTERS_MAX).trim() ?? ""}`
  ).join(">");
}

function withSupport(prices: readonly ScoredPrice[], places: ShownPlaces): readonly ScoredPrice[] {
  const attributes = attributePrices(places.priceAttributes);
  const byScore = prices.toSorted((a, b) => b.score - a.score);
  const best = [...new Set(byScore.map(({ decimal }) => decimal))].slice(0, 5);
  const scripts = scriptPrices(places, best);
  return prices.map((price) => {
    const inAttribute = attributes.has(price.decimal) ? withFeature(price, "attribute") : price;
    return scripts.has(price.decimal) ? withFeature(inAttribute, "script") : inAttribute;
  });
}

function withRanks(prices: readonly ScoredPrice[]): readonly ScoredPrice[] {
  // The first clearly shown price may be below another heading, so `other_part` is ignored here.
  const first = prices.find((price) => withoutFeature(price, "other_part").score >= WELL_SHOWN);
  return prices.map((price) => {
    const isAgain = price.score >= AGAIN_SCORE &&
      prices.some((other) =>
        other !== price && other.score >= AGAIN_SCORE && other.element !== price.element &&
        isSameAmount(other, price)
      );
    const placed = isAgain ? withFeature(price, "again") : price;
    return price === first ? withFeature(placed, "first_good") : placed;
  });
}
