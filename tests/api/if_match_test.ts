/** Documents that two people can edit: no change overwrites an unseen one (docs/decisions/http.md). */
import { deepStrictEqual as assertEquals, match, notDeepStrictEqual, ok } from "node:assert/strict";
import { type TestApp, withApp } from "../harness.ts";
import { UNDERCUT } from "../rules/evaluation/market.ts";
import { etagOf, everyItem, refusalOf, refuses, statusOf } from "./answers.ts";

interface Edited {
  readonly path: string;
  /** Two different changes. */
  readonly changes: readonly [Record<string, unknown>, Record<string, unknown>];
}

/** Documents of every workspace, which cannot be deleted. */
const LASTING = ["/api/settings", "/api/auth/me"];

async function documentsOf({ owner }: TestApp): Promise<Edited[]> {
  const changing = (field: string, one: unknown = "One", other: unknown = "Other") =>
    [{ [field]: one }, { [field]: other }] as const;
  const made: Edited[] = LASTING.map((path) => ({ path, changes: changing("name") }));
  const make = async (list: string, body: unknown, changes: Edited["changes"]) => {
    const { id } = await owner.create(list, body);
    made.push({ path: `${list}/${id}`, changes });
  };
  const shop = { domain: "acme.example", displayName: "Acme" };
  await make("/api/competitors", shop, changing("displayName"));
  const hook = { url: "https://erp.example/hook", events: ["price.changed"] };
  await make("/api/webhooks", hook, changing("enabled", false, true));
  const person = { email: "eva@shop.example", role: "viewer" };
  await make("/api/users", person, changing("name"));
  const { items: [{ builtIn: _, ...profile }] } = await owner.read("/api/import-profiles");
  await make("/api/import-profiles", { ...profile, id: "own" }, changing("name"));
  await make("/api/import-sources", { name: "ERP", id: "erp" }, changing("name"));
  await make("/api/rules", UNDERCUT, changing("name"));
  await make("/api/views", { name: "A", columns: ["rank"] }, changing("name"));
  // While there is a rule, a product's ETag ends with a hash in answers to GET, but not to PATCH.
  await make("/api/products", { sku: "A", title: "A" }, changing("title"));
  const product = await owner.create("/api/products", { sku: "B", title: "B" });
  const link = { productId: product.id, url: "https://acme.example/b" };
  const { id } = await owner.create("/api/competitor-products", link);
  // The link is deleted before its shop.
  return [
    { path: `/api/competitor-products/${id}`, changes: changing("packFactor", 2, 3) },
    ...made,
  ];
}

withApp.test("every document that two can edit has an ETag, and takes If-Match on PATCH and DELETE", async (app) => {
  const { owner } = app;
  const logged = () => everyItem(owner, "/api/audit-logs");
  for (const { path, changes: [one, other] } of await documentsOf(app)) {
    const isRemovable = !LASTING.includes(path);
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
  const { id } = await owner.create("/api/competitors", { domain: "acme.example" });
  const path = `/api/competitors/${id}`;
  const seen = await etagOf(owner.get(path));
  const product = await owner.create("/api/products", { sku: "A", title: "A" });
  const link = { productId: product.id, url: "https://acme.example/a" };
  await owner.create("/api/competitor-products", link);
  const counted = await owner.read(path, { "If-None-Match": seen });
  assertEquals(counted.trackedProducts, 1);
  await owner.change(path, { displayName: "Acme" }, { "If-Match": seen });
});
