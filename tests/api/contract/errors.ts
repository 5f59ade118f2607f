/**
 * Validates values against JSON Schema (2020-12), without the library that wrote the documents. If
 * a schema names fields, any other field of an object is an error, because it is undocumented.
 */
import { deepStrictEqual, ok } from "node:assert/strict";
import { resolved, type Schema, type Schemas } from "./document.ts";

/** The keywords from `title` onwards do not restrict values. */
const KNOWN = new Set(
  `$ref type enum const anyOf oneOf allOf properties required additionalProperties
  items x-places minItems maxItems uniqueItems minLength maxLength pattern format
  minimum maximum exclusiveMinimum exclusiveMaximum
  title description default example examples discriminator deprecated readOnly`.split(/\s+/),
);

const FORMATS: Readonly<Record<string, RegExp>> = {
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  binary: /^/,
};

const readable = new WeakSet<Schema>();

function requireKnownWords(schema: Schema, at: string): void {
  if (readable.has(schema)) return;
  const unknown = Object.keys(schema).filter((word) => !KNOWN.has(word) && !word.startsWith("x-"));
  deepStrictEqual(unknown, [], `${at}: words that this reader does not know`);
  readable.add(schema);
}

export function errorsOf(given: Schema, schemas: Schemas, value: unknown, at = "$"): string[] {
  const schema = resolved(given, schemas);
  requireKnownWords(schema, at);
  const deeper = (inner: Schema, part: unknown, place: string) =>
    errorsOf(inner, schemas, part, place);
  const found = [
    ...typeErrors(schema, value, at),
    ...(schema.allOf ?? []).flatMap((inner) => deeper(inner, value, at)),
  ];
  for (const choices of [schema.anyOf, schema.oneOf]) {
    const fitting = choices?.filter((inner) => deeper(inner, value, at).length === 0).length;
    if (fitting === 0) found.push(`${at}: fits none of the choices: ${cut(value)}`);
    if (choices === schema.oneOf && fitting !== undefined && fitting > 1) {
      found.push(`${at}: fits ${fitting} choices instead of one`);
    }
  }
  if (typeof value === "string") found.push(...textErrors(schema, value, at));
  if (typeof value === "number") found.push(...numberErrors(schema, value, at));
  if (Array.isArray(value)) {
    const { items, "x-places": places, minItems = 0, maxItems = Infinity, uniqueItems = false } =
      schema;
    const texts = value.map((one) => JSON.stringify(one));
    if (uniqueItems && new Set(texts).size < texts.length) found.push(`${at}: an item comes twice`);
    // Stricter than JSON Schema: a tuple may have neither more nor fewer items.
    const fitsPlaces = places === undefined || value.length === places.length;
    if (value.length < minItems || value.length > maxItems || !fitsPlaces) {
      found.push(`${at}: ${value.length} items`);
    }
    for (const [n, one] of value.entries()) {
      const inner = places?.[n] ?? items;
      if (inner) found.push(...deeper(inner, one, `${at}[${n}]`));
    }
  } else if (typeof value === "object" && value !== null) {
    found.push(...objectErrors(schema, new Map(Object.entries(value)), at, deeper));
  }
  return found;
}

function typeErrors({ type, enum: listed, ...schema }: Schema, value: unknown, at: string) {
  const found: string[] = [];
  const types = [type ?? []].flat();
  if (types.length > 0 && !types.some((one) => isOfType(one, value))) {
    found.push(`${at}: ${cut(value)} is not of type ${types.join(" or ")}`);
  }
  if (listed && !listed.includes(value)) found.push(`${at}: ${cut(value)} is not listed`);
  if ("const" in schema && schema.const !== value) found.push(`${at}: ${cut(value)} is another`);
  return found;
}

export function isOfType(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (value === null) return type === "null";
  return type === (Array.isArray(value) ? "array" : typeof value);
}

function textErrors(schema: Schema, value: string, at: string): string[] {
  const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
  const found: string[] = [];
  const length = [...value].length;
  if (length < minLength || length > maxLength) found.push(`${at}: ${length} characters`);
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) {
    found.push(`${at}: ${cut(value)} does not fit ${pattern}`);
  }
  if (format !== undefined) {
    const form = FORMATS[format];
    ok(form, `${at}: the format ${format} is unknown`);
    if (!form.test(value)) found.push(`${at}: ${cut(value)} is no ${format}`);
  }
  return found;
}

function numberErrors(schema: Schema, value: number, at: string): string[] {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema;
  const fits = value >= minimum && value <= maximum && value > exclusiveMinimum &&
    value < exclusiveMaximum;
  return fits ? [] : [`${at}: ${value} is out of bounds`];
}

function objectErrors(
  { properties = {}, required = [], additionalProperties }: Schema,
  value: ReadonlyMap<string, unknown>,
  at: string,
  deeper: (schema: Schema, part: unknown, place: string) => string[],
): string[] {
  const found = required.filter((name) => !value.has(name)).map((name) => `${at}.${name}: missing`);
  const isClosed = additionalProperties === false ||
    (additionalProperties === undefined && Object.keys(properties).length > 0);
  for (const [name, part] of value) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known) found.push(...deeper(known, part, `${at}.${name}`));
    else if (isClosed) found.push(`${at}.${name}: not foreseen`);
    else if (typeof additionalProperties === "object") {
      found.push(...deeper(additionalProperties, part, `${at}.${name}`));
    }
  }
  return found;
}

function cut(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? "undefined";
}
