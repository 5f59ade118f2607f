import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { refusedField } from "../api/answers.ts";
import { withApp } from "../harness.ts";

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
  assertEquals(await patch({}), changed);
  assertEquals(await patch(changed), changed);
  const cleared = Object.fromEntries(Object.keys(changes).map((name) => [name, null]));
  assertEquals(await patch({ ...cleared, name: "Test" }), { ...before, importHold: null });
  assertEquals(before.importHold, { movePct: 50, sharePct: 20 });
});

withApp.test("PATCH /api/settings names the refused field", async (app) => {
  const refusals: [unknown, string][] = [
    [{ name: null }, "name"],
    [{ name: "" }, "name"],
    [{ name: "x".repeat(201) }, "name"],
    [{ name: "a\nb" }, "name"],
    [{ currency: "EURO" }, "currency"],
    [{ currency: "eur" }, "currency"],
    [{ currency: "XAU" }, "currency"],
    [{ timeZone: "Berlin" }, "timeZone"],
    [{ timeZone: "+01:00" }, "timeZone"],
    [{ locale: "german!" }, "locale"],
    [{ vatRatePct: 100.1 }, "vatRatePct"],
    [{ vatRatePct: -1 }, "vatRatePct"],
    [{ vatRatePct: 19.00001 }, "vatRatePct"],
    [{ vatRatePct: 1e-7 }, "vatRatePct"],
    [{ vatRatePct: "19" }, "vatRatePct"],
    [{ importHold: { movePct: 50 } }, "importHold.sharePct"],
    [{ importHold: { movePct: 50, sharePct: 101 } }, "importHold.sharePct"],
    [{ importExpectedHours: 0 }, "importExpectedHours"],
    [{ importExpectedHours: 1.5 }, "importExpectedHours"],
    [{ timezone: "Europe/Berlin" }, "timezone"],
  ];
  for (const [body, path] of refusals) {
    const field = await refusedField(app.owner.patch("/api/settings", body));
    assertEquals([body, field], [body, path]);
  }
});

withApp.test("PATCH /api/settings keeps two parallel changes, and separates workspaces", async (app) => {
  const stranger = await app.strangerOwner();
  const changes = [{ vatRatePct: 19 }, { currency: "CHF" }, { importExpectedHours: 24 }];
  await Promise.all(changes.map((body) => app.owner.change("/api/settings", body)));
  const own = await app.viewer.read("/api/settings");
  assertEquals([own.vatRatePct, own.currency, own.importExpectedHours], [19, "CHF", 24]);
  const theirs = await stranger.read("/api/settings");
  assertEquals([theirs.vatRatePct, theirs.currency], [null, "EUR"]);
});
