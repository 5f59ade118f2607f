/** Small, independent changes of schemas for the OpenAPI documents. */
import { wordsOfField } from "./openapi_words.ts";

export interface Schema {
  readonly [keyword: string]: unknown;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** A parameter is a text, a number or a choice of words. Other unions become text. */
export function tidyParameter(schema: Schema): Schema {
  const { anyOf, format: _, ...plain } = schema;
  if (!Array.isArray(anyOf)) return plain;
  const options = anyOf.flatMap((part) =>
    isSchema(part) && Array.isArray(part.enum) ? part.enum : []
  );
  const isChoice = anyOf.every((part) => isSchema(part) && Array.isArray(part.enum));
  return { type: "string", ...plain, ...(isChoice && { enum: options }) };
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function typesOf(schema: Schema): readonly unknown[] {
  return Array.isArray(schema.type) ? schema.type : [schema.type];
}

export function isNullableObject(schema: Schema): boolean {
  const types = typesOf(schema);
  return types.includes("object") && types.includes("null") && isSchema(schema.properties);
}

/** True for a map or null. Python generators do not recognise a map among several types. */
export function isNullableMap(schema: Schema): boolean {
  const types = typesOf(schema);
  return types.includes("object") && types.includes("null") && !isSchema(schema.properties);
}

/** The reference in the framework's form of "reference or null"; null for other schemas. */
export function nullableTarget({ allOf }: Schema): Schema | null {
  if (!Array.isArray(allOf) || allOf.length !== 2) return null;
  const [target, other] = allOf;
  const isOrNull = isSchema(other) && typesOf(other).includes("null") &&
    !isSchema(other.properties);
  return isOrNull && isSchema(target) && isText(target.$ref) ? target : null;
}

export function withoutNull(schema: Schema): Schema {
  if (!isNullableObject(schema)) return schema;
  return { ...schema, type: "object" };
}

export function severalTypes(
  { type: _, description, ...rest }: Schema & { type?: unknown },
): Schema {
  const types = Array.isArray(_) ? _ : [_];
  return {
    ...(isText(description) && { description }),
    anyOf: types.map((type) => ({ type, ...keywordsFor(String(type), rest) })),
  };
}

/** If a schema has several types: the keywords that apply to one of them. */
function keywordsFor(type: string, keywords: Schema): Schema {
  const ofTexts = ["minLength", "maxLength", "pattern", "format"];
  const ofNumbers = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
  const wanted = type === "string" ? ofTexts : type === "null" ? [] : ofNumbers;
  return Object.fromEntries(Object.entries(keywords).filter(([name]) => wanted.includes(name)));
}

/** Removes the format of a time, because it cannot select an option of a union. */
export function withoutFormat({ format: _, ...schema }: Schema & { format?: unknown }): Schema {
  return schema;
}

export function isNull(schema: unknown): boolean {
  return isSchema(schema) && schema.type === "null";
}

export function isObject(schema: Schema): boolean {
  return schema.type === "object" && isSchema(schema.properties);
}

/** In a union, `{type: "price_moved"}` is called `PriceMoved`. */
export function optionName(option: unknown, n: number): string {
  const fields = isSchema(option) && isSchema(option.properties) ? option.properties : {};
  for (const field of ["type", "code", "kind", "mode", "trigger", "format"]) {
    const of = fields[field];
    const [word] = isSchema(of) && Array.isArray(of.enum) ? of.enum : [];
    const fixed = isSchema(of) && isText(of.const) ? of.const : word;
    if (isText(fixed)) return capital(fixed);
  }
  const [first] = Object.keys(fields);
  return first === undefined ? `Option${n + 1}` : capital(first);
}

/** Not every language has a type for only `true`. It becomes boolean with `x-enum`. */
export function withoutFixedFlag(schema: Schema): Schema {
  if (schema.type !== "boolean") return schema;
  const { enum: choice, const: fixed, ...rest } = schema;
  const values = Array.isArray(choice) ? choice : fixed === undefined ? null : [fixed];
  return { ...rest, ...(values && { "x-enum": values }) };
}

/** Constants cannot be named after control characters, so such a choice becomes `x-enum`. */
export function withoutControls(schema: Schema): Schema {
  const { enum: choice, ...rest } = schema;
  // deno-lint-ignore no-control-regex -- control characters are searched
  if (!Array.isArray(choice) || !choice.some((word) => isText(word) && /[\x00-\x1f]/.test(word))) {
    return schema;
  }
  const words = `One of ${choice.map((word) => `\`${JSON.stringify(word)}\``).join(", ")}`;
  return {
    ...rest,
    "x-enum": choice,
    description: isText(rest.description) ? `${rest.description}. ${words}` : words,
  };
}

export function withoutSafeBounds(schema: Schema): Schema {
  const { minimum, maximum, ...rest } = schema;
  return {
    ...rest,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

export function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: "null" }] };
}

export function refTo(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export function requiredOf(schema: Schema, filled: boolean): string[] {
  const required = Array.isArray(schema.required) ? schema.required.filter(isText) : [];
  if (!filled || !isSchema(schema.properties)) return required;
  const always = Object.entries(schema.properties)
    .filter(([, of]) => isSchema(of) && (of.default !== undefined || isAnything(of)))
    .map(([field]) => field);
  return [...new Set([...required, ...always])];
}

/** True if every value is allowed. In an answer, such a value may be null. */
function isAnything(schema: Schema): boolean {
  return ["type", "$ref", "allOf", "anyOf", "oneOf", "enum"].every((word) => !(word in schema));
}

export function neverNull({ type, enum: choice, anyOf: options, ...rest }: Schema): Schema {
  const [only, ...others] = Array.isArray(options) ? options.filter((part) => !isNull(part)) : [];
  return {
    ...(type !== undefined && { type: plainType(type) }),
    ...(choice !== undefined &&
      { enum: Array.isArray(choice) ? choice.filter((word) => word !== null) : choice }),
    ...(others.length === 0 && isSchema(only) && only),
    ...(others.length > 0 && { anyOf: [only, ...others] }),
    ...rest,
  };
}

function plainType(type: unknown): unknown {
  if (!Array.isArray(type)) return type;
  const plain = type.filter((one) => one !== "null");
  return plain.length === 1 ? plain[0] : plain;
}

/** The components that contain a field with a default, directly or indirectly. */
export function namesOfFilled(schemas: Schemas): string[] {
  const found = new Set<string>();
  const says = (part: unknown, seen: readonly string[]): boolean => {
    if (Array.isArray(part)) return part.some((one) => says(one, seen));
    if (!isSchema(part)) return false;
    const target = isText(part.$ref) ? targetOf(part.$ref) : null;
    if (target !== null) {
      if (found.has(target)) return true;
      return !seen.includes(target) && says(schemas[target], [...seen, target]);
    }
    const fields = isSchema(part.properties) ? Object.values(part.properties) : [];
    return fields.some((of) => isSchema(of) && of.default !== undefined) ||
      Object.values(part).some((value) => says(value, seen));
  };
  for (const [name, schema] of Object.entries(schemas)) if (says(schema, [name])) found.add(name);
  return [...found];
}

export function targetOf(ref: string): string {
  return ref.split("/").at(-1) ?? "";
}

/** True for a required reference or choice that may be null. Java generators do not allow this. */
export function isNullableReference(properties: unknown, field: string): boolean {
  const schema = isSchema(properties) ? properties[field] : null;
  if (!isSchema(schema)) return false;
  const { anyOf: options, enum: choice } = schema;
  const isMap = (option: unknown) => isSchema(option) && option.type === "object";
  return (Array.isArray(options) && options.some(isNull) && !options.some(isMap)) ||
    (Array.isArray(choice) && choice.includes(null));
}

export function withDefault({ description }: Schema, filledIn: unknown): string {
  const when = `When left out: \`${JSON.stringify(filledIn)}\``;
  return isText(description) ? `${description}. ${when}` : when;
}

/** Adds the general description of a field name, unless the field has its own. */
export function withWords(field: string, schema: Schema): Schema {
  if (isText(schema.$ref)) return schema;
  const words = isText(schema.description) ? schema.description : null;
  if (words !== null && !words.startsWith("When left out")) return schema;
  const meaning = wordsOfField(field);
  if (meaning === null) return schema;
  return { ...schema, description: words === null ? meaning : `${meaning}. ${words}` };
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function capital(word: string): string {
  return word.replace(/^./, (letter) => letter.toUpperCase())
    .replaceAll(/[_\W](\w)/g, (_, letter: string) => letter.toUpperCase());
}
