/** Workspaces of an earlier version, in which a hold of null may mean that nobody ever set one. */
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { startSmtpServer } from "../messages/alerts/smtp_server.ts";
import { bodyOf, refusalOf } from "../api/answers.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { until } from "../patience.ts";
import { announceHolds } from "../../src/messages/alerts/announce_holds.ts";
import type { AuditAction } from "../../src/accounts/audit/audit_actions.ts";
import { addAuditRow } from "../../src/accounts/audit/audit_store.ts";
import { createClockwork } from "../../src/platform/store/create_clockwork.ts";
import { idBytes } from "../../src/base/id.ts";
import { commandContext } from "../../src/accounts/anonymous.ts";
import { MIGRATIONS } from "../../src/app/composition/migrations.ts";
import { migrateStore } from "../../src/platform/store/migrate.ts";
import { openMemoryStore } from "../memory_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { roomLog } from "../../src/platform/log.ts";
import { exportWorkspace } from "../../src/app/workspace_files/export_workspace.ts";
import { importWorkspace } from "../../src/app/workspace_files/import_workspace.ts";
import { WorkspaceLine } from "../../src/app/workspace_files/workspace_line.ts";
import { findWorkspace } from "../../src/accounts/workspace_store.ts";
import { toolsOf } from "./people.ts";

const DEFAULT = { movePct: 50, sharePct: 20 };

/** Makes the row of the workspace one of an earlier version, with a hold of null. */
async function makeEarlier({ store, workspaceId }: TestApp): Promise<void> {
  const key = ["ws", idBytes(workspaceId)];
  const { value } = await store.kv.get<Record<string, unknown>>(key);
  const { importHoldUnconfirmed: _, ...row } = value ?? {};
  await store.kv.set(key, { ...row, importHold: null });
  await store.kv.set(["schema"], 1);
}

/** As the first start of this version does. */
async function upgrade({ store }: TestApp): Promise<void> {
  const setup = { owner: "test", now: () => new Date(), backUp: null, say: () => {} };
  await migrateStore(store, { ...setup, migrations: MIGRATIONS });
}

/** As an earlier version recorded a change of the settings. */
async function recordChange(
  app: TestApp,
  after: Record<string, unknown>,
  action: AuditAction<"workspace">,
) {
  const ctx = commandContext(toolsOf(app), app.workspaceId);
  await transact(app, (write) => {
    const resource = { type: "workspace", id: app.workspaceId, label: "Test" } as const;
    addAuditRow(write, ctx, { action, resource, before: null, after });
    return Promise.resolve();
  });
  app.clock.advance(1_000);
}

const holdOf = async (app: TestApp) => {
  const { importHold, importHoldUnconfirmed } = await bodyOf(app.viewer.get("/api/settings"), 200);
  return [importHold, importHoldUnconfirmed];
};

const setupOf = (app: TestApp, isMailOn = false) => ({
  ...toolsOf(app),
  deps: { isMailOn },
  log: roomLog("care"),
});

const alertsOf = async (app: TestApp) =>
  (await bodyOf(app.viewer.get("/api/alerts"), 200)).items
    .filter(({ facts }: { facts: { code: string } | null }) => facts?.code === "hold_switched_on");

Deno.test("a stored null that nobody set becomes the default, and is told once", async () => {
  await using app = await startTestApp();
  await app.app.close();
  await recordChange(app, { name: "Test", importHold: null }, "workspace.create");
  await recordChange(app, { vatRatePct: 19 }, "workspace.update");
  await makeEarlier(app);
  await upgrade(app);
  assertEquals(await holdOf(app), [DEFAULT, true]);
  const setup = setupOf(app);
  const told = await Promise.all([announceHolds(setup), announceHolds(setup)]);
  assertEquals(told.toSorted(), [0, 1]);
  assertEquals(await announceHolds(setup), 0);
  assertEquals((await alertsOf(app)).length, 1);
  assertEquals(await holdOf(app), [DEFAULT, true]);
});

