import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { column, everyItem, refuses } from "../../api/answers.ts";
import { addProduct, type RulesApp, startRulesApp } from "../../rules/evaluation/market.ts";
import { sealAuditRows, verifyAudit } from "../../../src/accounts/audit/seal_audit.ts";
import { callerWithKey } from "../../caller.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { testWithOne } from "../../opened.ts";
import { DAY_MS } from "../../../src/base/time.ts";
import type { AuditEntry } from "../../../src/accounts/audit/audit.ts";
import { addAuditRow } from "../../../src/accounts/audit/audit_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";

interface Row {
  readonly action: string;
  readonly actor: { readonly type: string; readonly name: string };
}

async function found({ viewer }: TestApp, query: string): Promise<string[]> {
  const { items } = await viewer.read(`/api/audit-logs?limit=200&${query}`);
  return column(items, "action");
}

async function fill(app: RulesApp) {
  const { manager } = app;
  const ruleId = await app.addRule({ name: "Kaffee: günstigster Preis" });
  const a = await addProduct(manager, "A-1");
  const b = await addProduct(manager, "B-1");
  const link = { productId: a, url: "https://bolt.example/a" };
  await manager.create("/api/competitor-products", link);
  await app.push([["A-1", "acme", 90]]);
  const [open] = await app.proposals();
  await manager.act(`/api/proposals/${open?.id}/approve`);
  const change = { ourPrice: 120, reason: "Aktion mit Hersteller" };
  const { ourPriceUpdatedAt: at } = await manager.change(`/api/products/${b}`, change);
  const path = `/api/products/${b}/price-history/${at}/mark`;
  await manager.act(path, { isError: true });
  await manager.act(path, { isError: false });
  return { ruleId, a, b };
}

/**
 * All tests read the same log. Two of them rename a person, one of these also the rule, and another
 * adds a product.
 */
const onLog = testWithOne(async () => {
  const app = await startRulesApp();
  return { ...app, ...await fill(app) };
});

onLog.test("the log is filtered by product, SKU, rule and kind, alone and together", async (app) => {
  const { ruleId, a, b } = app;
  const ofA = ["competitor_product.create", "product.create", "product.update", "proposal.approve"];
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [`product=${a}`, ofA],
    ["sku=A-1", ofA],
    ["sku=nobody", []],
    [`rule=${ruleId}`, ["proposal.approve", "rule.create"]],
    [`rule=${ruleId}&sku=A-1`, ["proposal.approve"]],
    [`rule=${ruleId}&product=${b}`, []],
    ["only=undone", ["product.mark"]],
    ["only=reason", ["product.update"]],
    ["only=rules", ["rule.create"]],
    ["only=price,reason&sku=B-1", ["product.update"]],
    ["only=price&sku=A-1", ["product.create", "product.update"]],
  ];
  for (const [query, actions] of cases) {
    assertEquals((await found(app, query)).toSorted(), actions, query);
  }
  const { items } = await app.viewer.read("/api/audit-logs?limit=200");
  const isPerson = ({ actor }: Row) => actor.type === "user";
  const people = items.filter(isPerson).map(({ action }: Row) => action);
  assertEquals(await found(app, "only=people"), people);
  ok(people.length < items.length);
  for (const query of ["only=nothing", "only=price,x"]) {
    await refuses(app.viewer.get(`/api/audit-logs?${query}`), "validation_failed");
  }
});

onLog.test("words are found in any order and case, in action, person and reason", async (app) => {
  await app.manager.change("/api/auth/me", { name: "Jana Petersen" });
  assertEquals(await found(app, "q=HERSTELLER aktion"), ["product.update"]);
  assertEquals(await found(app, "q=kaffee"), ["rule.create"]);
  for (const q of ["guenstigster preis", "GUNSTIGSTER", "Günstigster-"]) {
    assertEquals(await found(app, `q=${q}`), ["rule.create"], q);
  }
  assertEquals(await found(app, "q=kaffee nichts"), []);
});

onLog.test("pages of a search continue where the previous one ended, and no row is lost", async (app) => {
  const all = await found(app, "q=1");
  ok(all.length > 3);
  const paged = (await everyItem(app.viewer, "/api/audit-logs?q=1&limit=2"))
    .map(({ action }) => action);
  assertEquals(paged, all);
});

onLog.test("counts give the rows of each kind, under the same filters", async (app) => {
  const of = async (query: string) => await app.viewer.read(`/api/audit-logs/counts?${query}`);
  for (const query of ["", `product=${app.b}`, "sku=A-1", "q=aktion"]) {
    const counts = await of(query);
    assertEquals(counts.total, (await found(app, query)).length, query);
    for (const tag of ["price", "people", "rules", "reason", "undone"]) {
      const rows = await found(app, `only=${tag}&${query}`);
      assertEquals(counts[tag], rows.length, `${tag} ${query}`);
    }
    assertEquals(counts.isCut, false);
  }
});

onLog.test("the file has every row that fits, newest first, and no formula for a spreadsheet", async (app) => {
  const id = await addProduct(app.manager, "=1+1");
  await app.manager.change(`/api/products/${id}`, { title: "X", reason: "=2+2" });
  const answer = await app.viewer.get("/api/audit-logs.csv?only=reason");
  match(answer.headers.get("Content-Type") ?? "", /^text\/csv/);
  const lines = (await answer.text()).trim().split("\r\n");
  assertEquals(lines.length, 3);
  match(lines[0] ?? "", /^﻿?"at";"actorType";"actor"/);
  match(lines[1] ?? "", /"'=1\+1"[^]*"'=2\+2"/);
  match(lines[2] ?? "", /"Aktion mit Hersteller"/);
});

