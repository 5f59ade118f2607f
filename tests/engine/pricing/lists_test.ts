import { FORMULAS } from "../../../src/engine/pricing/actions.ts";
import { AIM_GUARDS, INPUT_GUARDS, PRICE_GUARDS } from "../../../src/engine/pricing/guards.ts";
import { listActions, listTriggers } from "../../../src/engine/pricing/rule.ts";
import { BOUND_GUARDS, SAFETY_GUARDS } from "../../../src/engine/pricing/safety_guards.ts";
import { TRIGGERS, When } from "../../../src/engine/pricing/triggers.ts";
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { glob } from "node:fs/promises";

const values = (entries: readonly { readonly value: string }[]) =>
  entries.map(({ value }) => value);

Deno.test("listActions() begins with the formulas of the specification, in its order", () => {
  const formula = listActions()[2]!.fields.find(({ name }) => name === "formula");
  const specified = ["match_cheapest", "min_competitor_minus_1pct", "target_margin_pct"];
  assertEquals(values(formula?.values ?? []).slice(0, 3), specified);
});

Deno.test("every trigger can be the condition of a rule", () => {
  for (const { value } of TRIGGERS) {
    const issues = When.safeParse({ trigger: value }).error?.issues ?? [];
    const isMissing = issues.some(({ code }) => code === "invalid_union");
    assertEquals(isMissing, false, `${value} lacks its row of When`);
  }
});

/** Facts that change by time alone, without new data. */
const CLOCK_FACTS = ["nowMs"];

Deno.test("every trigger that depends on the clock is marked so", async () => {
  const text = await Deno.readTextFile("src/engine/pricing/triggers.ts");
  const declared = text.split(/^(?=(?:export )?const \w+ = define\w+\()/m).slice(1);
  const found = new Map(declared.map((part) => [/value: "(\w+)"/.exec(part)?.[1], part]));
  for (const { value, isClockDriven } of TRIGGERS) {
    const part = found.get(value);
    assert(part !== undefined, `${value} is no declaration of triggers.ts`);
    const readsClock = CLOCK_FACTS.some((fact) => new RegExp(`\\b${fact}\\b`).test(part));
    const hint = `isClockDriven of ${value}, or a fact that CLOCK_FACTS of this test lacks`;
    assertEquals(readsClock, isClockDriven, hint);
  }
});

Deno.test("docs/decisions/rules.md describes every trigger, and tests decide with every trigger and guard", async () => {
  const document = await Deno.readTextFile("docs/decisions/rules.md");
  const undescribed = values(TRIGGERS).filter((value) => !document.includes(`\`${value}\``));
  assertEquals(undescribed, []);
  const paths = await Array.fromAsync(glob("tests/{engine/pricing,rules,catalogue}/**/*_test.ts"));
  const texts = await Promise.all(
    paths.filter((path) => !path.endsWith("lists_test.ts")).map((path) => Deno.readTextFile(path)),
  );
  const tested = new Set(texts.join("\n").match(/\b[a-z]+(?:_[a-z]+)*\b/g));
  const guards = new Set([...INPUT_GUARDS, ...PRICE_GUARDS, ...AIM_GUARDS, ...SAFETY_GUARDS]);
  assertEquals(new Set(values([...guards])).size, guards.size, "two guards have one code");
  const codes = values([...TRIGGERS, ...guards, ...BOUND_GUARDS]);
  assertEquals(codes.filter((code) => !tested.has(code)), []);
});

Deno.test("docs/decisions/rules.md names the triggers that time fires, and those that need no price of ours", async () => {
  const document = await Deno.readTextFile("docs/decisions/rules.md");
  const named = (sentence: RegExp) => {
    const [, list = ""] = sentence.exec(document.replace(/\s+/g, " ")) ?? [];
    return [...list.matchAll(/`(\w+)`/g)].map(([, value]) => value);
  };
  const byTime = TRIGGERS.filter(({ isClockDriven }) => isClockDriven);
  assertEquals(named(/A rule whose trigger depends on time \(([^)]*)\)/), values(byTime));
  const priceless = TRIGGERS.filter(({ needs }) => !needs.ownPrice);
  assertEquals(named(/For a product without `ourPrice`, only (.*?) can fire/), values(priceless));
});

Deno.test("guards of prices hold for formulas and aims, except those that only one of them has", () => {
  const ofAims = new Set(values(AIM_GUARDS));
  const ofFormulas = new Set(values(PRICE_GUARDS));
  const onlyOfFormulas = ["price_too_low", "floor_above_current"];
  assertEquals([...ofFormulas].filter((value) => !ofAims.has(value)), onlyOfFormulas);
  const again = AIM_GUARDS.filter(({ isCheckedAgain }) => isCheckedAgain);
  assertEquals(values(again).filter((value) => !ofFormulas.has(value)), []);
});

Deno.test("every listed value and field has a label and a description", () => {
  for (const entry of [...listTriggers(), ...listActions()]) {
    for (const { value, label, description } of [entry, ...FORMULAS]) {
      assert(label !== "" && description !== "", value);
    }
    for (const { name, label, description } of entry.fields) {
      assert(label !== "" && description !== "", `${entry.value}.${name}`);
    }
  }
});

Deno.test("listed fields have the forms, bounds and defaults of the schemas", () => {
  const undercut = listTriggers()[0]!;
  const reference = undercut.fields.find(({ name }) => name === "reference")!;
  const { type, required, nullable, minimum, maximum } = reference;
  assertEquals([type, required, nullable, minimum, maximum], ["string", false, false, null, null]);
  const kinds = reference.values?.map(({ value }) => value);
  assertEquals(kinds, ["cheapest", "second", "average", "highest"]);
  assertEquals([reference.label, reference.default], ["Compare with", "cheapest"]);
  const margin = listTriggers()[2]!.fields.find(({ name }) => name === "marginPct")!;
  assertEquals([margin.required, margin.minimum, margin.maximum], [true, -100, 100]);
  const age = undercut.fields.find(({ name }) => name === "maxAgeHours")!;
  assertEquals([age.type, age.nullable, age.default], ["integer", true, null]);
});
