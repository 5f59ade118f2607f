/**
 * Turns the schema.org entities of a page into candidates (possible prices) with their products,
 * variants and offers.
 */
import { readCondition } from "../../../base/codes.ts";
import {
  type Amount,
  BARE_OFFER,
  type Candidate,
  currencyOf,
  type Identity,
  NO_TRAITS,
  plainDecimal,
  readAmount,
  type Subject,
  type VariantTraits,
  type Writing,
} from "../amount.ts";
import { readAvailability } from "../shop_words.ts";
import {
  amountsOf,
  CURRENCIES,
  type Entity,
  GTINS,
  isAggregate,
  isForQuantities,
  isLowest,
  isSubscription,
  localName,
  OFFER_TYPES,
  OFFERS,
  PRICES,
  PRODUCT_TYPES,
  type RootEntity,
  setOf,
  SKUS,
  specifiedPrices,
  TRAITS,
} from "./entity.ts";

const PAGE_TYPES = setOf(
  "website webpage itempage collectionpage webpageelement thing breadcrumblist itemlist listitem " +
    "offercatalog aggregaterating review action tradeaction buyaction orderaction",
);
const RELATED_PROPERTIES = setOf(
  "isrelatedto issimilarto isaccessoryorsparepartfor isconsumablefor relatedlink related " +
    "recommends recommendations addon predecessorof successorof significantlink isbasedon",
);
const LISTED_PROPERTIES = setOf("itemlistelement hasoffercatalog makesoffer itemoffered");
const MAIN_PROPERTIES = setOf("mainentity mainentityofpage");
const VARIANTS = ["hasvariant", "model"] as const;
const PAID_PRICES = "sales sale sellingprice current currentprice final now price".split(" ");

interface OfferContext extends Omit<Candidate, "amount"> {
  readonly writing: Writing;
}

const NESTING_MAX = 2;
const NOT_NEW = /used|refurb|renewed|damaged|open.?box|gebraucht|b-ware/i;
const NOT_FOR_SALE = /^(?:leaseout|lease|rent|rental|buy|dispose|repair|maintain)$/;

/** Uses the prices of inner offers, or else `price` or `lowPrice`, or else price specifications. */
function candidatesOfOffers(
  offers: readonly Entity[],
  outer: OfferContext,
  seen = new Set<Entity>(),
  depth = 0,
): Candidate[] {
  return offers.flatMap((offer) => {
    if (seen.has(offer)) return [];
    seen.add(offer);
    if (isNotForEverybody(offer)) return [];
    const context = contextOf(offer, outer);
    const inner = depth < NESTING_MAX ? offer.entities(...OFFERS) : [];
    const nested = candidatesOfOffers(inner, context, seen, depth + 1);
    const isPriced = nested.some(({ amount }) => "decimal" in amount);
    return isPriced ? nested : ownCandidates(offer, context);
  });
}

function ownCandidates(offer: Entity, { writing, ...context }: OfferContext): Candidate[] {
  const { prices, ...specified } = specifiedPrices(offer, writing);
  const own = distinct(pricesOf(offer, writing));
  const amounts = own.some((amount) => "decimal" in amount) || prices.length === 0 ? own : prices;
  return amounts.map((amount) => {
    return { ...context, ...specified, amount, isLowest: isLowest(offer, amount, writing) };
  });
}

function bounded({ names, urls, gtins, numbers }: Identity): Identity {
  return {
    names: names.slice(0, 20),
    urls: urls.slice(0, 20),
    gtins: gtins.slice(0, 100),
    numbers: numbers.slice(0, 100),
  };
}

function identityOf(entity: Entity): Identity {
  const all = (...names: readonly string[]) => entity.texts(...names).map(({ text }) => text);
  return bounded({
    names: all("name"),
    urls: all("url", "@id", "mainentityofpage"),
    gtins: all(...GTINS),
    numbers: all(...SKUS, "mpn"),
  });
}

function conditionOf(entity: Entity): Pick<Candidate, "isNew" | "condition"> | null {
  return conditionIn(entity.text("itemcondition", "condition"));
}

export function conditionIn(text: string | null): Pick<Candidate, "isNew" | "condition"> | null {
  if (text === null) return null;
  const isNew = !NOT_NEW.test(text);
  const known = readCondition(text);
  return { isNew, condition: known ?? (isNew ? null : "used") };
}

function makerOf(product: Entity): Pick<Subject, "brand" | "mpn" | "sku"> {
  const [maker] = product.entities("brand", "manufacturer");
  return {
    brand: maker?.text("name") ?? product.text("brand", "manufacturer"),
    mpn: product.text("mpn"),
    sku: product.text("sku"),
  };
}