onLog.test("the last line of the file is the newest seal, with the hash that audit verify accepts", async (app) => {
  const { store, app: { clock }, workspaceId } = app;
  assertEquals(await sealAuditRows({ store, clock }) > 5, true);
  const { head } = await verifyAudit({ store, workspaceId });
  const answer = await app.viewer.get("/api/audit-logs.csv?only=reason&lang=de");
  const lines = (await answer.text()).trim().split("\r\n");
  const last = lines.at(-1) ?? "";
  match(last, /"Dienst";"Kurant";"versiegelt";"Protokoll";/);
  match(last, new RegExp(head?.hash ?? "none"));
  assertEquals(lines.filter((line) => line.includes("versiegelt")), [last]);
});

onLog.test("the log shows the current names of people, rules and products", async (app) => {
  const { ruleId, a } = app;
  await app.manager.change("/api/auth/me", { name: "Jana Petersen" });
  await app.owner.change(`/api/rules/${ruleId}`, { name: "Neu" });
  const { items, names } = await app.viewer.read(`/api/audit-logs?product=${a}`);
  assertEquals(names, { [`product:${a}`]: "A-1 Product A-1", [`rule:${ruleId}`]: "Neu" });
  const people = items.filter(({ action }: Row) => action === "proposal.approve");
  assertEquals(people.map(({ actor }: Row) => actor.name), ["Jana Petersen"]);
  const key = await app.key(["audit:read"]);
  const { data } = await key.read("/api/public/v1/audit-logs?action=proposal.approve");
  assertEquals(data.map(({ actor }: Row) => actor.name), ["Jana Petersen"]);
});

withApp.test("the log is found by its API key, and not by a person with the same id", async (app) => {
  const { id, text } = await app.newKey(["products:write"]);
  const other = await app.key(["products:write"]);
  const program = callerWithKey(app.base, text);
  await addProduct(app.manager, "K-1");
  const path = "/api/public/v1/products/K-1";
  await program.change(path, { title: "Kanne" });
  await other.change(path, { title: "Kessel" });
  assertEquals(await found(app, `key=${id}`), ["product.update"]);
  assertEquals((await found(app, "action=product.update")).length, 2);
  assertEquals(await found(app, `key=${id}&action=product.create`), []);
  const { items } = await app.viewer.read("/api/audit-logs?action=product.create");
  const [{ actor }] = items;
  assertEquals(await found(app, `actor=${actor.id}`), ["product.create"]);
  assertEquals(await found(app, `key=${actor.id}`), []);
});

/**
 * Adds twelve rows, one per day, about three rules and three products, with three actions and two
 * actors.
 */
async function fillDays(app: TestApp): Promise<void> {
  const { workspaceId, clock: { now }, app: { clock: { newId } } } = app;
  for (let n = 0; n < 12; n++) {
    const actor = { type: "user", id: n % 2 ? "anna" : "ben", name: "" } as const;
    const about = { id: `id${n % 3}`, label: "" };
    const action = n % 2 ? "product.mark" : "product.update";
    const entry: AuditEntry = n < 6
      ? { action: "rule.update", resource: { type: "rule", ...about } }
      : { action, resource: { type: "product", ...about } };
    await transact(app, (write) => {
      addAuditRow(write, { workspaceId, actor, requestId: `r${n}`, newId, now }, entry);
    });
    app.clock.advance(DAY_MS);
  }
}

withApp.test("GET /api/audit-logs filters by action, resource, actor and time, alone and together", async (app) => {
  await fillDays(app);
  const cases: [string, number[]][] = [
    ["", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
    ["order=desc&limit=3", [11, 10, 9]],
    ["action=rule.update", [0, 1, 2, 3, 4, 5]],
    ["resource=product", [6, 7, 8, 9, 10, 11]],
    ["resource=product:id1", [7, 10]],
    ["resource=nothing", []],
    ["resource=rule:id1", [1, 4]],
    ["resource=rule:id1&actor=anna", [1]],
    ["actor=ben&action=product.update", [6, 8, 10]],
    ["actor=ben&action=product.update&resource=product:id2&order=desc", [8]],
    ["action=nothing", []],
    ["action=&resource=&actor=&from=&to=", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
    ["from=2026-03-04&to=2026-03-05", [2, 3]],
    ["from=2026-03-04T09:00:00Z&to=2026-03-05T09:00:00.000Z", [2, 3]],
    ["from=2026-03-04T09:00:00.001Z&to=2026-03-05T08:59:59.999Z", []],
    ["from=2026-03-04T10:00:00%2B01:00&to=2026-03-04&actor=ben", [2]],
    ["from=2026-03-12", [10, 11]],
  ];
  for (const [query, expected] of cases) {
    const { items } = await app.viewer.read(`/api/audit-logs?${query}`);
    assertEquals(column(items, "requestId"), expected.map((n) => `r${n}`), query);
  }
  const turned = app.owner.get("/api/audit-logs?from=2026-03-05&to=2026-03-04");
  await refuses(turned, "validation_failed");
});
