/** Decides which products a rule applies to (docs/decisions/rules.md). */
import { z } from "zod";
import { fromKeys } from "../../base/collections.ts";
import { fold, normaliseSku } from "../../base/text.ts";
import { SCOPE_FIELDS, SCOPE_OPS, type ScopeField } from "./codes.ts";
import type { PricedProduct } from "./situation.ts";

const SKUS_MAX = 1_000;
const VALUES_MAX = 1_000;

const Text = z.string().trim().min(1, "Must not be empty").max(400);
const Contains = z.strictObject({ contains: Text });
const Wanted = z.union([Text, Contains], { error: 'Must be a text or {"contains": "…"}' });
const WantedField = z.union([
  Wanted.transform((wanted) => [wanted]),
  z.array(Wanted).min(1).max(VALUES_MAX),
], { error: 'Must be a text, {"contains": "…"}, or a list of these that is not empty' });

const byField = (field: ScopeField) =>
  WantedField.optional().meta({
    title: field,
    description: "Equal to, or containing, any of these",
  });

/** A product must match at least one value of each given field. */
const MatchesObject = z.strictObject(fromKeys(SCOPE_FIELDS, byField));

type Matches = z.output<typeof MatchesObject>;

const MatchesList = z.array(
  z.strictObject({ field: z.enum(SCOPE_FIELDS), op: z.enum(SCOPE_OPS), value: Text }),
).max(VALUES_MAX).transform((entries) => {
  const matches: Record<string, z.output<typeof Wanted>[]> = {};
  for (const { field, op, value } of entries) {
    (matches[field] ??= []).push(op === "eq" ? value : { contains: value });
  }
  return MatchesObject.parse(matches);
});

/** Lists and objects have separate schemas, because errors of a Zod union name no field. */
const Matches = z.unknown().transform((sent, check): Matches => {
  const read = Array.isArray(sent) ? MatchesList.safeParse(sent) : MatchesObject.safeParse(sent);
  if (!read.success) {
    for (const issue of read.error.issues) {
      const isUnknown = issue.code === "unrecognized_keys";
      for (const key of isUnknown ? issue.keys : [null]) {
        const path = key === null ? issue.path : [...issue.path, key];
        check.addIssue({
          code: "custom",
          path,
          message: isUnknown ? "Unknown field" : issue.message,
        });
      }
    }
    return {};
  }
  if (Object.keys(read.data).length === 0) {
    check.addIssue({ code: "custom", message: `Must name one of ${SCOPE_FIELDS.join(", ")}` });
  }
  return read.data;
});

const wantedWords = {
  oneOf: [
    { type: "string", minLength: 1 },
    {
      type: "object",
      properties: { contains: { type: "string", minLength: 1 } },
      required: ["contains"],
      additionalProperties: false,
    },
  ],
};
const wantedListWords = (field: ScopeField) => ({
  oneOf: [...wantedWords.oneOf, { type: "array", minItems: 1, items: wantedWords }],
  description: `Values of the product's ${field}, or parts of it; one match is enough`,
});

const Sku = z.string().transform(normaliseSku)
  .refine((sku) => sku !== "" && sku.length <= 256, "Must have 1 to 128 characters")
  .meta({ type: "string", minLength: 1, maxLength: 128 });

const ScopeAll = z.strictObject({
  mode: z.literal("all").describe("The rule applies to all products"),
}).meta({ id: "ScopeAll" });
const ScopeAttribute = z.strictObject({
  mode: z.literal("attribute").describe("The rule applies to products with these values"),
  matches: Matches.meta({
    type: "object",
    properties: fromKeys(SCOPE_FIELDS, wantedListWords),
    description: "Each named field must match one of its values, ignoring case. " +
      "A list of `{field, op: eq | contains, value}` is also accepted",
    example: { brand: ["Sony"], category: { contains: "Audio" } },
  }),
}).meta({ id: "ScopeAttribute" });
const ScopeSku = z.strictObject({
  mode: z.literal("sku").describe("The rule applies to products with these SKUs"),
  list: z.array(Sku).min(1).max(SKUS_MAX).transform((skus) => [...new Set(skus)])
    .meta({
      type: "array",
      items: { type: "string" },
      minItems: 1,
      maxItems: SKUS_MAX,
      description: "SKUs of the products",
    }),
}).meta({ id: "ScopeSku" });

export const Scope = z.discriminatedUnion("mode", [ScopeAll, ScopeAttribute, ScopeSku], {
  error: ({ code }) => code === "invalid_union" ? "Must be one of all, attribute, sku" : undefined,
}).meta({ id: "Scope" });

export type Scope = z.output<typeof Scope>;

const answered = (field: ScopeField) =>
  z.array(z.union([z.string(), z.object({ contains: z.string() })])).optional()
    .describe(`Values of the product's ${field}, or parts of it; one match is enough`);

export const ScopeAnswer = z.discriminatedUnion("mode", [
  ScopeAll,
  z.object({
    mode: ScopeAttribute.shape.mode,
    matches: z.object(fromKeys(SCOPE_FIELDS, answered))
      .describe("Each named field matches one of its values"),
  }).meta({ id: "ScopeAttributeAnswer" }),
  ScopeSku,
]).meta({ id: "ScopeAnswer" });

interface CompiledScope {
  includes(product: PricedProduct): boolean;
  mismatch(product: PricedProduct): { field: ScopeField | "sku"; value: string | null } | null;
}

export function compileScope(scope: Scope): CompiledScope {
  switch (scope.mode) {
    case "all":
      return { includes: () => true, mismatch: () => null };
    case "sku": {
      const skus = new Set(scope.list);
      return {
        includes: ({ sku }) => skus.has(sku),
        mismatch: ({ sku }) => skus.has(sku) ? null : { field: "sku", value: sku },
      };
    }
    case "attribute":
      return compileMatches(scope.matches);
  }
}

interface FieldTest {
  readonly field: ScopeField;
  readonly equal: ReadonlySet<string>;
  readonly parts: readonly string[];
}

function compileMatches(matches: Matches): CompiledScope {
  const tests = SCOPE_FIELDS.flatMap((field): FieldTest[] => {
    const wanted = matches[field];
    if (wanted === undefined) return [];
    const equal = wanted.filter((value) => typeof value === "string").map(fold);
    const parts = wanted.flatMap((value) =>
      typeof value === "string" ? [] : [fold(value.contains)]
    );
    return [{ field, equal: new Set(equal), parts }];
  });
  return {
    includes: (product) => {
      for (const test of tests) if (!passes(test, product)) return false;
      return true;
    },
    mismatch: (product) => {
      const failed = tests.find((test) => !passes(test, product));
      return failed === undefined ? null : { field: failed.field, value: product[failed.field] };
    },
  };
}

function passes({ field, equal, parts }: FieldTest, { folded }: PricedProduct): boolean {
  const text = folded[field];
  if (text === null) return false;
  return equal.has(text) || (parts.length > 0 && parts.some((part) => text.includes(part)));
}
