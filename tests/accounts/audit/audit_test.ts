import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { column, everyItem, refuses, statusOf } from "../../api/answers.ts";
import { addProduct, type RulesApp, startRulesApp } from "../../rules/evaluation/market.ts";
import {
  expireAuditRows,
  sealAuditRows,
  verifyAudit,
} from "../../../src/accounts/audit/seal_audit.ts";
import { callerWithKey } from "../../caller.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { testWithOne } from "../../opened.ts";
import { DAY_MS } from "../../../src/base/time.ts";
import type { AuditEntry, AuditRow } from "../../../src/accounts/audit/audit.ts";
import { addAuditRow, auditRows } from "../../../src/accounts/audit/audit_store.ts";
import { type Store, transact } from "../../../src/platform/store/kv.ts";
import { addUser, provideWorkspace } from "../../../src/accounts/set_up.ts";
import { cookieBy, login, PASSWORD, tokenOf, toolsOf } from "../people.ts";
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { entriesIn, placeAt, sealedLists } from "../../../src/accounts/audit/audit_seal_store.ts";
import { createIdSource } from "../../../src/base/id.ts";
import { type Context, createClock } from "../../../src/platform/store/context.ts";
import { extent } from "../../proof.ts";
import { onEveryStore } from "../../stores.ts";

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

/** These tests share one audit log, and some of them add rows to it. */
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

