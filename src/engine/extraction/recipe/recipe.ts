/**
 * A recipe says where a shop shows its price. A recipe is learned, taught by a person, or shipped
 * with the service. Recipes are learned from digests: short extracts of pages, with prices and
 * selectors but no HTML.
 */
import { ancestorsOf, type HtmlElement, TEST_IDS, textOf } from "../page/html_element.ts";
import { isSameAmount, type WrittenAmount } from "../amount.ts";
import { has, type ScoredPrice } from "../shown/scored_price.ts";
import { isMadeWord, type StatePrice } from "../script_data.ts";

/** Either `selector` or `statePath` is set. */
export interface PricePlace {
  readonly selector?: string | undefined;
  /** Path of a value in the data of a script (`script_data.ts`). */
  readonly statePath?: string | undefined;
}

export function placeText({ selector, statePath }: PricePlace): string {
  return selector ?? statePath ?? "";
}

export interface RecipeSelector extends PricePlace {
  readonly hits: number;
  readonly agreements: number;
  readonly contradictions: number;
}

/** The source with the highest precedence comes first. */
export const RECIPE_SOURCES = ["taught", "learned", "shipped"] as const;

export type RecipeSource = (typeof RECIPE_SOURCES)[number];

export interface PageRecipe {
  readonly source: RecipeSource;
  /** The first selector that finds a price is used. */
  readonly selectors: readonly RecipeSelector[];
  /** Maximum confidence of the recipe's prices, such as 0.7 for unconfirmed prices. */
  readonly confidenceMost: number;
  /**
   * True if the recipe fails too often, or if no page has confirmed it for a long time. The price
   * of a doubted recipe does not lower the confidence of other prices.
   */
  readonly isDoubted: boolean;
}

export const RECIPE_SELECTORS_MAX = 6;

/** In `selectors` and in `statePaths`, the most exact entry comes first. */
export interface ShippedRecipe {
  /** The shop's domain without `www`. */
  readonly domain: string;
  readonly selectors?: readonly string[];
  readonly statePaths?: readonly string[];
}

/** Recipes that Kurant ships, made from shop pages of 2020 and 2021. */
export const SHIPPED_RECIPES: readonly ShippedRecipe[] = [
  {
    domain: "argos.co.uk",
    selectors: ['[data-test="product-price-primary"] h2'],
  },
  {
    domain: "jumbo.ch",
    statePaths: [
      "__PRELOADED_STATE__ $.page.server_data.product.product.variants[0].prices.price / 100",
    ],
  },
  {
    domain: "mediamarkt.pt",
    selectors: ['span[itemprop="price"] div', "span.bigprices.active > div > div"],
    statePaths: ["product $.price / 100"],
  },
  {
    domain: "shop.bestseller.com",
    selectors: ["div.nonsticky-price__container--visible > em.value__price"],
    statePaths: ["dataLayer $[0].ecommerce.detail.products[0].salesPrice"],
  },
  {
    domain: "zara.com",
    selectors: ["#product span.main-price", "div.price > span.main-price"],
    statePaths: ["zara.dataLayer $.product.price / 100"],
  },
];

export function isOfRecipe(method: string): boolean {
  return method === "recipe" || method === "taught";
}

const ANCESTORS_MAX = 12;
/** `recipe_store.ts` refuses longer selectors. */
const SELECTOR_CHARACTERS_MAX = 300;
const LABEL_CHARACTERS_MAX = 30;
const LABEL = /^\p{L}[\p{L} :.-]*$/u;
const HEADINGS = /^h[1-6]$/;
const ROOTS: ReadonlySet<string> = new Set(["form", "main", "article", "h1", "body"]);

export class PlaceSelectors {
  readonly #steps = new Map<HtmlElement, ElementNames>();
  readonly #known = new Map<HtmlElement, readonly string[]>();

  /** Returns at most eight CSS selectors of `element`, the most exact selector first. */
  of(element: HtmlElement): readonly string[] {
    return this.#known.getOrInsertComputed(element, () => this.#read(element));
  }

