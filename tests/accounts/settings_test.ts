import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { withApp } from "../harness.ts";

withApp.test("PATCH /api/settings changes named fields, resets null to the default except the hold, and accepts its own response", async (app) => {
  const before = await (await app.owner.get("/api/settings")).json();
  const patch = async (body: unknown) => {
    const answer = await app.owner.patch("/api/settings", body);
    assertEquals(answer.status, 200);
    return await answer.json();
  };
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
    const answer = await app.owner.patch("/api/settings", body);
    const { error } = await answer.json();
    assertEquals(
      [body, answer.status, error.code, error.details.fields[0].path],
      [body, 400, "validation_failed", path],
    );
  }
});

withApp.test("PATCH /api/settings keeps two parallel changes, and separates workspaces", async (app) => {
  const stranger = await app.strangerOwner();
  const answers = await Promise.all([
    app.owner.patch("/api/settings", { vatRatePct: 19 }),
    app.owner.patch("/api/settings", { currency: "CHF" }),
    app.owner.patch("/api/settings", { importExpectedHours: 24 }),
  ]);
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
  const own = await (await app.viewer.get("/api/settings")).json();
  assertEquals([own.vatRatePct, own.currency, own.importExpectedHours], [19, "CHF", 24]);
  const theirs = await (await stranger.get("/api/settings")).json();
  assertEquals([theirs.vatRatePct, theirs.currency], [null, "EUR"]);
});
