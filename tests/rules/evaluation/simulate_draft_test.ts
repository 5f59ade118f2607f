import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf, refusalOf } from "../../api/answers.ts";
import { DAY_MS } from "../../../src/base/time.ts";
import { withApp } from "../../harness.ts";
import { importXml, itemsXml } from "../../imports/import_calls.ts";
import { addProduct, addRule, push, pushJudged, UNDERCUT } from "./market.ts";

withApp.test("POST /api/rules/simulate gives the same result as the stored rule, and stores nothing", async (app) => {
  await addProduct(app.owner, "A");
  await addProduct(app.owner, "B");
  await push(app, [["A", "acme", 90], ["B", "acme", 110]]);
  const rule = { ...UNDERCUT, enabled: false, marginFloor: { pct: 48 } };
  const draft = await bodyOf(app.viewer.post("/api/rules/simulate", { rule }), 200);
  assertEquals(await bodyOf(app.viewer.get("/api/rules"), 200), []);
  const id = await addRule(app.owner, rule);
  const stored = await bodyOf(app.viewer.post(`/api/rules/${id}/simulate`, {}), 200);
  const withoutId = (answer: typeof stored) => ({
    ...answer,
    results: answer.results.map((one: { trace: { owner: object | null } }) => ({
      ...one,
      trace: {
        ...one.trace,
        mode: "",
        ruleId: "",
        owner: one.trace.owner && { ...one.trace.owner, ruleId: "" },
      },
    })),
  });
  assertEquals(withoutId(draft), withoutId(stored));
  assertEquals([draft.evaluated, draft.fired, draft.firstFive[0].proposedCents], [2, 1, 9_616]);
});

withApp.test("POST /api/rules/simulate with the id of a stored rule uses that rule's state", async (app) => {
  const ruleId = await addRule(app.owner, { cooldownMinutes: 60 });
  await addProduct(app.owner, "A");
  await pushJudged(app, [["A", "acme", 90]]);
  const ask = async (more: Record<string, unknown>) => {
    const body = { rule: { ...UNDERCUT, cooldownMinutes: 60 }, ...more };
    return (await bodyOf(app.owner.post("/api/rules/simulate", body), 200)).results[0];
  };
  assertEquals((await ask({ ruleId })).cooldownActive, true);
  assertEquals((await ask({})).cooldownActive, false);
});

withApp.test("POST /api/rules/simulate judges with the offers that count now, as live evaluation does", async (app) => {
  const ruleId = await addRule(app.owner, { cooldownMinutes: 60 });
  const id = await addProduct(app.owner, "A");
  await push(app, [["A", "gone", 80]]);
  app.clock.advance(3 * DAY_MS);
  await pushJudged(app, [["A", "acme", 90]]);
  const body = { rule: { ...UNDERCUT, cooldownMinutes: 60 }, ruleId };
  const drafted = await bodyOf(app.viewer.post("/api/rules/simulate", body), 200);
  const live = await bodyOf(app.viewer.get(`/api/products/${id}/decisions`), 200);
  const [preview, decided] = [drafted.results[0], live.items[0]];
  assertEquals([preview.proposedCents, decided.proposedCents], [9_000, 9_000]);
  assertEquals(preview.trace.references, decided.trace.references);
  assertEquals(preview.trace.leftOut, decided.trace.leftOut);
  assertEquals([preview.cooldownActive, drafted.fired], [true, 1]);
});

withApp.test("POST /api/rules/simulate takes a rule as it was read", async (app) => {
  const id = await addRule(app.owner, { scope: { mode: "sku", list: ["NOBODY"] } });
  const rule = await bodyOf(app.viewer.get(`/api/rules/${id}`), 200);
  const { evaluated } = await bodyOf(app.viewer.post("/api/rules/simulate", { rule }), 200);
  assertEquals([rule.warnings.length, evaluated], [1, 0]);
  const misspelt = { rule: { ...rule, warning: [] } };
  const { details } = await refusalOf(app.viewer.post("/api/rules/simulate", misspelt));
  assertEquals(details.fields.map(({ path }: { path: string }) => path), ["rule.warning"]);
});

withApp.test("POST /api/rules/simulate refuses a rule that could not be saved, by its fields, and a foreign rule", async (app) => {
  const fieldsOf = async (rule: Record<string, unknown>) => {
    const error = await refusalOf(app.owner.post("/api/rules/simulate", { rule }));
    return error.details.fields.map((field: { path: string }) => field.path);
  };
  const action = { type: "propose_price", formula: "target_margin_pct" };
  assertEquals(await fieldsOf({ ...UNDERCUT, actions: [action] }), [
    "rule.actions.0.targetMarginPct",
  ]);
  assertEquals(await fieldsOf({ ...UNDERCUT, name: "" }), ["rule.name"]);
  const ruleId = await addRule(await app.strangerOwner());
  const body = { rule: UNDERCUT, ruleId };
  const { code } = await refusalOf(app.owner.post("/api/rules/simulate", body));
  assertEquals(code, "not_found");
});

withApp.test("a sample of a large catalogue contains observed products, wherever they are", async (app) => {
  const key = await app.key(["products:write"]);
  const skus = Array.from({ length: 5_040 }, (_, n) => `S-${n + 10_000}`);
  await importXml(key, itemsXml(skus.map((sku) => ({ sku, title: sku, price: "100,00" }))));
  const shown = skus.slice(-30);
  await pushJudged(app, shown.map((sku) => [sku, "acme", 90]));
  const body = { rule: { ...UNDERCUT, enabled: false } };
  const { results } = await bodyOf(app.viewer.post("/api/rules/simulate", body), 200);
  assertEquals(results.map(({ sku }: { sku: string }) => sku), shown.slice(0, 25));
});
