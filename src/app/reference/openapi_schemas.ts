/** Rewrites schemas in a form that all client generators understand, with the same meaning. */
import { wordsOfField } from "./openapi_words.ts";

export interface Schema {
  readonly [keyword: string]: unknown;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** Turns a parameter with `anyOf` into a string, which gets an `enum` if all options have one. */
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

function typesOf(schema: Schema): readonly unknown[] {
  return Array.isArray(schema.type) ? schema.type : [schema.type];
}

function isObjectOrNull(schema: Schema): boolean {
  const types = typesOf(schema);
  return types.includes("object") && types.includes("null");
}

function isNullableObject(schema: Schema): boolean {
  return isObjectOrNull(schema) && isSchema(schema.properties);
}

function nullableTarget({ allOf }: Schema): Schema | null {
  if (!Array.isArray(allOf) || allOf.length !== 2) return null;
  const [target, other] = allOf;
  const isOrNull = isSchema(other) && typesOf(other).includes("null") &&
    !isSchema(other.properties);
  return isOrNull && isSchema(target) && isText(target.$ref) ? target : null;
}

function withoutNull(schema: Schema): Schema {
  return isNullableObject(schema) ? { ...schema, type: "object" } : schema;
}

function severalTypes({ type: _, description, ...rest }: Schema & { type?: unknown }): Schema {
  const types = Array.isArray(_) ? _ : [_];
  return {
    ...(isText(description) && { description }),
    anyOf: types.map((type) => ({ type, ...keywordsFor(String(type), rest) })),
  };
}

function keywordsFor(type: string, keywords: Schema): Schema {
  const ofTexts = ["minLength", "maxLength", "pattern", "format"];
  const ofNumbers = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
  const wanted = type === "string" ? ofTexts : type === "null" ? [] : ofNumbers;
  return Object.fromEntries(Object.entries(keywords).filter(([name]) => wanted.includes(name)));
}

/** Generators cannot tell the options of a union apart by `format`. */
function withoutFormat({ format: _, ...schema }: Schema & { format?: unknown }): Schema {
  return schema;
}

function isNull(schema: unknown): boolean {
  return isSchema(schema) && schema.type === "null";
}

function isObject(schema: Schema): boolean {
  return schema.type === "object" && isSchema(schema.properties);
}

/** Returns a name for an option of a union: `{type: "price_moved"}` gives `PriceMoved`. */
function optionName(option: unknown, n: number): string {
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

/** Some languages lack booleans with a fixed value, so the value moves to `x-enum`. */
function withoutFixedFlag(schema: Schema): Schema {
  if (schema.type !== "boolean") return schema;
  const { enum: choice, const: fixed, ...rest } = schema;
  const values = Array.isArray(choice) ? choice : fixed === undefined ? null : [fixed];
  return { ...rest, ...(values && { "x-enum": values }) };
}

/** Moves an `enum` with control characters to the description, because generators refuse it. */
function withoutControls(schema: Schema): Schema {
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

function withoutSafeBounds(schema: Schema): Schema {
  const { minimum, maximum, ...rest } = schema;
  return {
    ...rest,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

function orNull(schema: Schema, description?: unknown): Schema {
  return { ...(isText(description) && { description }), anyOf: [schema, { type: "null" }] };
}

function refTo(name: string): Schema {
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

function isAnything(schema: Schema): boolean {
  return ["type", "$ref", "allOf", "anyOf", "oneOf", "enum"].every((word) => !(word in schema));
}

function neverNull({ type, enum: choice, anyOf: options, ...rest }: Schema): Schema {
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

function namesOfFilled(schemas: Schemas): string[] {
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

function targetOf(ref: string): string {
  return ref.split("/").at(-1) ?? "";
}

/** Java generators refuse a required field with null in `anyOf` or `enum`. */
function isNullableReference(properties: unknown, field: string): boolean {
  const schema = isSchema(properties) ? properties[field] : null;
  if (!isSchema(schema)) return false;
  const { anyOf: options, enum: choice } = schema;
  const isMap = (option: unknown) => isSchema(option) && option.type === "object";
  return (Array.isArray(options) && options.some(isNull) && !options.some(isMap)) ||
    (Array.isArray(choice) && choice.includes(null));
}

function withDefault({ description }: Schema, filledIn: unknown): string {
  const when = `When left out: \`${JSON.stringify(filledIn)}\``;
  return isText(description) ? `${description}. ${when}` : when;
}

function withWords(field: string, schema: Schema): Schema {
  if (isText(schema.$ref)) return schema;
  const words = isText(schema.description) ? schema.description : null;
  if (words !== null && !words.startsWith("When left out")) return schema;
  const meaning = wordsOfField(field);
  if (meaning === null) return schema;
  return { ...schema, description: words === null ? meaning : `${meaning}. ${words}` };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function capital(word: string): string {
  return word.replace(/^./, (letter) => letter.toUpperCase())
    .replaceAll(/[_\W](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Marks a field in which null means the default. Answers never contain null in this field. */
const NULL_IS_DEFAULT = "x-null-is-default";

export class SchemaTidier {
  readonly #declared: Schemas;
  readonly #answers: ReadonlySet<string>;
  readonly #components = new Map<string, Schema>();
  readonly #nullable: ReadonlySet<string>;
  readonly #filledIn: ReadonlySet<string>;
  readonly #ofAnswers = new Map<string, string>();

  constructor(declared: Schemas, answers: ReadonlySet<string>) {
    this.#declared = declared;
    this.#answers = answers;
    const nullable = Object.entries(declared).filter(([, schema]) => isNullableObject(schema));
    this.#nullable = new Set(nullable.map(([name]) => name));
    this.#filledIn = new Set(namesOfFilled(declared));
    for (const [name, schema] of Object.entries(declared)) {
      this.#components.set(name, this.tidy(withoutNull(schema), name, answers.has(name)));
    }
  }

  components(): Schemas {
    return Object.fromEntries(this.#components);
  }

  tidy(schema: unknown, name: string, filled: boolean): Schema {
    if (!isSchema(schema)) return {};
    if (typeof schema.$ref === "string") {
      const target = targetOf(schema.$ref);
      const ref = filled ? { ...schema, ...refTo(this.#inAnswer(target)) } : schema;
      return this.#nullable.has(target) ? orNull({ $ref: ref.$ref }) : ref;
    }
    if (schema[NULL_IS_DEFAULT] !== undefined) {
      const { [NULL_IS_DEFAULT]: _, ...plain } = schema;
      return this.tidy(filled ? neverNull(plain) : plain, name, filled);
    }
    if (isObjectOrNull(schema)) {
      const { description, ...rest } = schema;
      const whole = this.tidy({ ...rest, type: "object" }, name, filled);
      // Python generators do not understand a nullable map whose `type` is a list.
      const isMap = !isSchema(schema.properties);
      return orNull(isMap ? whole : refTo(this.#nameFor(name, whole)), description);
    }
    const target = nullableTarget(schema);
    if (target) return orNull(this.tidy(target, name, filled), schema.description);
    const several = typesOf(schema).filter((type) => type !== "null");
    if (several.length > 1) return this.tidy(severalTypes(schema), name, filled);
    return this.#tidyParts(schema, name, filled);
  }

  #tidyParts(schema: Schema, name: string, filled: boolean): Schema {
    const { default: filledIn, ...rest } = schema;
    const tidied: Record<string, unknown> = { ...rest };
    if (filledIn !== undefined && !filled) tidied.description = withDefault(rest, filledIn);
    if (isSchema(schema.properties)) {
      tidied.properties = Object.fromEntries(
        Object.entries(schema.properties).map(([field, of]) => {
          const made = this.tidy(of, name + capital(field), filled);
          return [field, withWords(field, made)];
        }),
      );
      const required = requiredOf(schema, filled)
        .filter((field) => !filled || !isNullableReference(tidied.properties, field));
      if (required.length > 0) tidied.required = required;
      else delete tidied.required;
    }
    if (isSchema(schema.items) && !Array.isArray(schema.prefixItems)) {
      tidied.items = this.tidy(schema.items, `${name}Item`, filled);
    }
    if (isSchema(schema.additionalProperties)) {
      const values = this.tidy(schema.additionalProperties, `${name}Value`, filled);
      tidied.additionalProperties = Object.keys(values).length === 0 || values;
    }
    if (Array.isArray(schema.allOf)) {
      tidied.allOf = schema.allOf.map((part, n) => this.tidy(part, `${name}${n + 1}`, filled));
    }
    if (Array.isArray(schema.prefixItems)) {
      this.#tidyPlaces(tidied, schema.prefixItems, name, filled);
    }
    for (const keyword of ["anyOf", "oneOf"]) {
      const options = schema[keyword];
      if (!Array.isArray(options)) continue;
      delete tidied[keyword];
      // Generators interpret a discriminator without a mapping in different ways.
      delete tidied.discriminator;
      Object.assign(tidied, this.#oneOf(options, name, filled));
    }
    return withoutControls(withoutFixedFlag(withoutSafeBounds(tidied)));
  }

  /** Some generators do not know tuples, so a tuple becomes an array. */
  #tidyPlaces(
    tidied: Record<string, unknown>,
    parts: readonly unknown[],
    name: string,
    filled: boolean,
  ): void {
    tidied["x-places"] = parts.map((part, n) => this.tidy(part, `${name}${n + 1}`, filled));
    delete tidied.prefixItems;
    const [first, ...others] = [...new Set(parts.map((part) => JSON.stringify(part)))];
    const any = others.length === 0 && first ? parts[0] : { anyOf: parts };
    tidied.items = this.tidy(any, `${name}Item`, filled);
    Object.assign(tidied, { minItems: parts.length, maxItems: parts.length });
  }

  #oneOf(options: readonly unknown[], name: string, filled: boolean): Schema {
    const others = options.filter((option) => !isNull(option));
    const made = others.map((option, n) => {
      const schema = withoutFormat(this.tidy(option, name + optionName(option, n), filled));
      return isObject(schema) ? refTo(this.#nameFor(name + optionName(option, n), schema)) : schema;
    });
    if (made.length === options.length) return { anyOf: made };
    const [only] = made;
    if (made.length === 1 && only) {
      return isText(only.type) && only.type !== "object"
        ? { ...only, type: [only.type, "null"] }
        : orNull(only);
    }
    return orNull(refTo(this.#nameFor(name, { anyOf: made })));
  }

  #inAnswer(target: string): string {
    if (this.#answers.has(target) || !this.#filledIn.has(target)) return target;
    const known = this.#ofAnswers.get(target);
    if (known !== undefined) return known;
    const name = `${target}Answer`;
    this.#ofAnswers.set(target, name);
    this.#components.set(name, this.tidy(withoutNull(this.#declared[target] ?? {}), name, true));
    return name;
  }

  #nameFor(wanted: string, schema: Schema): string {
    const text = JSON.stringify(schema);
    const isFree = (name: string) =>
      !(name in this.#declared) &&
      (!this.#components.has(name) || JSON.stringify(this.#components.get(name)) === text);
    let name = wanted;
    for (let n = 2; !isFree(name); n++) name = `${wanted}Variant${n}`;
    this.#components.set(name, schema);
    return name;
  }
}
