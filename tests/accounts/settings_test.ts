import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { refusedField, refuses } from "../api/answers.ts";
import { type TestApp, withApp } from "../harness.ts";
import { idBytes } from "../../src/base/id.ts";

withApp.test("PATCH /api/settings changes named fields, resets null to the default except the hold, and accepts its own response", async (app) => {
  const before = await app.owner.read("/api/settings");
  const patch = (body: unknown) => app.owner.change("/api/settings", body);
  const changes = {
    name: "Elektro Müller",
    currency: "JPY",
    timeZone: "Asia/Tokyo",
    locale: "ja-JP",
    pricesIncludeVat: true,
    vatRatePct: 10.1234,
    autoApply: true,
    importHold: { movePct: 30, sharePct: 10 },
    importExpectedHours: 26,
  };
  const changed = { ...before, ...changes };
  assertEquals(await patch(changes), changed);
  assertEquals(await patch(changed), changed);
  const cleared = Object.fromEntries(Object.keys(changes).map((name) => [name, null]));
  assertEquals(await patch({ ...cleared, name: "Test" }), { ...before, importHold: null });
  assertEquals(before.importHold, { movePct: 50, sharePct: 20 });
});

withApp.test("PATCH /api/settings names the refused field", async (app) => {
  const refusals: [unknown, string][] = [
    [{ name: null }, "name"],
    [{ name: "x".repeat(201) }, "name"],
    [{ name: "a\nb" }, "name"],
    [{ currency: "EURO" }, "currency"],
    [{ timeZone: "Berlin" }, "timeZone"],
    [{ timeZone: "+01:00" }, "timeZone"],
    [{ locale: "german!" }, "locale"],
    [{ vatRatePct: 100.1 }, "vatRatePct"],
    [{ vatRatePct: -1 }, "vatRatePct"],
    [{ vatRatePct: 19.00001 }, "vatRatePct"],
    [{ importHold: { movePct: 50 } }, "importHold.sharePct"],
    [{ importHold: { movePct: 50, sharePct: 101 } }, "importHold.sharePct"],
    [{ importExpectedHours: 0 }, "importExpectedHours"],
    [{ importExpectedHours: 1.5 }, "importExpectedHours"],
  ];
  for (const [body, path] of refusals) {
    const field = await refusedField(app.owner.patch("/api/settings", body));
    assertEquals([body, field], [body, path]);
  }
});

withApp.test("PATCH /api/settings keeps parallel changes", async (app) => {
  const changes = [{ vatRatePct: 19 }, { currency: "CHF" }, { importExpectedHours: 24 }];
  await Promise.all(changes.map((body) => app.owner.change("/api/settings", body)));
  const own = await app.viewer.read("/api/settings");
  assertEquals([own.vatRatePct, own.currency, own.importExpectedHours], [19, "CHF", 24]);
});

const DEFAULT = { movePct: 50, sharePct: 20 };

async function switchOn({ store, workspaceId }: TestApp): Promise<void> {
  const key = ["ws", idBytes(workspaceId)];
  const { value } = await store.kv.get<Record<string, unknown>>(key);
  await store.kv.set(key, { ...value, importHold: DEFAULT, importHoldUnconfirmed: true });
}

withApp.test("a manager confirms the hold, an owner changes it or switches it off; the audit log names them", async (app) => {
  await app.app.close();
  const path = "/api/import-hold/confirm";
  await switchOn(app);
  const named = await app.owner.change("/api/settings", { name: "Neu" });
  assertEquals([named.importHold, named.importHoldUnconfirmed], [DEFAULT, true]);
  const confirmed = await app.manager.act(path);
  assertEquals([confirmed.importHold, confirmed.importHoldUnconfirmed], [DEFAULT, false]);
  await app.manager.act(path);
  const { items } = await app.owner.read("/api/audit-logs?action=workspace.update");
  assertEquals(items.length, 2);
  const me = await app.manager.read("/api/auth/me");
  assertEquals([items[1].actor.id, items[1].after], [me.id, { importHoldUnconfirmed: false }]);
  for (const importHold of [DEFAULT, { movePct: 10, sharePct: 5 }, null]) {
    await switchOn(app);
    const changed = await app.owner.change("/api/settings", { importHold });
    assertEquals([changed.importHold, changed.importHoldUnconfirmed], [importHold, false]);
  }
});

withApp.test("PATCH /api/settings takes own shipping as a decimal or in minor units, and refuses invalid amounts", async (app) => {
  const path = "/api/settings";
  const shipping = async (body: Record<string, unknown>) => {
    const { ownShipping, ownShippingCents } = await app.owner.change(path, body);
    return [ownShipping, ownShippingCents];
  };
  assertEquals(await shipping({}), [null, null]);
  assertEquals(await shipping({ ownShipping: 4.95 }), [495, 495]);
  assertEquals(await shipping({ ownShipping: "5.90" }), [590, 590]);
  assertEquals(await shipping({ ownShippingCents: 0 }), [0, 0]);
  assertEquals(await shipping({ ownShipping: null }), [null, null]);
  assertEquals(await shipping({ ownShipping: 4.95, currency: "USD" }), [495, 495]);
  const refusals: readonly Record<string, unknown>[] = [
    { ownShipping: -1 },
    { ownShipping: 4.955 },
    { ownShippingCents: 10 ** 12 + 1 },
    // In a request, `ownShipping: 495` means 495.00, but `ownShippingCents: 495` means 4.95.
    // In a response, both fields are in minor units.
    { ownShipping: 495, ownShippingCents: 495 },
    { currency: "JPY" },
  ];
  for (const body of refusals) {
    await refuses(app.owner.patch(path, body), "validation_failed", JSON.stringify(body));
  }
  assertEquals(await shipping({ currency: "JPY", ownShipping: 500 }), [500, 500]);
  assertEquals(await shipping({ currency: "EUR", ownShippingCents: null }), [null, null]);
});
