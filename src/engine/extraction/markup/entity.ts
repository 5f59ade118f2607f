/**
 * Entities of schema.org, and of its predecessor data-vocabulary.org, as pages describe them in
 * JSON-LD, microdata or RDFa. All names and types are in lower case, because pages use capitals
 * inconsistently.
 */
import { priceMentions } from "../../../base/price_mention.ts";
import {
  type Amount,
  compareDecimals,
  currencyOf,
  readAmount,
  type Shipping,
  type TextValue,
  type Writing,
} from "../amount.ts";
import { type HtmlElement, isStruck, textOf } from "../page/html_element.ts";

/** Events, games and apps are products only if they also have one of these types. */
export const PRODUCT_TYPES = setOf(
  "product productgroup productmodel individualproduct someproducts vehicle car motorcycle " +
    "motorizedbicycle busorcoach book audiobook movie musicalbum drug dietarysupplement",
);

export const OFFER_TYPES = setOf("offer aggregateoffer offer-aggregate offerforpurchase");

export const OFFERS = ["offers", "offerdetails"] as const;
export const PRICES = ["price", "lowprice"] as const;
export const CURRENCIES = ["pricecurrency", "currency"] as const;
export const GTINS = ["gtin13", "gtin", "gtin8", "gtin12", "gtin14", "ean", "isbn"] as const;
export const SKUS = ["sku", "productid", "identifier", "serialnumber"] as const;

export const TRAITS = ["size", "color", "colour", "material", "pattern", "capacity"] as const;

const LIST_PRICE_TYPES = setOf(
  "listprice strikethroughprice srp msrp regularprice suggestedretailprice",
);

const OTHER_PRICE_TYPES = setOf(
  "invoiceprice minimumadvertisedprice downpayment subscription distancefee localizedprice",
);

const BILLING = ["billingduration", "billingincrement"] as const;

const CONDITIONS_OF_PRICE = [
  ..."validformembertier membershippointsearned eligibletransactionvolume".split(" "),
  ...BILLING,
] as const;

const CHARGE_TYPES = setOf("deliverychargespecification paymentchargespecification");

export const WORDS_OF_SCHEMA = setOf(
  "availability itemcondition condition businessfunction pricetype",
);

export const READ_PROPERTIES: ReadonlySet<string> = new Set([
  ...PRICES,
  ...CURRENCIES,
  ...GTINS,
  ...SKUS,
  ...WORDS_OF_SCHEMA,
  ..."name url mpn brand manufacturer".split(" "),
  ..."value minvalue maxvalue unitcode unittext referencequantity".split(" "),
  ..."valueaddedtaxincluded highprice seller".split(" "),
  ...CONDITIONS_OF_PRICE,
  ...TRAITS,
]);

export function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

const VALUES_PER_PROPERTY_MAX = 100;

export type Value = TextValue | Entity;

export class Entity {
  /** Local names in lower case: `product` for `https://schema.org/Product`. */
  readonly types: readonly string[];
  readonly #texts = new Map<string, TextValue[]>();
  /** Child entities by property name. An entity can be its own descendant. */
  readonly #entities = new Map<string, Entity[]>();

  constructor(types: readonly string[]) {
    this.types = types;
  }

  add(name: string, ...values: readonly Value[]): void {
    for (const value of values) {
      if (value instanceof Entity) this.#entities.getOrInsertComputed(name, () => []).push(value);
      else if (!this.isFull(name)) this.#texts.getOrInsertComputed(name, () => []).push(value);
    }
  }

