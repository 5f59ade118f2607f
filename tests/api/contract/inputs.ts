/** Generates values that a schema allows, also at its bounds, and copies of them with one error. */
import fc from "fast-check";
import { resolved, type Schema, type Schemas } from "./document.ts";
import { errorsOf, isOfType } from "./errors.ts";

/** Maximum length of texts and lists if a schema sets no bound. */
const LENGTH_MAX = 12;
/**
 * Larger bounds of schemas are reduced to 1,100. Other tests cover bounds of thousands of
 * characters.
 */
const BOUND_MAX = 1_100;

/** `edges` prefers the shortest, longest, smallest and largest values. */
export type Bias = "anything" | "edges";

/** Addresses on this machine at which no server listens. */
const URLS = ["http://127.0.0.1:9/p/1", "http://127.0.0.1:9/p/2?x=1", "http://127.0.0.1:9"];

interface Drawing {
  readonly schemas: Schemas;
  readonly bias: Bias;
  /** Values that are meaningful to the service, such as existing ids for fields that name an id. */
  known(name: string): readonly string[];
}

/** Values that fit the schema of the field or parameter `name`. */
export function valuesOf(given: Schema, drawing: Drawing, name = ""): fc.Arbitrary<unknown> {
  const schema = resolved(given, drawing.schemas);
  const drawn = drawnFrom(schema, drawing, name);
  const { example } = schema;
  if (example === undefined || drawing.bias === "edges") return drawn;
  return fc.oneof({ arbitrary: fc.constant(example), weight: 1 }, { arbitrary: drawn, weight: 2 });
}

function drawnFrom(schema: Schema, drawing: Drawing, name: string): fc.Arbitrary<unknown> {
  const deeper = (inner: Schema, field = name) => valuesOf(inner, drawing, field);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((inner) => deeper(inner)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ("const" in schema) return fc.constant(schema.const);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.boolean());
  return fc.oneof(...types.map((type) => ofType(type, schema, { drawing, deeper, name })));
}

interface Place {
  readonly drawing: Drawing;
  readonly name: string;
  deeper(inner: Schema, field?: string): fc.Arbitrary<unknown>;
}

function ofType(
  type: string,
  schema: Schema,
  { drawing, deeper, name }: Place,
): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return numbers(schema, drawing.bias, true);
    case "number":
      return numbers(schema, drawing.bias, false);
    case "string":
      return texts(schema, drawing, name);
    case "array": {
      const { minItems = 0, maxItems = 3 } = schema;
      const bounds = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) };
      const items = deeper(schema.items ?? {});
      return schema.uniqueItems ? fc.uniqueArray(items, bounds) : fc.array(items, bounds);
    }
    default:
      return objects(schema, deeper);
  }
}

function numbers(schema: Schema, bias: Bias, isWhole: boolean): fc.Arbitrary<number> {
  const step = isWhole ? 1 : 0.01;
  const min = schema.minimum ?? (schema.exclusiveMinimum ?? 0) + step;
  const max = schema.maximum ?? (schema.exclusiveMaximum ?? min + 1_000 + step) - step;
  if (bias === "edges") return fc.constantFrom(min, max);
  if (isWhole) return fc.integer({ min, max: Math.min(max, min + 1_000_000) });
  const bounds = { min: Math.ceil(min * 100), max: Math.floor(Math.min(max, 1e6) * 100) };
  return fc.integer(bounds).map((cents) => cents / 100);
}

function texts(schema: Schema, { bias, known }: Drawing, name: string): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength } = schema;
  switch (format) {
    case "date-time":
      return fc.constantFrom("2026-03-01T08:30:00Z", "2026-03-02T09:00:00.000Z");
    case "date":
      return fc.constantFrom("2026-03-01", "2024-02-29");
    case "email": {
      const persons = fc.nat(999).map((n) => `person-${n}@shop.example`);
      const meant = known(name);
      return meant.length === 0 ? persons : fc.oneof(fc.constantFrom(...meant), persons);
    }
    case "uri":
      return fc.constantFrom(...URLS);
  }
  const fitting = pattern === undefined ? null : fittingTexts(pattern);
  const meant = known(name).filter((text) => fitting?.form.test(text) ?? true);
  const drawn = fitting?.texts ?? plainTexts(bias, minLength, maxLength);
  if (meant.length === 0) return drawn;
  return fc.oneof(
    { arbitrary: fc.constantFrom(...meant), weight: 3 },
    { arbitrary: drawn, weight: 1 },
  );
}