function contextOf(offer: Entity, outer: OfferContext): OfferContext {
  const own = identityOf(offer);
  const currency = currencyIn(offer) ?? outer.writing.currency;
  const stocks = offer.texts("availability").map(({ text }) => readAvailability(text));
  return {
    ...outer,
    offer: bounded({
      names: outer.isVariant || own.names.length === 0 ? outer.offer.names : own.names,
      urls: own.urls.length > 0 ? own.urls : outer.offer.urls,
      gtins: [...own.gtins, ...outer.offer.gtins],
      numbers: [...own.numbers, ...outer.offer.numbers],
    }),
    writing: { ...outer.writing, currency },
    availability: stocks.find((known) => known !== "unknown") ?? outer.availability,
    traits: traitsOf(offer, outer.traits),
    ...conditionOf(offer),
    seller: sellerOf(offer) ?? outer.seller,
  };
}

function traitsOf(entity: Entity, outer: VariantTraits): VariantTraits {
  const named = TRAITS.flatMap((name) => {
    const [inner] = entity.entities(name);
    const value = entity.text(name) ?? (inner && valueIn(inner)) ?? null;
    return value === null ? [] : [{ name, value }];
  });
  const others = entity.someEntities("additionalproperty").slice(0, 12)
    .flatMap((property) => {
      const value = valueIn(property);
      return value === null ? [] : [{ name: property.text("name"), value }];
    });
  const attributes = named.length > 0 ? named : others;
  const mpn = entity.text("mpn") ?? outer.mpn;
  const sku = entity.text("sku") ?? outer.sku;
  if (attributes.length === 0 && mpn === outer.mpn && sku === outer.sku) return outer;
  return { ids: [], attributes: attributes.length > 0 ? attributes : outer.attributes, mpn, sku };
}

function valueIn(entity: Entity): string | null {
  const value = entity.text("value") ?? entity.text("name");
  if (value === null) return null;
  const unit = entity.text("unittext") ?? UNITS[entity.text("unitcode") ?? ""];
  return unit ? `${value} ${unit}` : value;
}

/** Keys are unit codes of UN/CEFACT Recommendation 20. */
const UNITS: Readonly<Record<string, string>> = {
  MMT: "mm",
  CMT: "cm",
  MTR: "m",
  INH: "inch",
  MLT: "ml",
  LTR: "l",
  GRM: "g",
  KGM: "kg",
  "4L": "MB",
  E34: "GB",
  E35: "TB",
  C62: "",
};

function sellerOf(offer: Entity): string | null {
  const [seller] = offer.entities("seller", "offeredby");
  return seller?.text("name") ?? offer.text("seller");
}

function currencyIn(offer: Entity): string | null {
  return [offer, ...offer.entities("pricespecification")]
    .flatMap((entity) => currencyOf(entity.text(...CURRENCIES)) ?? [])[0] ?? null;
}

function isNotForEverybody(offer: Entity): boolean {
  const purposes = offer.texts("businessfunction").map(({ text }) => localName(text));
  const isRented = purposes.length > 0 && purposes.every((purpose) => NOT_FOR_SALE.test(purpose));
  return isRented || offer.has("validformembertier") ||
    isForQuantities(offer) || isSubscription(offer);
}

function pricesOf(offer: Entity, writing: Writing): Amount[] {
  const unpriced: Amount[] = [];
  for (const name of isAggregate(offer) ? PRICES.toReversed() : PRICES) {
    const texts = offer.texts(name).slice(0, 10);
    const machine = texts.filter(({ kind }) => kind !== "shown");
    const amounts = (machine.length > 0 ? machine : texts).map((text) => readAmount(text, writing));
    const entities = offer.entities(name).slice(0, 10);
    amounts.push(...entities.flatMap((entity) => moneyOf(entity, writing)));
    // Some shops write the price into only one of `price` and `lowPrice`, and 0 into the other.
    const isPriceless = amounts.every((amount) =>
      "reason" in amount && amount.reason === "no_price"
    );
    if (!isPriceless) return amounts;
    unpriced.push(...amounts);
  }
  return unpriced;
}

function moneyOf(money: Entity, writing: Writing, depth = 0): Amount[] {
  const inner = depth < NESTING_MAX ? money.entities(...PAID_PRICES).slice(0, 1) : [];
  if (inner[0]) return moneyOf(inner[0], writing, depth + 1);
  return amountsOf(money, ["value", ...PRICES], writing);
}

function distinct(amounts: readonly Amount[]): Amount[] {
  const priced = amounts.filter((amount) => "decimal" in amount);
  if (priced.length === 0) return amounts.slice(0, 1);
  const kept = [...Map.groupBy(priced, ({ decimal }) => plainDecimal(decimal)).values()]
    .flatMap(([first]) => first ?? []);
  return kept.map((amount) => ({ ...amount, isSure: amount.isSure && kept.length === 1 }));
}

type Standing = Subject["standing"];