Deno.test("a stored null that an audit row set stays off, and nothing is told", async () => {
  await using app = await startTestApp();
  await app.app.close();
  await recordChange(app, { importHold: DEFAULT }, "workspace.update");
  await recordChange(app, { importHold: null, name: "Test" }, "workspace.update");
  // Far behind the newest rows.
  for (let n = 0; n < 120; n++) await recordChange(app, { vatRatePct: n % 20 }, "workspace.update");
  await makeEarlier(app);
  await upgrade(app);
  assertEquals(await holdOf(app), [null, false]);
  assertEquals(await announceHolds(setupOf(app)), 0);
  assertEquals([await holdOf(app), await alertsOf(app)], [[null, false], []]);
});

Deno.test("a change of another setting right after the upgrade loses neither the hold nor its news", async () => {
  await using app = await startTestApp();
  await app.app.close();
  await makeEarlier(app);
  await upgrade(app);
  await bodyOf(app.owner.patch("/api/settings", { name: "Neu" }), 200);
  assertEquals(await holdOf(app), [DEFAULT, true]);
  assertEquals(await announceHolds(setupOf(app)), 1);
});

Deno.test("a manager confirms the hold, an owner changes it or switches it off; the audit log says who", async () => {
  await using app = await startTestApp();
  await app.app.close();
  const path = "/api/import-hold/confirm";
  await makeEarlier(app);
  await upgrade(app);
  assertEquals((await refusalOf(app.viewer.post(path))).code, "forbidden");
  assertEquals(await holdOf(app), [DEFAULT, true]);
  const confirmed = await bodyOf(app.manager.post(path), 200);
  assertEquals([confirmed.importHold, confirmed.importHoldUnconfirmed], [DEFAULT, false]);
  await bodyOf(app.manager.post(path), 200);
  const { items } = await bodyOf(app.owner.get("/api/audit-logs?action=workspace.update"), 200);
  assertEquals(items.length, 1);
  const me = await bodyOf(app.manager.get("/api/auth/me"), 200);
  assertEquals([items[0].actor.id, items[0].after], [me.id, { importHoldUnconfirmed: false }]);
  assertEquals(await announceHolds(setupOf(app)), 0);

  for (const importHold of [DEFAULT, { movePct: 10, sharePct: 5 }, null]) {
    await makeEarlier(app);
    await upgrade(app);
    assertEquals(await holdOf(app), [DEFAULT, true]);
    const changed = await bodyOf(app.owner.patch("/api/settings", { importHold }), 200);
    assertEquals([changed.importHold, changed.importHoldUnconfirmed], [importHold, false]);
  }
  assertEquals(await holdOf(app), [null, false]);
});

Deno.test("the program tells of the hold by itself: an alert, one mail to owners and managers", async () => {
  await using smtp = await startSmtpServer();
  const first = await startTestApp();
  await using _first = first;
  await first.app.close();
  await makeEarlier(first);
  await upgrade(first);
  const env = { SMTP_URL: smtp.url, MAIL_FROM: "kurant@shop.example" };
  await using _again = await startTestApp({ store: first.store, env });
  await until("the mail came", () => smtp.mails.length > 0);
  const [alert] = await alertsOf(first);
  assertEquals([alert.severity, alert.facts], ["high", { code: "hold_switched_on", ...DEFAULT }]);
  assertEquals(smtp.mails.length, 1);
  match(smtp.mails[0]!.text, /Nachtlauf.*price_guard/s);
});

Deno.test("an older workspace file is read the same way", async () => {
  await using app = await startTestApp();
  await app.app.close();
  for (
    const [after, expected] of [[{ vatRatePct: 19 }, DEFAULT], [
      { importHold: null },
      null,
    ]] as const
  ) {
    await recordChange(app, after, "workspace.update");
    await makeEarlier(app);
    await upgrade(app);
    const lines = await Array.fromAsync(
      exportWorkspace(commandContext(toolsOf(app), app.workspaceId)),
    );
    const older = lines.map((line) => {
      if (line.type !== "workspace") return line;
      const { importHoldUnconfirmed: _, ...rest } = line;
      return WorkspaceLine.parse({ ...rest, importHold: null });
    });
    const store = await openMemoryStore();
    const clockwork = await createClockwork(store, () => new Date());
    const made = await importWorkspace({ store, clockwork }, stream(older), undefined);
    const found = await findWorkspace(store, made.id);
    assertEquals([found?.importHold, found?.importHoldUnconfirmed], [expected, expected !== null]);
    store.kv.close();
  }
});

async function* stream<T>(values: readonly T[]): AsyncGenerator<T> {
  for (const value of values) yield await Promise.resolve(value);
}
