import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { bodyOf, row } from "./rows.ts";

/** The least that makes a rule. */
const RULE = {
  name: "Match cheaper competitors",
  when: { trigger: "competitor_undercut", competitorDeltaPct: 1 },
  scope: { mode: "all" },
  actions: [{ type: "propose_price", formula: "match_cheapest" }],
};

row("§2.5 a rule has a name, a trigger, a scope and actions, all required", async (app) => {
  const made = await bodyOf(app.owner.post("/api/rules", RULE), 201);
  assertEquals(
    [made.name, made.when.trigger, made.scope.mode, made.actions[0].type],
    [RULE.name, "competitor_undercut", "all", "propose_price"],
  );
  for (const name of ["name", "when", "scope", "actions"]) {
    const { error } = await bodyOf(
      app.owner.post("/api/rules", { ...RULE, [name]: undefined }),
      400,
    );
    assertEquals([error.code, error.details.fields[0].path], ["validation_failed", name]);
  }
});

row("§2.5 description, enabled, priority, cooldownMinutes have defaults", async (app) => {
  const made = await bodyOf(app.owner.post("/api/rules", RULE), 201);
  assertEquals(
    [made.description, made.enabled, made.priority, made.cooldownMinutes, made.marginFloor],
    [null, false, 100, 60, null],
  );
});

const BOUNDS: [string, unknown[], unknown[]][] = [
  ["priority", [0, 1_000], [-1, 1_001, 1.5, "1"]],
  ["cooldownMinutes", [0, 10_080], [-1, 10_081, 0.5]],
  ["marginFloor", [null, { pct: 0 }, { pct: 100 }], [{ pct: -1 }, { pct: 101 }, { pct: "5" }, {}]],
  ["enabled", [true, false], ["yes", 1]],
  ["actions", [[{ type: "alert_inapp" }]], [[], {}, [{ type: "sms" }], [{}]]],
];

for (const [field, good, bad] of BOUNDS) {
  row(`§2.5 ${field} keeps its bounds`, async (app) => {
    for (const value of good) {
      const made = await bodyOf(app.owner.post("/api/rules", { ...RULE, [field]: value }), 201);
      if (field !== "actions") assertEquals(made[field], value);
    }
    for (const value of bad) {
      const { error } = await bodyOf(
        app.owner.post("/api/rules", { ...RULE, [field]: value }),
        400,
      );
      ok(error.details.fields[0].path.startsWith(field), JSON.stringify(error));
    }
  });
}

row("§2.5 scope.mode is all, attribute or sku, each with its own field", async (app) => {
  const scopes = [
    { mode: "all" },
    { mode: "attribute", matches: { brand: ["Sony"] } },
    { mode: "sku", list: ["4711-A"] },
  ];
  for (const scope of scopes) {
    const made = await bodyOf(app.owner.post("/api/rules", { ...RULE, scope }), 201);
    assertEquals(made.scope, scope);
  }
  for (const scope of [{ mode: "some" }, { mode: "all", list: [] }, { mode: "sku" }, {}]) {
    await bodyOf(app.owner.post("/api/rules", { ...RULE, scope }), 400);
  }
});

row("§2.5 the action types, and formula on propose_price", async (app) => {
  const actions = [
    { type: "alert_inapp", severity: "high" },
    { type: "alert_email" },
    { type: "propose_price", formula: "min_competitor_minus_1pct" },
    { type: "auto_apply_if_safe" },
  ];
  const made = await bodyOf(app.owner.post("/api/rules", { ...RULE, actions }), 201);
  assertEquals(made.actions.map(({ type }: { type: string }) => type), [
    "alert_inapp",
    "alert_email",
    "propose_price",
    "auto_apply_if_safe",
  ]);
  assertEquals([made.actions[0].severity, made.actions[1].severity], ["high", "medium"]);
  for (const formula of [undefined, "half_price", null]) {
    const action = { type: "propose_price", formula };
    await bodyOf(app.owner.post("/api/rules", { ...RULE, actions: [action] }), 400);
  }
});

row("§3.2 a new rule is disabled unless its body says otherwise", async (app) => {
  assertEquals((await bodyOf(app.owner.post("/api/rules", RULE), 201)).enabled, false);
  const enabled = { ...RULE, enabled: true };
  assertEquals((await bodyOf(app.owner.post("/api/rules", enabled), 201)).enabled, true);
});