const ITEMS_MAX = 1_000;

/** Offers without a product are used only if no product has a price or a priced offer. */
export function candidatesOfEntities(roots: readonly RootEntity[], writing: Writing): Candidate[] {
  const walk = new EntityWalk(writing);
  for (const { entity, as, isInsideProduct } of roots) {
    const standing = isInsideProduct ? "related" : standingThrough("own", as);
    walk.visit(entity, standing);
  }
  return walk.candidates();
}

class EntityWalk {
  readonly #writing: Writing;
  readonly #seen = new Set<Entity>();
  readonly #related = new Set<Entity>();
  readonly #products: { entity: Entity; candidates: Candidate[] }[] = [];
  readonly #orphans: Candidate[] = [];

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  candidates(): Candidate[] {
    const products = this.#products.filter(({ entity }) => !this.#related.has(entity))
      .flatMap(({ candidates }) => candidates);
    const hasPrice = products.some(({ amount }) => "decimal" in amount);
    return hasPrice ? products : [...products, ...this.#orphans];
  }

  visit(root: Entity, standing: Standing): void {
    const waiting: [Entity, Standing][] = [[root, standing]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [entity, place] = next;
      if (place === "related" || this.#seen.has(entity)) continue;
      this.#seen.add(entity);
      if (entity.is(PRODUCT_TYPES)) this.#addProduct(entity, place);
      else if (entity.is(OFFER_TYPES)) this.#addOffer(entity, place);
      else if (entity.types.length === 0 || entity.is(PAGE_TYPES)) {
        for (const [name, part] of entity.parts.toReversed()) {
          waiting.push([part, standingThrough(place, [name])]);
        }
      }
    }
  }

  #addProduct(product: Entity, standing: Standing): void {
    if (this.#products.length >= ITEMS_MAX) return;
    for (const entity of product.entities(...RELATED_PROPERTIES)) this.#related.add(entity);
    const context = this.#contextOf(product, standing);
    const variants = new Set(product.entities(...VARIANTS));
    variants.delete(product);
    for (const entity of [...variants, ...product.entities(...OFFERS)]) this.#seen.add(entity);

    const priced = [
      ...offersOfProduct(product, context),
      ...[...variants].flatMap((variant) =>
        offersOfProduct(variant, variantContext(variant, context))
      ),
    ];
    const candidates = priced.length > 0 ? priced : [withoutPrice(product, context)];
    this.#products.push({ entity: product, candidates });
  }

  #addOffer(offer: Entity, standing: Standing): void {
    const offered = offer.entities("itemoffered");
    const product = offered.find((entity) => entity.is(PRODUCT_TYPES));
    if (product) {
      if (this.#products.length >= ITEMS_MAX) return;
      this.#seen.add(product);
      const context = this.#contextOf(product, standing);
      this.#products.push({ entity: product, candidates: candidatesOfOffers([offer], context) });
    } else if (offered.every(({ types }) => types.length === 0)) {
      if (this.#orphans.length >= ITEMS_MAX) return;
      for (const candidate of candidatesOfOffers([offer], this.#contextOf(offer, standing))) {
        this.#orphans.push(candidate);
      }
    }
  }

  #contextOf(entity: Entity, standing: Standing): OfferContext {
    return {
      ...BARE_OFFER,
      subject: { ...identityOf(entity), ...makerOf(entity), standing },
      writing: this.#writing,
      ...conditionOf(entity),
    };
  }
}

/** Some shops write price and currency into the product and not into an offer. */
function offersOfProduct(product: Entity, context: OfferContext): Candidate[] {
  const offers = product.entities(...OFFERS).slice(0, ITEMS_MAX);
  const candidates = candidatesOfOffers(offers, context);
  if (candidates.length > 0 || isNotForEverybody(product)) return candidates;
  return ownCandidates(product, contextOf(product, context));
}

function variantContext(variant: Entity, context: OfferContext): OfferContext {
  return {
    ...context,
    offer: identityOf(variant),
    traits: traitsOf(variant, NO_TRAITS),
    ...conditionOf(variant),
    isVariant: true,
  };
}

function withoutPrice(product: Entity, context: OfferContext): Candidate {
  const { writing: _, ...own } = context;
  const availability = product.entities(...OFFERS).values()
    .map((offer) => contextOf(offer, context).availability).find((one) => one !== "unknown");
  return { ...own, amount: { reason: "no_price" }, availability: availability ?? "unknown" };
}

function standingThrough(standing: Standing, properties: readonly string[]): Standing {
  if (properties.some((name) => RELATED_PROPERTIES.has(name))) return "related";
  if (standing !== "own") return standing;
  if (properties.some((name) => LISTED_PROPERTIES.has(name))) return "listed";
  return properties.some((name) => MAIN_PROPERTIES.has(name)) ? "main" : "own";
}
