/** A thing that a page describes in JSON-LD, microdata or RDFa; the three become one. */
export interface Entity {
  /** Local names in lower case: `product` for `https://schema.org/Product`. */
  readonly types: readonly string[];
  /** By local name in lower case. Entities may form cycles. */
  readonly properties: ReadonlyMap<string, readonly Value[]>;
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
  readonly types: string[];
  readonly properties: Map<string, Value[]>;
}

/** An entity without types and properties yet. */
export function draftEntity(types: string[] = []): EntityDraft {
  return { types, properties: new Map() };
}

/** Adds a value to a property. */
export function addValue(draft: EntityDraft, name: string, value: Value): void {
  const values = draft.properties.get(name);
  if (values) values.push(value);
  else draft.properties.set(name, [value]);
}

/** Tells entities from texts. */
export function isEntity(value: Value): value is Entity {
  return "properties" in value;
}

/** The entities among the values of some properties. */
export function entitiesOf(entity: Entity, ...names: readonly string[]): Entity[] {
  return names.flatMap((name) => (entity.properties.get(name) ?? []).filter(isEntity));
}

/** The texts among the values of some properties, those of empty ones left out. */
export function textsOf(entity: Entity, ...names: readonly string[]): TextValue[] {
  return names.flatMap((name) =>
    (entity.properties.get(name) ?? []).flatMap((value) =>
      isEntity(value) || value.text === "" ? [] : [value]
    )
  );
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
export function localName(iri: string): string {
  return iri.slice(Math.max(iri.lastIndexOf("/"), iri.lastIndexOf("#"), iri.lastIndexOf(":")) + 1)
    .trim().toLowerCase();
}
