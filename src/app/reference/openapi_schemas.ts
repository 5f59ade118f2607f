/** Converts schemas into forms that all client generators understand. The meaning stays. */
import {
  capital,
  isNull,
  isNullableMap,
  isNullableObject,
  isNullableReference,
  isObject,
  isSchema,
  isText,
  namesOfFilled,
  neverNull,
  nullableTarget,
  optionName,
  orNull,
  refTo,
  requiredOf,
  type Schema,
  type Schemas,
  severalTypes,
  targetOf,
  typesOf,
  withDefault,
  withoutControls,
  withoutFixedFlag,
  withoutFormat,
  withoutNull,
  withoutSafeBounds,
  withWords,
} from "./schema_parts.ts";

/** Null in a request means the default, so answers never contain null here. */
const NULL_IS_DEFAULT = "x-null-is-default";

/** Components in `answers` are only in answers, so fields with defaults are always present. */
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

  /** Includes the components that got their names here. */
  components(): Schemas {
    return Object.fromEntries(this.#components);
  }

  /** Names of new components begin with `name`. `filled` is true for schemas of answers. */
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
    if (isNullableObject(schema)) {
      const { description, ...whole } = withoutNull(schema);
      const title = this.#nameFor(name, this.tidy(whole, name, filled));
      return { ...(isText(description) && { description }), ...orNull(refTo(title)) };
    }
    const target = nullableTarget(schema);
    if (target) {
      return {
        ...(isText(schema.description) && { description: schema.description }),
        ...orNull(this.tidy(target, name, filled)),
      };
    }
    if (isNullableMap(schema)) {
      const { description, ...whole } = schema;
      const map = this.tidy({ ...whole, type: "object" }, name, filled);
      return { ...(isText(description) && { description }), ...orNull(map) };
    }
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
      // Client generators disagree about a discriminator without a mapping.
      delete tidied.discriminator;
      Object.assign(tidied, this.#oneOf(options, name, filled));
    }
    return withoutControls(withoutFixedFlag(withoutSafeBounds(tidied)));
  }

  /** Some generators do not know tuples, so a list of all positions' types replaces them. */
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

  /** Several options besides null become one component; then null is an alternative to it. */
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

  /** The variant of a component for answers. Its fields with defaults are always present. */
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
