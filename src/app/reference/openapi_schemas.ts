/** Rewrites schemas in a form that all client generators understand, with the same meaning. */
import { mapValues } from "../../base/collections.ts";
import { wordsOfField } from "./openapi_words.ts";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Schemas;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

export type Schemas = Readonly<Record<string, Schema>>;

export function tidyParameter({ anyOf, format: _, ...plain }: Schema): Schema {
  if (!anyOf) return plain;
  const options = anyOf.flatMap((part) => part.enum ?? []);
  return { type: "string", ...plain, ...(anyOf.every((part) => part.enum) && { enum: options }) };
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the names of the schemas to which `part` refers, directly or through other schemas. */
export function namesIn(
  part: unknown,
  schemas: Readonly<Record<string, unknown>>,
): Set<string> {
  const names = new Set<string>();
  const collect = (text: string) => {
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (!name || names.has(name) || !(name in schemas)) continue;
      names.add(name);
      collect(JSON.stringify(schemas[name]));
    }
  };
  collect(JSON.stringify(part));
  return names;
}

function typesOf({ type }: Schema): readonly (string | undefined)[] {
  return typeof type === "object" ? type : [type];
}

function isObjectOrNull(schema: Schema): boolean {
  return typesOf(schema).includes("null") && typesOf(schema).includes("object");
}

function withoutNull(schema: Schema): Schema {
  return isObjectOrNull(schema) ? { ...schema, type: "object" } : schema;
}

function nullableTarget({ allOf: [target, other] = [] }: Schema): Schema | null {
  return target?.$ref && other && isObjectOrNull(other) && !other.properties ? target : null;
}

const TEXT_WORDS = ["minLength", "maxLength", "pattern", "format"];

/** Writes several types as `anyOf`. Only the type `string` keeps the keywords in `TEXT_WORDS`. */
function severalTypes({ type, description, ...keywords }: Schema): Schema {
  const wordsFor = (isText: boolean) =>
    Object.entries(keywords).filter(([name]) => TEXT_WORDS.includes(name) === isText);
  const anyOf = typesOf({ type })
    .map((one) => ({ type: one, ...Object.fromEntries(wordsFor(one === "string")) }));
  return { ...(description && { description }), anyOf };
}

const isNull = ({ type }: Schema) => type === "null";

/** Names an option of a union: `{type: "price_moved"}` gives `PriceMoved`. */
function optionName({ properties = {} }: Schema, n: number): string {
  for (const field of ["type", "code", "kind", "mode", "trigger", "format"]) {
    const [name] = properties[field]?.enum ?? [];
    if (typeof name === "string") return capital(name);
  }
  const [first] = Object.keys(properties);
  return first === undefined ? `Option${n + 1}` : capital(first);
}

/** Some languages cannot express a boolean with a fixed value, so the value moves to `x-enum`. */
function withoutFixedFlag(schema: Schema): Schema {
  if (schema.type !== "boolean") return schema;
  const { enum: choice, ...rest } = schema;
  return { ...rest, ...(choice && { "x-enum": choice }) };
}

