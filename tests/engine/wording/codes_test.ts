import fc from "fast-check";
import { FORMULAS } from "../../../src/engine/pricing/actions.ts";
import { NOTES } from "../../../src/engine/pricing/bounds.ts";
import {
  belowCost,
  BOUND_GUARDS,
  priceChanged,
  SAFETY_GUARDS,
} from "../../../src/engine/pricing/safety_guards.ts";
import { AIM_GUARDS, INPUT_GUARDS, PRICE_GUARDS } from "../../../src/engine/pricing/guards.ts";
import { type Facts, RESTS, type Statement } from "../../../src/engine/pricing/trigger.ts";
import { TRIGGERS } from "../../../src/engine/pricing/triggers.ts";
import { GUARD_WORDS, guardWordsOf } from "../../../src/engine/wording/guard_words.ts";
import {
  guardDetail,
  noteText,
  saidText,
  wireNote,
  wireObjection,
  wireSaid,
} from "../../../src/engine/wording/reason_text.ts";
import { formulaLabels } from "../../../src/engine/wording/price_sentence.ts";
import type { Language } from "../../../src/base/codes.ts";
import { createShow } from "../../../src/engine/wording/show.ts";
import { triggerWordsOf } from "../../../src/engine/wording/trigger_words.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { z } from "zod";

const LANGUAGES: readonly Language[] = ["de", "en"];
const show = createShow({ locale: "de-DE", timeZone: "UTC", currency: "EUR" }, () => 0);

/** The parts of JSON Schema that schemas of facts use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

function valuesOf(schema: Schema, name = ""): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valuesOf(one, name)));
  if (typeof schema.type === "object") {
    return fc.oneof(...schema.type.map((type) => valuesOf({ ...schema, type }, name)));
  }
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (/currency$/i.test(name)) return fc.constantFrom("EUR", "JPY", "KWD");
  if (schema.format === "date-time") {
    return fc.constantFrom("2026-03-01T10:00:00Z", "2026-04-02T11:30:00Z");
  }
  switch (schema.type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: 1, max: 40 });
    case "number":
      return fc.integer({ min: 1, max: 400 }).map((tenths) => tenths / 10);
    case "string":
      return fc.constantFrom("Acme", "Beta", "Gamma");
    case "array":
      return fc.array(valuesOf(schema.items ?? {}), { minLength: 1, maxLength: 3 });
    case "object":
      return factsOf(schema);
    default:
      throw new Error(`${name}: no values for ${JSON.stringify(schema)}`);
  }
}

function factsOf({ properties = {} }: Schema): fc.Arbitrary<Facts> {
  const values = Object.entries(properties).map(([name, one]) => [name, valuesOf(one, name)]);
  return fc.record(Object.fromEntries(values));
}

interface Said {
  readonly code: string;
  readonly facts: z.ZodObject;
  /** The sentences for a code: one per language, and one for the API. */
  all(said: Statement): readonly string[];
}

const spoken = (said: Statement) => [
  ...LANGUAGES.map((language) => saidText({ language, show }, said)),
  wireSaid(said),
];
const objected = (said: Statement) => [
  ...LANGUAGES.map((language) =>
    [guardWordsOf(said.code)?.name[language], guardDetail({ language, show }, said)]
      .filter(Boolean).join(": ")
  ),
  wireObjection(said),
];

const noted = (said: Statement) => [
  ...LANGUAGES.map((language) => noteText({ language, show }, said)),
  wireNote(said),
];

const GUARDS = new Set([...INPUT_GUARDS, ...PRICE_GUARDS, ...AIM_GUARDS, ...SAFETY_GUARDS])
  .union(new Set([priceChanged, ...BOUND_GUARDS, belowCost]));

/** `max_move` is both a guard and a note, so it is in this list twice. */
const CODES: readonly Said[] = [
  ...TRIGGERS.map(({ value, facts }) => ({ code: value, facts, all: spoken })),
  ...Object.entries(RESTS).map(([code, facts]) => ({ code, facts, all: spoken })),
  ...GUARDS.values().map(({ value, facts }) => ({ code: value, facts, all: objected })),
  ...Object.entries(NOTES).map(([code, facts]) => ({ code, facts, all: noted })),
  ...["ending_dropped", "rule_deleted", "rule_off", "other_open"]
    .map((code) => ({ code, facts: z.object({}), all: objected })),
  { code: "outranked", facts: z.object({ ruleName: z.string() }), all: objected },
  {
    code: "not_stable",
    facts: z.object({ ruleName: z.string(), wouldBeCents: z.int(), currency: z.string() }),
    all: objected,
  },
];

/** Matches sentences that show a missing value. */
const BROKEN = /undefined|null|NaN|\[object|^\s*$/;

/** Enough random inputs to use every fact, because some facts matter only together with others. */
const DRAWS = { numRuns: 300, seed: 7 };

for (const { code, facts, all } of CODES) {
  Deno.test(`${code} has sentences in both languages and for the API, with all facts${all === noted ? ", as a note" : ""}`, () => {
    const schema: Schema = JSON.parse(JSON.stringify(z.toJSONSchema(facts)));
    const drawn = factsOf(schema);
    const effective = new Set<string>();
    const property = fc.property(drawn, drawn, (some, others) => {
      const sentences = all({ code, facts: some });
      assertEquals(sentences.length, 3);
      for (const sentence of sentences) {
        ok(sentence !== code && !BROKEN.test(sentence), `${JSON.stringify(some)}: ${sentence}`);
      }
      for (const name of Object.keys(some)) {
        const changed = all({ code, facts: { ...some, [name]: others[name] } });
        if (changed.join() !== sentences.join()) effective.add(name);
      }
    });
    fc.assert(property, DRAWS);
    assertEquals([...effective].sort(), Object.keys(schema.properties ?? {}).sort());
  });
}

Deno.test("every code has different sentences in German and English", () => {
  const formulas = { de: formulaLabels("de"), en: formulaLabels("en") };
  const lists = [
    ...TRIGGERS.map(({ value }) => triggerWordsOf(value)?.label),
    ...FORMULAS.map(({ value }) => ({ de: formulas.de[value], en: formulas.en[value] })),
    ...Object.values(GUARD_WORDS).map(({ name }) => name),
  ];
  assertEquals(lists.filter((words) => words === undefined || words.de === words.en), []);
});

Deno.test("trigger fields with the same name have the same words", () => {
  const byName = new Map<string, string>();
  for (const { value } of TRIGGERS) {
    for (const [name, words] of Object.entries(triggerWordsOf(value)?.fields ?? {})) {
      const text = JSON.stringify(words);
      assertEquals([name, byName.get(name) ?? text], [name, text]);
      byName.set(name, text);
    }
  }
});

Deno.test("every guard has its own code, and no words exist for unknown guards", () => {
  const codes = CODES.flatMap(({ code, all }) => all === objected ? code : []);
  assertEquals(Object.keys(GUARD_WORDS).sort(), codes.sort());
});