row("§3.2 toggle flips the state and is written to the audit log", async (app) => {
  const { id } = await bodyOf(app.owner.post("/api/rules", RULE), 201);
  const toggle = () => bodyOf(app.owner.post(`/api/rules/${id}/toggle`), 200);
  assertEquals(await toggle(), { ok: true, enabled: true });
  assertEquals((await bodyOf(app.owner.get(`/api/rules/${id}`), 200)).enabled, true);
  assertEquals(await toggle(), { ok: true, enabled: false });
  const log = await bodyOf(app.owner.get(`/api/audit-logs?resource=rule:${id}`), 200);
  assertEquals(
    log.items.map(({ action, before, after }: Record<string, unknown>) => [action, before, after])
      .slice(1),
    [
      ["rule.toggle", { enabled: false }, { enabled: true }],
      ["rule.toggle", { enabled: true }, { enabled: false }],
    ],
  );
});

row("§3.2 PATCH with enabled sets the given value", async (app) => {
  const { id } = await bodyOf(app.owner.post("/api/rules", RULE), 201);
  for (const enabled of [true, true, false]) {
    assertEquals(
      (await bodyOf(app.owner.patch(`/api/rules/${id}`, { enabled }), 200)).enabled,
      enabled,
    );
  }
});

row("§3.2 DELETE soft-deletes and answers ok", async (app) => {
  const { id } = await bodyOf(app.owner.post("/api/rules", RULE), 201);
  assertEquals(await bodyOf(app.owner.delete(`/api/rules/${id}`), 200), { ok: true });
  await bodyOf(app.owner.get(`/api/rules/${id}`), 404);
  await bodyOf(app.owner.delete(`/api/rules/${id}`), 404);
  await bodyOf(app.owner.post(`/api/rules/${id}/toggle`), 404);
  assertEquals(await bodyOf(app.owner.get("/api/rules"), 200), []);
});

row("§4.5 GET /api/rules answers an array of all rules", async (app) => {
  assertEquals(await bodyOf(app.owner.get("/api/rules"), 200), []);
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    ids.push((await bodyOf(app.owner.post("/api/rules", { ...RULE, name: `R${n}` }), 201)).id);
  }
  const rules = await bodyOf(app.owner.get("/api/rules"), 200);
  assertEquals(rules.map(({ id }: { id: string }) => id), ids);
});

row("§4.5 GET one rule answers what POST answered", async (app) => {
  const made = await bodyOf(app.owner.post("/api/rules", RULE), 201);
  assertEquals(await bodyOf(app.owner.get(`/api/rules/${made.id}`), 200), made);
  match(made.id, /^[0-9a-f]{24}$/);
});

row("§4.5 PATCH takes the same fields, all optional", async (app) => {
  const { id } = await bodyOf(app.owner.post("/api/rules", RULE), 201);
  const changes = {
    name: "Neu",
    description: "Warum",
    priority: 7,
    cooldownMinutes: 0,
    marginFloor: { pct: 12.5 },
    scope: { mode: "sku", list: ["A"] },
    actions: [{ type: "alert_inapp", severity: "low" }],
  };
  for (const [name, value] of Object.entries(changes)) {
    const changed = await bodyOf(app.owner.patch(`/api/rules/${id}`, { [name]: value }), 200);
    assertEquals(changed[name], value);
  }
});

row("§4.6 Triggers lists the seven triggers, Actions the four actions", async (app) => {
  const key = await app.key([]);
  const listed = async (answer: Promise<Response>) =>
    (await bodyOf(answer, 200)).data.map(({ value }: { value: string }) => value);
  const triggers = [
    "competitor_undercut",
    "competitor_overcut",
    "margin_below",
    "margin_above",
    "position_change",
    "market_index",
    "scrape_stale",
  ];
  const actions = ["alert_inapp", "alert_email", "propose_price", "auto_apply_if_safe"];
  for (const base of ["/api/rules", "/api/public/v1/rules"]) {
    for (const caller of [key, app.viewer]) {
      assertEquals(await listed(caller.get(`${base}/triggers`)), triggers);
      assertEquals(await listed(caller.get(`${base}/actions`)), actions);
    }
    await bodyOf(app.anyone.get(`${base}/triggers`), 401);
  }
});

row("§4.6 Actions names the formulas of propose_price", async (app) => {
  const { data } = await bodyOf(app.owner.get("/api/rules/actions"), 200);
  const propose = data.find(({ value }: { value: string }) => value === "propose_price");
  const formula = propose.fields.find(({ name }: { name: string }) => name === "formula");
  assertEquals(formula.values.map(({ value }: { value: string }) => value), [
    "match_cheapest",
    "min_competitor_minus_1pct",
    "target_margin_pct",
  ]);
});