  #read(element: HtmlElement): readonly string[] {
    const own = this.#namesOf(element);
    const parent = realParent(element);
    const grandparent = parent && realParent(parent);
    const named = this.#namedAncestor(element);
    const [step, above, top] = [
      own.step,
      parent && this.#namesOf(parent).step,
      grandparent && this.#namesOf(grandparent).step,
    ];
    const within = named && `${named} ${step}`;
    const words = [
      own.id,
      own.testId,
      own.property,
      own.spoken,
      within,
      above && top && `${top} > ${above} > ${step}`,
      above && `${above} > ${step}`,
      step,
    ];
    const selectors = [...new Set(words.filter((one) => one !== null && /[.#[]/.test(one)))];
    if (selectors.every((one) => one === within)) {
      selectors.push(this.#labelled(element), this.#positioned(element));
    }
    return selectors.filter((one) => one !== null)
      .filter((one) => one.length <= SELECTOR_CHARACTERS_MAX);
  }

  /** Selects by the label before the element or its parent: `dt:contains("Preis") + dd`. */
  #labelled(element: HtmlElement): string | null {
    let path = "";
    let at: HtmlElement | null = element;
    for (let level = 0; level < 2 && at?.parent; level++, at = at.parent) {
      const { label } = amongSiblings(at) ?? {};
      const text = label && !HEADINGS.test(label.name) && textOf(label, LABEL_CHARACTERS_MAX + 1);
      if (label && text && isLabel(text)) {
        return `${tagOf(label)}:contains("${text}") + ${tagOf(at)}${path}`;
      }
      path = ` > ${tagOf(at)}${path}`;
    }
    return null;
  }

  /** Selects by position below the nearest ancestor with a name: `#offer > div:nth-of-type(2)`. */
  #positioned(element: HtmlElement): string | null {
    let path = "";
    let at = element;
    for (let level = 0; level < ANCESTORS_MAX; level++) {
      const parent = realParent(at);
      const siblings = amongSiblings(at);
      if (!parent || !siblings) return null;
      path = ` > ${tagOf(at)}:nth-of-type(${siblings.nth})${path}`;
      const { id, testId, property, spoken } = this.#namesOf(parent);
      const root = id ?? testId ?? property ?? spoken;
      if (root !== null || ROOTS.has(parent.name)) return `${root ?? parent.name}${path}`;
      at = parent;
    }
    return path.slice(" > ".length);
  }

  #namedAncestor(element: HtmlElement): string | null {
    for (const at of ancestorsOf(element, ANCESTORS_MAX).slice(1)) {
      const { id, testId, property } = this.#namesOf(at);
      const name = id ?? testId ?? property;
      if (name !== null) return name;
    }
    return null;
  }

  #namesOf(element: HtmlElement): ElementNames {
    return this.#steps.getOrInsertComputed(element, namesOf);
  }
}

type ElementNames = ReturnType<typeof namesOf>;

function namesOf(element: HtmlElement) {
  const { attribs } = element;
  const name = tagOf(element);
  const spoken = attribs["aria-label"];
  const idOf = wordOf(attribs.id);
  const test = TEST_IDS.find((attribute) => wordOf(attribs[attribute]) !== null);
  const property = wordOf(attribs.itemprop);
  const classes = (attribs.class ?? "").split(/\s+/)
    .flatMap((word) => wordOf(word) ?? []).slice(0, 3);
  return {
    id: idOf === null ? null : `#${idOf}`,
    testId: test === undefined ? null : `[${test}="${attribs[test]}"]`,
    property: property === null ? null : `${name}[itemprop="${property}"]`,
    spoken: isLabel(spoken) ? `${name}[aria-label="${spoken}"]` : null,
    step: [name, ...classes].join("."),
  };
}

function tagOf({ name }: HtmlElement): string {
  return /^[a-z][a-z0-9]{0,20}$/.test(name) ? name : "*";
}

function amongSiblings(element: HtmlElement) {
  let nth = 0;
  let label: HtmlElement | null = null;
  for (const sibling of element.parent?.children.slice(0, 100) ?? []) {
    if (typeof sibling === "string") continue;
    if (sibling.name === element.name) nth += 1;
    if (sibling === element) return { nth, label };
    label = sibling;
  }
  return null;
}

function isLabel(text: string | undefined): text is string {
  return text !== undefined && text.length <= LABEL_CHARACTERS_MAX && LABEL.test(text);
}

/** Returns null if the text has other signs than letters, `-` and `_`, or looks generated. */
function wordOf(text: string | undefined): string | null {
  if (text === undefined || text.length > 60) return null;
  if (!/^[A-Za-z][A-Za-z_-]*$/.test(text)) return null;
  return text.split(/[_-]+/).some(isMadeWord) ? null : text;
}

function realParent({ parent }: HtmlElement): HtmlElement | null {
  return parent?.parent ? parent : null;
}

export interface DigestPrice extends WrittenAmount {
  readonly score: number;
}

