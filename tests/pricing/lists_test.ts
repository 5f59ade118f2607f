/** What the lists register is what the specification names and what lies in the folders. */
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { FORMULAS } from "../../src/pricing/formulas.ts";
import { INPUT_GUARDS, PRICE_GUARDS, SAFETY_GUARDS } from "../../src/pricing/guards.ts";
import { listActions, listTriggers } from "../../src/pricing/reference_list.ts";

const GUARDS = [...INPUT_GUARDS, ...PRICE_GUARDS, ...SAFETY_GUARDS];

async function filesOf(folder: string): Promise<string[]> {
  const names = await Array.fromAsync(Deno.readDir(`src/pricing/${folder}`), ({ name }) => name);
  return names.map((name) => name.replace(/\.ts$/, "")).sort();
}

const values = (entries: readonly { readonly value: string }[]) =>
  entries.map(({ value }) => value);

Deno.test("listTriggers() holds the triggers of the specification, in its order", () => {
  assertEquals(values(listTriggers()), [
    "competitor_undercut",
    "competitor_overcut",
    "margin_below",
    "margin_above",
    "position_change",
    "market_index",
    "scrape_stale",
  ]);
});

Deno.test("listActions() holds the action types of the specification, in its order", () => {
  assertEquals(values(listActions()), [
    "alert_inapp",
    "alert_email",
    "propose_price",
    "auto_apply_if_safe",
  ]);
  const formula = listActions()[2]!.fields.find(({ name }) => name === "formula");
  assertEquals(formula?.values?.map(({ value }) => value), [
    "match_cheapest",
    "min_competitor_minus_1pct",
    "target_margin_pct",
  ]);
});

Deno.test("every trigger, formula, guard and action type is a file of its name, and registered", async () => {
  assertEquals(await filesOf("triggers"), values(listTriggers()).sort());
  assertEquals(await filesOf("formulas"), values(FORMULAS).sort());
  assertEquals(await filesOf("guards"), values(GUARDS).sort());
  assertEquals(await filesOf("actions"), values(listActions()).sort());
});

Deno.test("everything that is listed has words, fields too", () => {
  for (const entry of [...listTriggers(), ...listActions()]) {
    for (const { value, label, description } of [entry, ...FORMULAS, ...GUARDS]) {
      assert(label !== "" && description !== "", value);
    }
    for (const { name, label, description } of entry.fields) {
      assert(label !== "" && description !== "", `${entry.value}.${name}`);
    }
  }
});

Deno.test("fields say what the schemas say: form, bounds, defaults", () => {
  const undercut = listTriggers()[0]!;
  const { values: kinds, ...reference } = undercut.fields.find(({ name }) => name === "reference")!;
  assertEquals(reference, {
    name: "reference",
    label: "Compare with",
    description: "Which of the competitors' prices counts",
    type: "string",
    required: false,
    nullable: false,
    default: "cheapest",
    minimum: null,
    maximum: null,
  });
  assertEquals(kinds?.map(({ value }) => value), ["cheapest", "second", "average", "highest"]);
  const margin = listTriggers()[2]!.fields.find(({ name }) => name === "marginPct")!;
  assertEquals([margin.required, margin.minimum, margin.maximum], [true, -100, 100]);
  const age = undercut.fields.find(({ name }) => name === "maxAgeHours")!;
  assertEquals([age.type, age.nullable, age.default], ["integer", true, null]);
});