  isFull(name: string): boolean {
    return (this.#texts.get(name)?.length ?? 0) >= VALUES_PER_PROPERTY_MAX;
  }

  is(types: ReadonlySet<string>): boolean {
    return this.types.some((type) => types.has(type));
  }

  has(name: string): boolean {
    return this.#texts.has(name) || this.#entities.has(name);
  }

  get parts(): [name: string, part: Entity][] {
    return [...this.#entities].flatMap(([name, parts]) =>
      parts.map((part): [string, Entity] => [name, part])
    );
  }

  entities(...names: readonly string[]): Entity[] {
    return names.flatMap((name) => this.#entities.get(name) ?? []);
  }

  someEntities(name: string): Entity[] {
    return this.entities(name).slice(0, VALUES_PER_PROPERTY_MAX);
  }

  texts(...names: readonly string[]): TextValue[] {
    return names.flatMap((name) => this.#texts.get(name) ?? []).filter(({ text }) => text !== "");
  }

  text(...names: readonly string[]): string | null {
    return this.texts(...names)[0]?.text ?? null;
  }
}

export interface RootEntity {
  readonly entity: Entity;
  /** Names in the element's `itemprop` or `property`, such as `offers`. */
  readonly as: readonly string[];
  /** True if the entity is in a product's element, but no `itemprop` or `property` links them. */
  readonly isInsideProduct: boolean;
}

export function localName(name: string): string {
  const before = Math.max(name.lastIndexOf("/"), name.lastIndexOf("#"), name.lastIndexOf(":"));
  return name.slice(before + 1).trim().toLowerCase();
}

export function wordsOfAttribute(text = ""): string[] {
  return text.slice(0, 2000).split(/\s/).filter((word) => word !== "").slice(0, 50);
}

export function localNames(attribute: string | undefined): string[] {
  return wordsOfAttribute(attribute).map(localName);
}

const VALUE_CHARACTERS_MAX = 500;
const ADDRESSES: ReadonlySet<string> = new Set(
  "url availability itemcondition condition businessfunction pricetype mainentityofpage".split(" "),
);

export function valueOfElement(element: HtmlElement, property: string): TextValue {
  const { href, src, resource, value } = element.attribs;
  const content = cut(element.attribs.content ?? "");
  const isPrice = property.endsWith("price");
  if (content !== "") {
    const shown = isPrice ? textOf(element, 100) || null : null;
    return { text: content, kind: "machine", shown };
  }
  const address = ADDRESSES.has(property) ? href ?? resource ?? src : undefined;
  if (address !== undefined) return { text: cut(address), kind: "machine", shown: null };
  if (value !== undefined && /^(?:data|meter|input)$/.test(element.name)) {
    return { text: cut(value), kind: "machine", shown: null };
  }
  const text = textOf(element, VALUE_CHARACTERS_MAX);
  return { text: isPrice ? paidText(element, text) : text, kind: "shown", shown: null };
}

/** Removes struck-through text if a price remains, as in `<del>39 €</del> <ins>29 €</ins>`. */
function paidText(element: HtmlElement, whole: string): string {
  const text = textOf(element, VALUE_CHARACTERS_MAX, isStruck);
  if (text === whole) return whole;
  const isPriced = priceMentions(whole)?.some(({ currency }) => currency !== null);
  const isLeft = priceMentions(text)?.some(({ currency, isMarked }) =>
    !isMarked && (currency !== null || !isPriced)
  );
  return isLeft ? text : whole;
}

export function cut(text: string): string {
  return text.slice(0, VALUE_CHARACTERS_MAX).trim();
}

export function specifiedPrices(offer: Entity, writing: Writing) {
  const specifications = offer.someEntities("pricespecification").map((entity) => ({
    entity,
    type: localName(entity.text("pricetype") ?? ""),
    isCharge: entity.is(CHARGE_TYPES),
  }));
  const unconditional = specifications.filter(({ entity, isCharge, type }) =>
    !isCharge && !OTHER_PRICE_TYPES.has(type) && !isConditional(entity)
  );
  const prices = unconditional.filter(({ type }) => !LIST_PRICE_TYPES.has(type));
  const list = unconditional.filter(({ type }) => LIST_PRICE_TYPES.has(type));
  const delivery = specifications.filter(({ entity }) =>
    entity.types.includes("deliverychargespecification")
  );
  const amountIn = (entity: Entity) => amountsOf(entity, ["price"], writing).slice(0, 1);
  const net = prices.filter(({ entity }) => taxOf(entity) === "false");
  return {
    isNet: taxOf(offer) === "false" || (net.length > 0 && net.length === prices.length),
    prices: withoutNet(withoutRates(prices.map(({ entity }) => entity))).flatMap(amountIn),
    listPrice: list.flatMap(({ entity }) => amountIn(entity))
      .find((amount) => "decimal" in amount)?.decimal ?? null,
    shipping: shippingOf([
      ...delivery.map(({ entity }) => entity),
      ...offer.someEntities("shippingdetails").flatMap((details) =>
        details.someEntities("shippingrate")
      ),
    ]),
  };
}

function isConditional(specification: Entity): boolean {
  const isPerUnit = specification.has("referencequantity") &&
    !specification.entities("referencequantity").every(isOnePiece);
  return isPerUnit || isForQuantities(specification) ||
    CONDITIONS_OF_PRICE.some((name) => specification.has(name));
}

export function isForQuantities(entity: Entity): boolean {
  return entity.entities("eligiblequantity").some((quantity) =>
    Number(quantity.text("minvalue") ?? 0) > 1
  );
}

function withoutRates(specifications: readonly Entity[]): readonly Entity[] {
  const whole = specifications.filter((entity) =>
    !entity.texts("referencequantity", "unittext").some(({ text }) => MEASURE.test(text)) &&
    !entity.texts("unitcode").some(({ text }) => MEASURE_CODE.test(text))
  );
  return whole.length > 0 ? whole : specifications;
}

const MEASURE =
  /^[\d\s.,]*(?:mg|g|kg|ml|cl|dl|l|lit(?:er|re)s?|mm|cm|l?f?m|m²|m2|qm|m³|m3|kwh|monat|month)\.?$/i;
/** UN/CEFACT unit codes of prices per unit, such as a price per kilogram. */
const MEASURE_CODE =
  /^(?:MGM|GRM|HGM|KGM|TNE|LBR|ONZ|MLT|CLT|DLT|LTR|HLT|MTQ|MMT|CMT|MTR|CMK|MTK|KWH|HUR|DAY|WEE|MON|ANN)$/i;

function isOnePiece(quantity: Entity): boolean {
  return Number(quantity.text("value") ?? 1) === 1 &&
    (/^(?:C62|H87|EA|PCE|NAR|XPP)$/i.test(quantity.text("unitcode") ?? "") ||
      /^(?:St(?:ü|ue)ck|Stk?\.?|pcs?|pieces?|each)$/i.test(
        quantity.text("unittext") ?? "",
      ));
}

function withoutNet(specifications: readonly Entity[]): readonly Entity[] {
  const gross = specifications.filter((entity) => taxOf(entity) === "true");
  return gross.length > 0 ? gross : specifications;
}

function taxOf(entity: Entity): string | null {
  return entity.text("valueaddedtaxincluded")?.toLowerCase() ?? null;
}

export function isSubscription(offer: Entity): boolean {
  const specifications = offer.someEntities("pricespecification");
  return specifications.length > 0 &&
    specifications.every((entity) =>
      BILLING.some((name) => entity.has(name)) ||
      localName(entity.text("pricetype") ?? "") === "subscription"
    );
}

export function amountsOf(entity: Entity, names: readonly string[], writing: Writing): Amount[] {
  const currency = currencyOf(entity.text(...CURRENCIES)) ?? writing.currency;
  return entity.texts(...names).slice(0, 10).map((text) =>
    readAmount(text, { ...writing, currency })
  );
}

export function isAggregate({ types }: Entity): boolean {
  return types.some((type) => type.includes("aggregate"));
}

export function isLowest(offer: Entity, low: Amount, writing: Writing): boolean {
  return isAggregate(offer) && "decimal" in low &&
    amountsOf(offer, ["highprice"], writing).some((high) =>
      "decimal" in high && compareDecimals(high.decimal, low.decimal) > 0
    );
}

function shippingOf(rates: readonly Entity[]): Shipping | null {
  const decimals = rates.map((rate) => rate.text("value", "maxvalue", "price") ?? "");
  const currencies = new Set(
    rates.flatMap((rate) => currencyOf(rate.text(...CURRENCIES)) ?? []),
  );
  const [decimal = ""] = decimals;
  const isOne = currencies.size <= 1 && RATE.test(decimal) &&
    decimals.every((other) => RATE.test(other) && compareDecimals(other, decimal) === 0);
  return isOne ? { decimal, currency: [...currencies][0] ?? null } : null;
}

const RATE = /^\d{1,9}(?:\.\d{1,4})?$/;
