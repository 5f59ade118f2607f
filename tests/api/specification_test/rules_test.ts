import { DAY_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { TestApp } from "../../harness.ts";
import { until } from "../../patience.ts";
import {
  SPECIFIED_ACTIONS,
  SPECIFIED_FORMULAS,
  SPECIFIED_TRIGGERS,
} from "../../engine/pricing/specified_lists.ts";
import { bodyOf, row } from "./rows.ts";

/** The required fields of a rule. */
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
  const listed = async (answer: Promise<Response>): Promise<string[]> =>
    (await bodyOf(answer, 200)).data.map(({ value }: { value: string }) => value);
  for (const base of ["/api/rules", "/api/public/v1/rules"]) {
    for (const caller of [key, app.viewer]) {
      const triggers = await listed(caller.get(`${base}/triggers`));
      assertEquals(triggers.slice(0, SPECIFIED_TRIGGERS.length), SPECIFIED_TRIGGERS);
      assertEquals(await listed(caller.get(`${base}/actions`)), SPECIFIED_ACTIONS);
    }
    await bodyOf(app.anyone.get(`${base}/triggers`), 401);
  }
});

row("§4.6 Actions names the formulas of propose_price", async (app) => {
  const { data } = await bodyOf(app.owner.get("/api/rules/actions"), 200);
  const propose = data.find(({ value }: { value: string }) => value === "propose_price");
  const formula = propose.fields.find(({ name }: { name: string }) => name === "formula");
  assertEquals(
    formula.values.map(({ value }: { value: string }) => value).slice(0, 3),
    SPECIFIED_FORMULAS,
  );
});

/** Products `SKU-0…` at 100.00; shop `acme` asks 90.00 for the first `observed` of them. */
async function market(
  app: TestApp,
  count: number,
  observed: number,
  daysAgo = 0,
): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const sku = `SKU-${String(n).padStart(2, "0")}`;
    const body = { sku, title: sku, brand: n % 2 ? "Bose" : "Sony", ourPrice: 100 };
    ids.push((await bodyOf(app.owner.post("/api/products", body), 201)).id);
  }
  const key = await app.key(["observations:write"]);
  const observations = ids.slice(0, observed).map((productId) => ({
    productId,
    url: `https://acme.example/${productId}`,
    price: 90,
    currency: "EUR",
    observedAt: new Date(app.clock.now().getTime() - daysAgo * DAY_MS).toISOString(),
  }));
  if (observed > 0) {
    await bodyOf(key.post("/api/public/v1/observations", { observations }), 200);
  }
  return ids;
}

row("§4.5 simulate reports of each product whether it would fire and the price", async (app) => {
  await market(app, 3, 2);
  const { id } = await bodyOf(app.owner.post("/api/rules", RULE), 201);
  const { firstFive } = await bodyOf(app.owner.post(`/api/rules/${id}/simulate`, {}), 200);
  assertEquals(
    firstFive.map((one: Record<string, unknown>) => [one.sku, one.wouldFire, one.proposedCents]),
    [["SKU-00", true, 9_000], ["SKU-01", true, 9_000], ["SKU-02", false, undefined]],
  );
  for (const one of firstFive) ok(typeof one.reason === "string" && one.reason !== "");
});

row("§4.5 simulate looks at 25 products and lists the first five", async (app) => {
  await market(app, 30, 30);
  const { id } = await bodyOf(app.owner.post("/api/rules", RULE), 201);
  const answer = await bodyOf(app.viewer.post(`/api/rules/${id}/simulate`, {}), 200);
  assertEquals(
    [answer.firstFive.length, answer.results.length, answer.evaluated, answer.fired],
    [5, 25, 25, 25],
  );
  assertEquals(
    answer.firstFive.map(({ sku }: { sku: string }) => sku),
    ["SKU-00", "SKU-01", "SKU-02", "SKU-03", "SKU-04"],
  );
});

row("§4.5 simulate takes the products that it is given", async (app) => {
  const ids = await market(app, 3, 3);
  const scope = { mode: "attribute", matches: { brand: "Sony" } };
  const { id } = await bodyOf(app.owner.post("/api/rules", { ...RULE, scope }), 201);
  const unknown = "0123456789abcdef01234567";
  const sampleProductIds = [ids[1], ids[0], ids[1], unknown, "nonsense"];
  const answer = await bodyOf(
    app.owner.post(`/api/rules/${id}/simulate`, { sampleProductIds }),
    200,
  );
  assertEquals(
    answer.results.map((one: Record<string, unknown>) => [one.sku, one.wouldFire]),
    [["SKU-01", false], ["SKU-00", true]],
  );
  assertEquals(answer.results[0].reason, "out of scope: brand is Bose");
  assertEquals(
    answer.ignored.find((one: { id: string }) => one.id === unknown),
    { id: unknown, reason: "not_found" },
  );
  const many = Array.from({ length: 26 }, (_, n) => n.toString(16).padStart(24, "0"));
  const path = `/api/rules/${id}/simulate`;
  await bodyOf(app.owner.post(path, { sampleProductIds: many }), 400);
  await bodyOf(app.owner.post(path, { sampleProductIds: [...many.slice(1), many[1]] }), 200);
});

row("§4.5 without an observation in 30 days a product would not fire", async (app) => {
  const ids = await market(app, 2, 1, 31);
  const when = { trigger: "margin_below", marginPct: 99 };
  const { id } = await bodyOf(app.owner.post("/api/rules", { ...RULE, when }), 201);
  const answer = await bodyOf(
    app.owner.post(`/api/rules/${id}/simulate`, { sampleProductIds: ids }),
    200,
  );
  assertEquals(answer.fired, 0);
  for (const { reason } of answer.firstFive) match(reason, /observation/);
});

row("§4.5 simulate is a dry run", async (app) => {
  await market(app, 1, 1);
  const actions = [...RULE.actions, { type: "alert_inapp" }];
  const { id } = await bodyOf(app.owner.post("/api/rules", { ...RULE, actions }), 201);
  await bodyOf(app.owner.post(`/api/rules/${id}/simulate`, {}), 200);
  assertEquals((await bodyOf(app.owner.get("/api/proposals"), 200)).count, 0);
  assertEquals((await bodyOf(app.owner.get("/api/alerts"), 200)).count, 0);
  const { stats } = await bodyOf(app.owner.get(`/api/rules/${id}`), 200);
  assertEquals(stats, { fires30d: 0, lastFiredAt: null });
});

row("§6 alert_inapp and alert_email are outputs of a rule", async (app) => {
  const actions = [{ type: "alert_inapp", severity: "low" }, { type: "alert_email" }];
  await bodyOf(app.owner.post("/api/rules", { ...RULE, enabled: true, actions }), 201);
  await market(app, 1, 1);
  const alerts = async () => (await bodyOf(app.owner.get("/api/alerts"), 200)).items;
  await until("the alert is there", async () => (await alerts()).length > 0);
  const [alert] = await alerts();
  assertEquals([alert.severity, alert.mail], ["medium", "off"]);
});

row("§9 the values of triggers and actions are those of the specification", async (app) => {
  for (const trigger of SPECIFIED_TRIGGERS) {
    const own: Record<string, unknown> = trigger.startsWith("margin")
      ? { marginPct: 10 }
      : trigger === "market_index"
      ? { indexAbove: 110 }
      : {};
    const when = { trigger, ...own };
    await bodyOf(app.owner.post("/api/rules", { ...RULE, when }), 201);
  }
});
