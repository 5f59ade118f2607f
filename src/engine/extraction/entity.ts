import type { WorkBudget } from "./work_budget.ts";

/** No honest property has more texts; what follows is not read. */
const TEXTS_MAX = 100;
const TYPES_MAX = 20;
const NAME_CHARACTERS_MAX = 300;
const UNITS_PER_ENTITY = 100;
const UNITS_PER_LOOK = 2;

/** A thing that a page describes in JSON-LD, microdata or RDFa; the three become one. */
export interface Entity {
  /** Local names in lower case: `product` for `https://schema.org/Product`. */
  readonly types: readonly string[];
  /** By local name in lower case. Entities may form cycles. */
  readonly properties: ReadonlyMap<string, readonly Value[]>;
  /** The budget of the page: whoever looks at the values of the entity takes from it. */
  readonly work: WorkBudget;
}

export type Value = TextValue | Entity;

/** A value that is no entity. */
export interface TextValue {
  readonly text: string;
  /** How it stands there: as a JSON number, in an attribute or JSON string, or as text to read. */
  readonly kind: "number" | "machine" | "shown";
  /** The text of the element whose attribute holds the value: it may show the currency. */
  readonly shown: string | null;
}

/** An entity that is no property of another one. */
export interface RootEntity {
  readonly entity: Entity;
  /** Properties that it would have been for an entity around it, had there been one. */
  readonly as: readonly string[];
  /** True when it stands inside the element of a product without being a property of it. */
  readonly isInsideProduct: boolean;
}

/** An entity while it is read. */
export interface EntityDraft extends Entity {
  readonly types: readonly string[];
  readonly properties: Map<string, Value[]>;
}

/** An entity without types and properties yet. */
export function draftEntity(work: WorkBudget, types: readonly string[] = []): EntityDraft {
  work.take(UNITS_PER_ENTITY);
  return { types: types.slice(0, TYPES_MAX), properties: new Map(), work };
}

/** Adds a value to a property; texts beyond the first hundred are left out. */
export function addValue(draft: EntityDraft, name: string, value: Value): void {
  draft.work.take(1);
  const values = draft.properties.get(name);
  if (!values) draft.properties.set(name, [value]);
  else if (values.length < TEXTS_MAX || isEntity(value)) values.push(value);
}

/** Tells entities from texts. */
export function isEntity(value: Value): value is Entity {
  return "properties" in value;
}

/** The entities among the values of some properties. */
export function entitiesOf(entity: Entity, ...names: readonly string[]): Entity[] {
  return names.flatMap((name) => valuesOf(entity, name).filter(isEntity));
}

/** The texts among the values of some properties, those of empty ones left out. */
export function textsOf(entity: Entity, ...names: readonly string[]): TextValue[] {
  return names.flatMap((name) =>
    valuesOf(entity, name).flatMap((value) => {
      if (isEntity(value) || value.text === "") return [];
      entity.work.takeText(value.text.length);
      return [value];
    })
  );
}

function valuesOf({ properties, work }: Entity, name: string): readonly Value[] {
  const values = properties.get(name) ?? [];
  work.take(UNITS_PER_LOOK + values.length);
  return values;
}

/** The first text of some properties. */
export function textOfEntity(entity: Entity, ...names: readonly string[]): string | null {
  return textsOf(entity, ...names)[0]?.text ?? null;
}

/** True when the entity has at least one of these types. */
export function hasType(entity: Entity, types: ReadonlySet<string>): boolean {
  return entity.types.some((type) => types.has(type));
}

/** `product` for `https://schema.org/Product`, `schema:Product` and `Product`. */
export function localName(name: string): string {
  const iri = name.length > NAME_CHARACTERS_MAX ? name.slice(-NAME_CHARACTERS_MAX) : name;
  return iri.slice(Math.max(iri.lastIndexOf("/"), iri.lastIndexOf("#"), iri.lastIndexOf(":")) + 1)
    .trim().toLowerCase();
}