interface PlaceFind extends PricePlace {
  readonly at: number;
  readonly amounts: number;
}

export interface DigestReference extends WrittenAmount {
  readonly isMarked: boolean;
}

export type PageDigest = Readonly<ReturnType<typeof digestOf>>;

export interface PagePrices {
  readonly shown: readonly ScoredPrice[];
  readonly state: readonly StatePrice[];
}

export const DIGEST_BYTES_MAX = 4_096;
const ROOM = 64;

export function inPageOrder(prices: readonly ScoredPrice[]): readonly ScoredPrice[] {
  const rank = (price: ScoredPrice) => Number(has(price, "struck", "old"));
  return prices.toSorted((a, b) => rank(a) - rank(b) || a.at - b.at);
}

export function stateAmount(state: StatePrice, shown: readonly ScoredPrice[]): DigestPrice {
  const place = shown.find((price) => isSameAmount(price, state));
  const { decimal } = state;
  if (!place) return { decimal, codes: state.codes, score: 0 };
  const codes = state.codes.length > 0 ? state.codes : place.codes;
  return { decimal, codes, score: place.score };
}

/** Prices equal to `wanted` (from `plainDecimal`) come first, because a digest is limited. */
export function digestOf(
  { shown: prices, state }: PagePrices,
  reference: DigestReference | null,
  wanted: string | null = null,
) {
  const places = new PlaceSelectors();
  const finds = new Map<string, { readonly first: ScoredPrice; readonly amounts: Set<string> }>();
  for (const price of inPageOrder(prices)) {
    for (const selector of places.of(price.whole)) {
      finds.getOrInsertComputed(selector, () => ({ first: price, amounts: new Set() }))
        .amounts.add(price.decimal);
    }
  }
  const kept = keeping(reference);
  const isWanted = ({ decimal }: Pick<DigestPrice, "decimal">) => decimal === wanted;
  const rank = (price: DigestPrice) => {
    if (isWanted(price) || (reference !== null && isSameAmount(price, reference))) return 0;
    return price.score > 0 ? 1 : 2;
  };
  const inState = placesInState(state, prices).toSorted((a, b) => rank(a.price) - rank(b.price));
  for (const { statePath, price, count } of inState) {
    // Script paths may fill only about 1,200 bytes, to leave room for shown prices.
    if (kept.bytes() > 1_200) break;
    kept.find({ statePath }, price, count);
  }
  for (const price of prices.toSorted((a, b) => Number(isWanted(b)) - Number(isWanted(a)))) {
    if (!kept.put(price)) break;
    for (const selector of places.of(price.whole)) {
      const find = finds.get(selector);
      if (find) kept.find({ selector }, find.first, find.amounts.size);
    }
  }
  return {
    /** The price that other methods found on the page; null if it is not reliable enough. */
    reference,
    prices: kept.prices,
    finds: kept.finds,
  };
}

function placesInState(state: readonly StatePrice[], shown: readonly ScoredPrice[]) {
  const amounts = Map.groupBy(state, ({ statePath }) => statePath);
  return [...amounts].flatMap(([statePath, own]) => {
    const count = new Set(own.map(({ decimal }) => decimal)).size;
    return own.slice(0, 1).map((first) => ({ statePath, price: stateAmount(first, shown), count }));
  });
}

/** Collects the content of a digest: at most 40 prices and `DIGEST_BYTES_MAX` bytes. */
function keeping(reference: DigestReference | null) {
  const kept = { prices: new Array<DigestPrice>(), finds: new Array<PlaceFind>() };
  const places = new Map<DigestPrice, number>();
  const known = new Set<string>();
  let bytes = ROOM + JSON.stringify(reference).length;
  const fits = (part: DigestPrice | PlaceFind) => {
    const more = JSON.stringify(part).length + 1;
    if (bytes + more > DIGEST_BYTES_MAX) return false;
    bytes += more;
    return true;
  };
  const put = (price: DigestPrice) => {
    if (places.has(price)) return true;
    const { decimal, codes, score } = price;
    const own = { decimal, codes, score };
    if (kept.prices.length >= 40 || !fits(own)) return false;
    places.set(price, kept.prices.push(own) - 1);
    return true;
  };
  const find = (place: PricePlace, first: DigestPrice, amounts: number) => {
    if (known.has(placeText(place)) || !put(first)) return;
    const one = { ...place, at: places.get(first) ?? 0, amounts };
    if (!fits(one)) return;
    known.add(placeText(place));
    kept.finds.push(one);
  };
  return { ...kept, put, find, bytes: () => bytes };
}