interface FittingTexts {
  readonly form: RegExp;
  readonly texts: fc.Arbitrary<string>;
}

/**
 * Parsed patterns. Parsing a pattern takes longer than a request, and a few patterns occur in
 * hundreds of places.
 */
const patterns = new Map<string, FittingTexts>();

function fittingTexts(pattern: string): FittingTexts {
  const known = patterns.get(pattern);
  if (known) return known;
  const form = new RegExp(pattern, "u");
  const made = { form, texts: fc.stringMatching(form) };
  patterns.set(pattern, made);
  return made;
}

function plainTexts(bias: Bias, minLength: number, maxLength: number | undefined) {
  const longest = Math.max(minLength, Math.min(maxLength ?? LENGTH_MAX, BOUND_MAX));
  if (bias === "edges") return fc.constantFrom("x".repeat(minLength), "x".repeat(longest));
  const bounds = { minLength, maxLength: Math.max(minLength, Math.min(longest, LENGTH_MAX)) };
  return fc.string({ ...bounds, unit: "grapheme" }).filter((text) => [...text].length <= longest);
}

function objects(
  { properties = {}, required = [], additionalProperties }: Schema,
  deeper: Place["deeper"],
): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, inner]) =>
    [name, deeper(inner, name)] as const
  );
  const named = fieldsOf(fields, required);
  if (!additionalProperties) return named;
  const other = fc.string({ minLength: 1, maxLength: 5 });
  const values = deeper(additionalProperties === true ? {} : additionalProperties);
  const more = fc.dictionary(other, values, { maxKeys: 3 });
  return fc.tuple(named, more).map(([known, rest]) => ({ ...rest, ...known }));
}

/** Objects with few optional fields are as frequent as objects with any number of them. */
export function fieldsOf(
  fields: readonly (readonly [name: string, values: fc.Arbitrary<unknown>])[],
  required: readonly string[],
): fc.Arbitrary<Record<string, unknown>> {
  const free = fields.filter(([name]) => !required.includes(name));
  const needed = fields.filter(([name]) => required.includes(name));
  const few = fc.subarray(free, { maxLength: Math.min(2, free.length) })
    .chain((some) => fc.record(Object.fromEntries([...needed, ...some])));
  return fc.oneof(few, fc.record(Object.fromEntries(fields), { requiredKeys: [...required] }));
}

const OF_EVERY_TYPE = [null, true, -1, 1.5, 10 ** 15, "", "x".repeat(5_000), [], [[]], {}, {
  x: 1,
}];

/** A path in a value: names and indexes from the outside in. */
type Path = readonly (string | number)[];

/** The value with exactly one place replaced by an invalid value. */
export function brokenOf(schema: Schema, schemas: Schemas, value: unknown): fc.Arbitrary<unknown> {
  // Only the drawn error is computed, because a large body can be broken in hundreds of ways.
  return fc.tuple(fc.constantFrom(...placesOf(value)), fc.constantFrom(...OF_EVERY_TYPE))
    .map(([place, other]) => replaced(value, place, other))
    .filter((one) => errorsOf(schema, schemas, one).length > 0);
}

function placesOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const inner = Array.isArray(value)
    ? value.flatMap((one, n) => placesOf(one, [...at, n]))
    : Object.entries(value).flatMap(([name, one]) => placesOf(one, [...at, name]));
  return [at, ...inner];
}

function replaced(value: unknown, [first, ...rest]: Path, other: unknown): unknown {
  if (first === undefined) return other;
  if (Array.isArray(value)) {
    return value.map((one, n) => n === first ? replaced(one, rest, other) : one);
  }
  const entries = Object.entries(Object(value));
  return Object.fromEntries(
    entries.map(([name, one]) => [name, name === first ? replaced(one, rest, other) : one]),
  );
}

/** A text that the schema of a query parameter refuses; null if it accepts all texts. */
export function brokenText(given: Schema, schemas: Schemas): string | null {
  const schema = resolved(given, schemas);
  const takesText = schema.type === undefined || [schema.type].flat().includes("string");
  if (!takesText || schema.enum || schema.format) return "no such value";
  if (schema.pattern !== undefined || schema.minLength) return "";
  return schema.maxLength === undefined ? null : "x".repeat(schema.maxLength + 1);
}

export function asText(value: unknown): string {
  return isOfType("object", value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
}
