/** Documents that two people can edit: no change overwrites an unseen one (docs/decisions/http.md). */
import { deepStrictEqual as assertEquals, match, notDeepStrictEqual, ok } from "node:assert/strict";
import { type TestApp, withApp } from "../harness.ts";
import { UNDERCUT } from "../rules/evaluation/market.ts";
import { bodyOf, etagOf, everyItem, refusalOf, refuses, statusOf } from "./answers.ts";

interface Edited {
  readonly path: string;
  /** Two different changes. */
  readonly changes: readonly [Record<string, unknown>, Record<string, unknown>];
  /** False if the document cannot be deleted. */
  readonly isRemovable: boolean;
}

async function idOf(answer: Promise<Response>): Promise<string> {
  return (await bodyOf(answer, 201)).id;
}

async function documentsOf({ owner }: TestApp): Promise<Edited[]> {
  const shop = { domain: "acme.example", displayName: "Acme" };
  const competitorId = await idOf(owner.post("/api/competitors", shop));
  const productId = await idOf(owner.post("/api/products", { sku: "A", title: "A" }));
  const link = { productId, url: "https://acme.example/a" };
  const matchId = await idOf(owner.post("/api/competitor-products", link));
  const hook = { url: "https://erp.example/hook", events: ["price.changed"] };
  const webhookId = await idOf(owner.post("/api/webhooks", hook));
  const person = { email: "eva@shop.example", role: "viewer" };
  const userId = await idOf(owner.post("/api/users", person));
  const { items: [built] } = await owner.read("/api/import-profiles");
  const { builtIn: _, ...profile } = built;
  await owner.create("/api/import-profiles", { ...profile, id: "own" });
  await owner.create("/api/import-sources", { name: "ERP", id: "erp" });
  const ruleId = await idOf(owner.post("/api/rules", UNDERCUT));
  const viewId = await idOf(owner.post("/api/views", { name: "A", columns: ["rank"] }));
  const named = (path: string, field: string, isRemovable = true): Edited => ({
    path,
    changes: [{ [field]: "One" }, { [field]: "Other" }],
    isRemovable,
  });
  return [
    named("/api/settings", "name", false),
    named("/api/auth/me", "name", false),
    {
      path: `/api/competitor-products/${matchId}`,
      changes: [{ packFactor: 2 }, { packFactor: 3 }],
      isRemovable: true,
    },
    named(`/api/competitors/${competitorId}`, "displayName"),
    named("/api/import-profiles/own", "name"),
    named("/api/import-sources/erp", "name"),
    named(`/api/users/${userId}`, "name"),
    named(`/api/rules/${ruleId}`, "name"),
    named(`/api/views/${viewId}`, "name"),
    named(`/api/products/${productId}`, "title"),
    {
      path: `/api/webhooks/${webhookId}`,
      changes: [{ enabled: false }, { enabled: true }],
      isRemovable: true,
    },
  ];
}

withApp.test("every document that two can edit has an ETag, and takes If-Match on PATCH and DELETE", async (app) => {
  const { owner } = app;
  const logged = () => everyItem(owner, "/api/audit-logs");
  for (const { path, changes: [one, other], isRemovable } of await documentsOf(app)) {
    const seen = await etagOf(owner.get(path));
    match(seen, /^"[^"]+"$/, path);
    assertEquals(await etagOf(owner.get(path)), seen, path);
    assertEquals(await statusOf(owner.get(path, { "If-None-Match": seen })), 304, path);
    const after = await etagOf(owner.patch(path, one, { "If-Match": seen }));
    notDeepStrictEqual(after, seen, path);
    assertEquals(await etagOf(owner.get(path)), after, path);
    const before = [await owner.read(path), await logged()];
    app.clock.advance(60_000);
    for (const same of [{}, one]) assertEquals(await etagOf(owner.patch(path, same)), after, path);
    // A weak tag never matches.
    for (const stale of [seen, '"x"', `W/${after}`, after.slice(1, -1), '"x", "y"', "W/*"]) {
      const headers = { "If-Match": stale };
      const refusals = [owner.patch(path, other, headers)];
      if (isRemovable) refusals.push(owner.delete(path, headers));
      for (const answer of refusals) {
        const { code, details } = await refusalOf(answer);
        assertEquals(code, "version_conflict", path);
        // `current` may lack the hash of the whole answer, with which some ETags end.
        ok(after.startsWith(details.current.slice(0, -1)), path);
      }
    }
    assertEquals([await owner.read(path), await logged()], before, path);
    await owner.change(path, other, { "If-Match": `"x", ${after}` });
    await owner.change(path, one, { "If-Match": "*" });
    if (!isRemovable) continue;
    const last = await etagOf(owner.get(path));
    assertEquals(await statusOf(owner.delete(path, { "If-Match": last })), 200, path);
    await refuses(owner.delete(path, { "If-Match": "*" }), "not_found");
  }
});

withApp.test("of 20 changes at once with one If-Match, one succeeds", async (app) => {
  const { owner } = app;
  for (const { path, changes: [change] } of await documentsOf(app)) {
    const seen = { "If-Match": await etagOf(owner.get(path)) };
    const statuses = await Promise.all(
      Array.from({ length: 20 }, () => statusOf(owner.patch(path, change, seen))),
    );
    assertEquals(statuses.sort(), [200, ...Array(19).fill(412)], path);
  }
});

withApp.test("counts next to a document change its ETag, but never make If-Match fail", async ({ owner }) => {
  const id = await idOf(owner.post("/api/competitors", { domain: "acme.example" }));
  const path = `/api/competitors/${id}`;
  const seen = await etagOf(owner.get(path));
  const productId = await idOf(owner.post("/api/products", { sku: "A", title: "A" }));
  const link = { productId, url: "https://acme.example/a" };
  await idOf(owner.post("/api/competitor-products", link));
  const counted = await owner.read(path, { "If-None-Match": seen });
  assertEquals(counted.trackedProducts, 1);
  await owner.change(path, { displayName: "Acme" }, { "If-Match": seen });
});