onLog.test("words are found in any order and case, in action, person and reason, through all pages", async (app) => {
  await app.manager.change("/api/auth/me", { name: "Jana Petersen" });
  assertEquals(await found(app, "q=HERSTELLER aktion"), ["product.update"]);
  assertEquals(await found(app, "q=kaffee"), ["rule.create"]);
  for (const q of ["guenstigster preis", "GUNSTIGSTER", "Günstigster-"]) {
    assertEquals(await found(app, `q=${q}`), ["rule.create"], q);
  }
  assertEquals(await found(app, "q=kaffee nichts"), []);
  const all = await found(app, "q=1");
  ok(all.length > 3);
  const paged = await everyItem(app.viewer, "/api/audit-logs?q=1&limit=2");
  assertEquals(column(paged, "action"), all);
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

withApp.test("GET /api/audit-logs filters by action, resource, actor and time, alone and together", async (app) => {
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
  const cases: [string, number[]][] = [
    ["", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
    ["order=desc&limit=3", [11, 10, 9]],
    ["action=rule.update", [0, 1, 2, 3, 4, 5]],
    ["resource=product", [6, 7, 8, 9, 10, 11]],
    ["resource=product:id1", [7, 10]],
    ["resource=rule:id1", [1, 4]],
    ["resource=rule:id1&actor=anna", [1]],
    ["actor=ben&action=product.update&resource=product:id2&order=desc", [8]],
    ["action=nothing", []],
    ["resource=nothing", []],
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

withApp.test("every change of people, keys and settings leaves a row that names actor and object, but no secret", async (app) => {
  const person = { email: "anna@shop.example", role: "owner", password: PASSWORD } as const;
  const anna = await addUser(toolsOf(app), person);
  const cookie = { Cookie: await cookieBy(login(app, "anna@shop.example")) };
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await app.anyone.send(method, path, body, cookie);
    assertEquals([path, answer.ok], [path, true]);
    return await answer.json();
  };
  await call("PATCH", "/api/settings", { vatRatePct: 19 });
  const ben = await call("POST", "/api/users", { email: "ben@shop.example", role: "viewer" });
  const join = { token: tokenOf(ben.link), password: "regen-trommel-44" };
  await call("POST", "/api/invitations/accept", join);
  await call("PATCH", `/api/users/${ben.id}`, { role: "manager" });
  const reset = await call("POST", `/api/users/${ben.id}/reset-link`);
  const { id: keyId, key } = await call("POST", "/api/keys", { name: "ERP", scopes: [] });
  await call("DELETE", `/api/keys/${keyId}`);
  await call("DELETE", `/api/users/${ben.id}`);
  const change = { currentPassword: PASSWORD, newPassword: "wolken-pinsel-58" };
  await call("POST", "/api/auth/password", change);

  const text = await (await app.owner.get("/api/audit-logs?limit=200")).text();
  const rows: AuditRow[] = JSON.parse(text).items;
  const user = `user:${anna.id}`;
  const [aboutAnna, aboutBen] = [`${user}:anna@shop.example`, `user:${ben.id}:ben@shop.example`];
  const workspace = `workspace:${app.workspaceId}:Test`;
  const aboutKey = `api_key:${keyId}:ERP`;
  const made = { name: "ERP", scopes: [], expiresAt: null };
  const benAs = (role: string) => ({ email: "ben@shop.example", role });
  assertEquals(
    rows.map(({ action, actor, resource, before, after }) => [
      action,
      `${actor.type}:${actor.id}`,
      `${resource.type}:${resource.id}:${resource.label}`,
      before,
      action === "user.reset_link" ? null : after,
    ]),
    [
      ["user.create", "system:command", aboutAnna, null, { email: anna.email, role: "owner" }],
      ["workspace.update", user, workspace, { vatRatePct: null }, { vatRatePct: 19 }],
      ["user.create", user, aboutBen, null, benAs("viewer")],
      ["user.join", `user:${ben.id}`, aboutBen, null, null],
      ["user.update", user, aboutBen, { role: "viewer" }, { role: "manager" }],
      ["user.reset_link", user, aboutBen, null, null],
      ["api_key.create", user, aboutKey, null, made],
      ["api_key.revoke", user, aboutKey, made, null],
      ["user.delete", user, aboutBen, benAs("manager"), null],
      ["user.password", user, aboutAnna, null, null],
    ],
  );
  const session = cookie.Cookie.slice("pr_session=".length);
  const tokens = [tokenOf(ben.link), tokenOf(reset.link), session, key];
  const secrets = [PASSWORD, join.password, change.newPassword, ...tokens, "scrypt"];
  assertEquals(secrets.filter((secret) => text.includes(secret)), []);
  assertEquals(rows.every(({ requestId }) => /^(req|cmd)_/.test(requestId)), true);
});

withApp.test("a request that is refused or changes nothing leaves no row", async (app) => {
  const calls = [
    app.owner.patch("/api/settings", {}),
    app.owner.patch("/api/settings", { currency: "EUR" }),
    app.owner.patch("/api/settings", { currency: "EURO" }),
    app.viewer.patch("/api/settings", { currency: "CHF" }),
    app.owner.post("/api/keys", { name: "x", scopes: ["nope"] }),
    app.owner.delete(`/api/keys/${"0".repeat(24)}`),
    app.anyone.post("/api/auth/login", { email: "x@shop.example", password: "falsches-wort-77" }),
  ];
  await Promise.all(calls.map(statusOf));
  assertEquals((await app.owner.read("/api/audit-logs")).items, []);
});

const START = Date.parse("2026-03-02T09:00:00.000Z");

/** A process whose clock is wrong by `skewMs` milliseconds and whose commits may be slow. */
const oneProcess = fc.record({
  skewMs: fc.integer({ min: -3_600_000, max: 3_600_000 }),
  commits: fc.array(
    fc.record({
      rows: fc.integer({ min: 1, max: 3 }),
      beginsMs: fc.nat(600_000),
      waits: fc.nat(12),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});
type Process = typeof oneProcess extends fc.Arbitrary<infer T> ? T : never;
const processes = fc.array(oneProcess, { minLength: 2, maxLength: 4 });

/** Each workspace has its own chain of audit seals, so each test run uses a new workspace. */
async function newChain(store: Store): Promise<Context> {
  const clock = await createClock(store, () => new Date(START));
  return await provideWorkspace({ store, clock }, clock.newId());
}

async function run(ctx: Context, { skewMs, commits }: Process): Promise<void> {
  await Promise.all(commits.map(async ({ rows, beginsMs, waits }) => {
    const atMs = START + skewMs + beginsMs;
    const newId = createIdSource(() => atMs, (count) => new Uint8Array(randomBytes(count)));
    await transact(ctx, async (write) => {
      for (let n = 0; n < rows; n++) {
        addAuditRow(write, { ...ctx, newId, now: () => new Date(atMs) }, entry(n));
      }
      for (let n = 0; n < waits; n++) await ctx.store.kv.get(["nothing", n]);
    });
  }));
}

const entry = (n: number) => ({
  action: "product.update",
  resource: { type: "product", id: `p${n}`, label: "" },
  before: { ourPrice: n },
  after: { ourPrice: n + 1 },
} as const);

/** Writes audit rows without seals, as old versions of Kurant did. */
async function addOldRows(ctx: Context, count: number): Promise<void> {
  for (let from = 0; from < count; from += 100) {
    await transact(ctx, (write) => {
      for (let n = from; n < from + 100; n++) {
        const atMs = START - (n % 7) * DAY_MS;
        const place = { id: ctx.newId(), atMs, at: new Date(atMs).toISOString() };
        auditRows.put(write, ctx, { ...entry(0), ...place, actor: ctx.actor, requestId: "" });
      }
    });
  }
}

async function sealedIds(ctx: Context): Promise<string[]> {
  const lists = await sealedLists.list(ctx);
  return lists.flatMap(({ row }) => entriesIn(row.bytes).map(({ hex }) => placeAt(hex).id));
}

onEveryStore.test("each audit row is in exactly one seal, in commit order", async (store) => {
  const runs = extent(40, store.kind === "remote" ? 3 : 6);
  await fc.assert(
    fc.asyncProperty(processes, async (all) => {
      const ctx = await newChain(store);
      let isOver = false;
      const sealer = async () => {
        while (!isOver) await sealAuditRows({ store, clock: ctx });
      };
      const sealing = Promise.all([sealer(), sealer()]);
      await Promise.all(all.map((process) => run(ctx, process)));
      isOver = true;
      await sealing;
      await sealAuditRows({ store, clock: ctx });
      const ids = await sealedIds(ctx);
      const rows = await auditRows.list(ctx);
      assertEquals(ids.toSorted(), rows.map(({ row }) => row.id).toSorted());
      const versions = new Map(rows.map(({ row, versionstamp }) => [row.id, versionstamp]));
      const inOrder = ids.map((id) => versions.get(id) ?? "");
      assertEquals(inOrder, inOrder.toSorted());
      const { findings, unsealed } = await verifyAudit(ctx);
      assertEquals([findings, unsealed], [[], 0]);
    }),
    { numRuns: runs },
  );
});

onEveryStore.test("the first seals contain all earlier rows", async (store) => {
  const ctx = await newChain(store);
  await addOldRows(ctx, 1_200);
  await run(ctx, { skewMs: -86_400_000, commits: [{ rows: 3, beginsMs: 0, waits: 0 }] });
  assertEquals(await sealAuditRows({ store, clock: ctx }), 1_204);
  await run(ctx, { skewMs: -8 * 86_400_000, commits: [{ rows: 2, beginsMs: 0, waits: 0 }] });
  const before = await verifyAudit(ctx);
  assertEquals([before.findings, before.sealed, before.unsealed], [[], 1_204, 2]);
  assertEquals(await sealAuditRows({ store, clock: ctx }), 2);
  assertEquals(await sealAuditRows({ store, clock: ctx }), 0);
  const ids = await sealedIds(ctx);
  assertEquals([ids.length, new Set(ids).size], [1_206, 1_206]);
  const { findings, sealed, unsealed, head } = await verifyAudit(ctx);
  assertEquals([findings, sealed, unsealed], [[], 1_206, 0]);
  ok(head !== null && head.old === null);
  assertEquals((await verifyAudit(ctx, head.hash)).expectedAt, head.number);
  assertEquals((await verifyAudit(ctx, "0".repeat(64))).expectedAt, null);
});

onEveryStore.test("rows that expire leave their seals, and the chain stays valid", async (store) => {
  const ctx = await newChain(store);
  const clock = { now: () => new Date(START) };
  await run(ctx, { skewMs: -900 * DAY_MS, commits: [{ rows: 3, beginsMs: 0, waits: 0 }] });
  await sealAuditRows({ store, clock: { now: () => new Date(START - 900 * DAY_MS) } });
  await run(ctx, { skewMs: 0, commits: [{ rows: 2, beginsMs: 0, waits: 0 }] });
  await sealAuditRows({ store, clock });
  const whole = await verifyAudit(ctx);
  const before = new Date(START - 365 * DAY_MS);
  assertEquals(await expireAuditRows(store, new Date(START - 999 * DAY_MS), new Date(START)), 0);
  const gone = await expireAuditRows(store, before, new Date(START));
  // The first seal covers three rows of `run` and the row about the new workspace.
  assertEquals(gone, 4);
  assertEquals(await expireAuditRows(store, before, new Date(START)), 0);
  const { findings, sealed, expired, head } = await verifyAudit(ctx);
  assertEquals([findings, sealed, expired], [whole.findings, 2, 4]);
  assertEquals(head?.hash, whole.head?.hash);
});