/** Generators refuse an `enum` with control characters, so its values move to `x-enum`. */
function withoutControls(schema: Schema): Schema {
  const { enum: choice = [], ...rest } = schema;
  // deno-lint-ignore no-control-regex -- the pattern must match control characters
  if (!choice.some((word) => /[\x00-\x1f]/.test(String(word)))) return schema;
  const words = `One of ${choice.map((word) => `\`${JSON.stringify(word)}\``).join(", ")}`;
  return { ...rest, "x-enum": choice, description: sentences(rest.description, words) };
}

const sentences = (...parts: readonly (string | null | undefined)[]) =>
  parts.filter((part) => part).join(". ");

function withoutSafeBounds({ minimum, maximum, ...rest }: Schema): Schema {
  return {
    ...rest,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

function orNull(schema: Schema, description?: string): Schema {
  return { ...(description && { description }), anyOf: [schema, { type: "null" }] };
}

function refTo(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export function requiredOf({ required = [], properties = {} }: Schema, filled: boolean): string[] {
  const always = Object.entries(properties)
    .filter(([, of]) => filled && (of.default !== undefined || isAnything(of)))
    .map(([field]) => field);
  return [...new Set([...required, ...always])];
}

function isAnything(schema: Schema): boolean {
  return ["type", "$ref", "allOf", "anyOf", "oneOf", "enum"].every((word) => !(word in schema));
}

function neverNull({ type, enum: choice, ...rest }: Schema): Schema {
  const [only = "string"] = typesOf({ type }).filter((one) => one !== "null");
  const words = choice && { enum: choice.filter((word) => word !== null) };
  return { type: only, ...words, ...rest };
}

export function targetOf(ref: string): string {
  return ref.split("/").at(-1) ?? "";
}

/** True for a nullable field that is no map: Java generators refuse such a field in `required`. */
function isNullableReference({ anyOf: options = [], enum: choice = [] }: Schema = {}): boolean {
  const isMap = ({ type }: Schema) => type === "object";
  return choice.includes(null) || (options.some(isNull) && !options.some(isMap));
}

function withWords(field: string, schema: Schema): Schema {
  const { $ref, description: words = "" } = schema;
  if ($ref || (words !== "" && !words.startsWith("When left out"))) return schema;
  const meaning = wordsOfField(field);
  return meaning === null ? schema : { ...schema, description: sentences(meaning, words) };
}

function capital(word: string): string {
  return word.replace(/^./, (letter) => letter.toUpperCase())
    .replaceAll(/[_\W](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Marks a field of requests in which null means the default; answers never contain this null. */
const NULL_IS_DEFAULT = "x-null-is-default";

export class SchemaTidier {
  readonly #declared: Schemas;
  readonly #answers: ReadonlySet<string>;
  readonly #components = new Map<string, Schema>();
  readonly #filledIn: ReadonlySet<string>;
  readonly #ofAnswers = new Set<string>();

  constructor(declared: Schemas, answers: ReadonlySet<string>) {
    this.#declared = declared;
    this.#answers = answers;
    const hasDefault = (name: string) => JSON.stringify(declared[name]).includes('"default":');
    this.#filledIn = new Set(
      Object.keys(declared).filter((name) =>
        [name, ...namesIn(declared[name], declared)].some(hasDefault)
      ),
    );
    for (const [name, schema] of Object.entries(declared)) {
      this.#components.set(name, this.tidy(withoutNull(schema), name, answers.has(name)));
    }
  }

  components(): Schemas {
    return Object.fromEntries(this.#components);
  }

  tidy(schema: Schema, name: string, filled: boolean): Schema {
    if (schema.$ref) {
      const target = targetOf(schema.$ref);
      const ref = refTo(filled ? this.#inAnswer(target) : target);
      return isObjectOrNull(this.#declared[target] ?? {}) ? orNull(ref) : ref;
    }
    if (schema[NULL_IS_DEFAULT] !== undefined) {
      const { [NULL_IS_DEFAULT]: _, ...plain } = schema;
      return this.tidy(filled ? neverNull(plain) : plain, name, filled);
    }
    if (isObjectOrNull(schema)) {
      const { description, ...rest } = schema;
      const whole = this.tidy({ ...rest, type: "object" }, name, filled);
      // Write `anyOf`: Python generators do not understand `type: ["object", "null"]` for maps.
      return orNull(schema.properties ? refTo(this.#nameFor(name, whole)) : whole, description);
    }
    const target = nullableTarget(schema);
    if (target) return orNull(this.tidy(target, name, filled), schema.description);
    const several = typesOf(schema).filter((type) => type !== "null");
    if (several.length > 1) return this.tidy(severalTypes(schema), name, filled);
    return this.#tidyParts(schema, name, filled);
  }

  #tidyParts(
    { default: filledIn, ...schema }: Schema & { readonly default?: unknown },
    name: string,
    filled: boolean,
  ): Schema {
    const { properties, items, prefixItems, additionalProperties: values, allOf } = schema;
    const tidied: Record<string, unknown> = { ...schema };
    if (filledIn !== undefined && !filled) {
      const when = `When left out: \`${JSON.stringify(filledIn)}\``;
      tidied.description = sentences(schema.description, when);
    }
    if (properties) this.#tidyFields(tidied, properties, name, filled);
    if (items && !prefixItems) tidied.items = this.tidy(items, `${name}Item`, filled);
    if (isSchema(values)) {
      const tidy = this.tidy(values, `${name}Value`, filled);
      tidied.additionalProperties = Object.keys(tidy).length === 0 || tidy;
    }
    if (allOf) tidied.allOf = allOf.map((part, n) => this.tidy(part, `${name}${n + 1}`, filled));
    if (prefixItems) this.#tidyPlaces(tidied, prefixItems, name, filled);
    const options = schema.anyOf ?? schema.oneOf;
    if (options) {
      // Drop `discriminator`: without a mapping, client generators interpret it in different ways.
      for (const keyword of ["anyOf", "oneOf", "discriminator"]) delete tidied[keyword];
      Object.assign(tidied, this.#oneOf(options, name, filled));
    }
    return withoutControls(withoutFixedFlag(withoutSafeBounds(tidied)));
  }

  #tidyFields(
    tidied: Record<string, unknown>,
    properties: Schemas,
    name: string,
    filled: boolean,
  ): void {
    const fields = mapValues(
      properties,
      (of, field) => withWords(field, this.tidy(of, name + capital(field), filled)),
    );
    const required = requiredOf({ ...tidied, properties }, filled)
      .filter((field) => !filled || !isNullableReference(fields[field]));
    tidied.properties = fields;
    if (required.length > 0) tidied.required = required;
    else delete tidied.required;
  }

  /** Some client generators do not know tuples, so a tuple becomes an array. */
  #tidyPlaces(
    tidied: Record<string, unknown>,
    parts: readonly Schema[],
    name: string,
    filled: boolean,
  ): void {
    tidied["x-places"] = parts.map((part, n) => this.tidy(part, `${name}${n + 1}`, filled));
    delete tidied.prefixItems;
    const [first] = parts;
    const isOfOneKind = new Set(parts.map((part) => JSON.stringify(part))).size === 1;
    const any = first && isOfOneKind ? first : { anyOf: parts };
    tidied.items = this.tidy(any, `${name}Item`, filled);
    Object.assign(tidied, { minItems: parts.length, maxItems: parts.length });
  }

  #oneOf(options: readonly Schema[], name: string, filled: boolean): Schema {
    const made = options.filter((option) => !isNull(option)).map((option, n) => {
      const optionOf = name + optionName(option, n);
      // Drop `format`, because client generators cannot distinguish options of a union by it.
      const { format: _, ...schema } = this.tidy(option, optionOf, filled);
      const isObject = schema.type === "object" && schema.properties;
      return isObject ? refTo(this.#nameFor(optionOf, schema)) : schema;
    });
    if (made.length === options.length) return { anyOf: made };
    const [only, ...others] = made;
    if (!only || others.length > 0) return orNull(refTo(this.#nameFor(name, { anyOf: made })));
    return typeof only.type === "string" ? { ...only, type: [only.type, "null"] } : orNull(only);
  }

  /** Answers contain all fields with a default value, so they need other schemas than requests. */
  #inAnswer(target: string): string {
    if (this.#answers.has(target) || !this.#filledIn.has(target)) return target;
    const name = `${target}Answer`;
    if (this.#ofAnswers.has(name)) return name;
    this.#ofAnswers.add(name);
    this.#components.set(name, this.tidy(withoutNull(this.#declared[target] ?? {}), name, true));
    return name;
  }

  #nameFor(wanted: string, schema: Schema): string {
    const isTaken = (name: string) => name in this.#declared || this.#components.has(name);
    let name = wanted;
    for (let n = 2; isTaken(name); n++) name = `${wanted}Variant${n}`;
    this.#components.set(name, schema);
    return name;
  }
}
