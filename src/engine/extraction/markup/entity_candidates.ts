import type { Writing } from "../amount.ts";
import { BARE_OFFER, type Candidate, type Subject } from "../candidate.ts";
import { entitiesOf, type Entity, hasType, isEntity, type RootEntity } from "../entity.ts";
import {
  candidatesOfOfferItself,
  candidatesOfOffers,
  conditionOf,
  identityOf,
  makerOf,
  type OfferContext,
  stockOfOffers,
} from "./entity_offer.ts";
import {
  LISTED_PROPERTIES,
  MAIN_PROPERTIES,
  OFFER_TYPES,
  OFFERS,
  PAGE_TYPES,
  PRODUCT_TYPES,
  RELATED_PROPERTIES,
  VARIANTS,
} from "./product_terms.ts";

type Standing = Subject["standing"];

/** No honest page describes more products, no honest product has more offers; the rest is not read. */
const PRODUCTS_MAX = 2_000;
const OFFERS_MAX = 1_000;

/**
 * All products and prices that the entities of a page describe, in their order. Products that are
 * only named as related to another one are left out; an offer of something else than a product, an
 * event for one, is no price. Offers that belong to no product count where no product has a price.
 */
export function candidatesOfEntities(
  roots: readonly RootEntity[],
  writing: Writing,
): Candidate[] {
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
      if (hasType(entity, PRODUCT_TYPES)) this.#addProduct(entity, place);
      else if (hasType(entity, OFFER_TYPES)) this.#addOffer(entity, place);
      else if (entity.types.length === 0 || hasType(entity, PAGE_TYPES)) {
        for (const part of partsOf(entity, place).toReversed()) waiting.push(part);
      }
    }
  }

  #addProduct(product: Entity, standing: Standing): void {
    if (this.#products.length >= PRODUCTS_MAX) return;
    for (const entity of entitiesOf(product, ...RELATED_PROPERTIES)) this.#related.add(entity);
    const context = this.#contextOf(product, standing);
    const variants = new Set(entitiesOf(product, ...VARIANTS));
    variants.delete(product);
    for (const entity of [...variants, ...entitiesOf(product, ...OFFERS)]) this.#seen.add(entity);

    const priced = [
      ...offersOfProduct(product, context),
      ...[...variants].flatMap((variant) =>
        offersOfProduct(variant, variantContext(variant, context))
      ),
    ];
    const availability = priced.length > 0
      ? context.availability
      : stockOfOffers(entitiesOf(product, ...OFFERS), context);
    const candidates = priced.length > 0 ? priced : [withoutPrice({ ...context, availability })];
    this.#products.push({ entity: product, candidates });
  }

  /** An offer that is no product's: what it offers stands the other way round, or nowhere. */
  #addOffer(offer: Entity, standing: Standing): void {
    const offered = entitiesOf(offer, "itemoffered");
    const product = offered.find((entity) => hasType(entity, PRODUCT_TYPES));
    if (product) {
      if (this.#products.length >= PRODUCTS_MAX) return;
      this.#seen.add(product);
      const context = this.#contextOf(product, standing);
      this.#products.push({ entity: product, candidates: candidatesOfOffers([offer], context) });
    } else if (offered.every(({ types }) => types.length === 0)) {
      if (this.#orphans.length >= OFFERS_MAX) return;
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

/** The prices of its offers; some shops put price and currency on the product itself. */
function offersOfProduct(product: Entity, context: OfferContext): Candidate[] {
  const candidates = candidatesOfOffers(
    entitiesOf(product, ...OFFERS).slice(0, OFFERS_MAX),
    context,
  );
  return candidates.length > 0 ? candidates : candidatesOfOfferItself(product, context);
}

function variantContext(variant: Entity, context: OfferContext): OfferContext {
  return {
    ...context,
    offer: identityOf(variant),
    ...conditionOf(variant),
    isVariant: true,
  };
}

function withoutPrice({ writing: _, ...said }: OfferContext): Candidate {
  return { ...said, amount: { reason: "no_price" } };
}

function partsOf(entity: Entity, standing: Standing): [Entity, Standing][] {
  return [...entity.properties].flatMap(([name, values]) =>
    values.filter(isEntity).map((part): [Entity, Standing] => [
      part,
      standingThrough(standing, [name]),
    ])
  );
}

function standingThrough(standing: Standing, properties: readonly string[]): Standing {
  if (properties.some((name) => RELATED_PROPERTIES.has(name))) return "related";
  if (standing !== "own") return standing;
  if (properties.some((name) => LISTED_PROPERTIES.has(name))) return "listed";
  return properties.some((name) => MAIN_PROPERTIES.has(name)) ? "main" : "own";
}
