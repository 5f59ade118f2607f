/**
 * Nobody overwrites another person's change unseen. A request with an outdated ETag is refused
 * (RFC 9110 §13), and a PATCH keeps all fields that it does not name (docs/decisions/http.md).
 */
import { deepStrictEqual as assertEquals, match, notDeepStrictEqual, ok } from "node:assert/strict";
import { pick } from "../../src/base/collections.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import {
  assertFields,
  bodyOf,
  column,
  etagOf,
  everyItem,
  refusalOf,
  refusedField,
  refuses,
  statusOf,
} from "./answers.ts";
import { requireSoundCatalogue } from "./sound_catalogue.ts";
import { UNDERCUT } from "../rules/evaluation/market.ts";
import { testWith } from "../opened.ts";

const SAMPLE = { sku: "A", title: "Kabel", brand: "Bosch", category: "Bad", ourPrice: 10 };

interface AuditRow {
  readonly action: string;
  readonly resource: { readonly id: string };
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

function times<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => work(n)));
}

const FIELDS: Record<string, (n: number) => unknown> = {
  title: (n) => `Titel ${n}`,
  brand: (n) => `Marke ${n}`,
  tier: (n) => `T${n}`,
  url: (n) => `https://shop.example/${n}`,
  vatRatePct: (n) => n / 10,
  ourPriceCents: (n) => 2_001 + n,
  costPriceCents: (n) => 3_001 + n,
};

withApp.test("100 PATCHes at once on distinct fields: acknowledged changes stay, the others are 409", async (app) => {
  const made = await app.owner.create("/api/products", SAMPLE);
  const path = `/api/products/${made.id}`;
  const names = Object.keys(FIELDS);
  const acknowledged = new Map<string, Set<unknown>>();
  let successes = 0;
  await times(100, async (n) => {
    const name = names[n % names.length]!;
    const value = FIELDS[name]!(n);
    const answer = await app.owner.patch(path, { [name]: value });
    if (answer.status !== 200) {
      await refuses(answer, "conflict");
      return;
    }
    assertEquals((await bodyOf(answer, 200))[name], value);
    acknowledged.set(name, (acknowledged.get(name) ?? new Set()).add(value));
    successes++;
  });
  const product = await app.owner.read(path);
  for (const name of names) {
    const values = acknowledged.get(name) ?? new Set([made[name]]);
    ok(values.has(product[name]), `${name} is ${product[name]}, none of ${[...values]}`);
  }
  const rows = await everyItem(app.owner, `/api/audit-logs?resource=product:${made.id}&limit=200`);
  assertEquals(rows.length, 1 + successes);
  requireChain(rows, product);
  await requireSoundCatalogue(app.store);
});

/** Each audit row must begin where the previous one ended, and the last must equal the product. */
function requireChain(rows: readonly AuditRow[], product: Record<string, unknown>): void {
  const state: Record<string, unknown> = { ...rows[0]?.after };
  for (const { before, after } of rows.slice(1)) {
    for (const [name, value] of Object.entries(before ?? {})) {
      if (name in state) assertEquals(value, state[name], name);
    }
    Object.assign(state, after);
  }
  for (const [name, value] of Object.entries(state)) {
    if (name in product) assertEquals(product[name], value, name);
  }
}

withApp.test("two parallel PATCHes cannot take one SKU, and a freed SKU can be taken", async (app) => {
  const make = (n: number) => app.owner.create("/api/products", { ...SAMPLE, sku: `S${n}` });
  const ids = column(await times(8, make), "id");
  const answers = await Promise.all(
    ids.map((id) => statusOf(app.owner.patch(`/api/products/${id}`, { sku: "ONE" }))),
  );
  assertEquals(answers.sort(), [200, ...Array(7).fill(409)]);
  const key = await app.key([]);
  const { data } = await key.read("/api/public/v1/products/ONE");
  const freed = `S${ids.indexOf(data.id)}`;
  assertEquals(await statusOf(key.get(`/api/public/v1/products/${freed}`)), 404);
  await app.owner.create("/api/products", { ...SAMPLE, sku: freed });
  await requireSoundCatalogue(app.store);
});

interface Edited {
  readonly path: string;
  readonly changes: readonly [Record<string, unknown>, Record<string, unknown>];
}

/** Documents that every workspace has and nobody can delete. */
const LASTING = ["/api/settings", "/api/auth/me"];

type Fields = Readonly<Record<string, unknown>>;

function requireAgreement(one: Fields, other: Fields, message: string): void {
  const shared = Object.keys(one).filter((name) => name in other);
  assertEquals(pick(one, shared), pick(other, shared), message);
}

async function documentsOf({ owner }: TestApp): Promise<Edited[]> {
  const changing = (field: string, one: unknown = "One", other: unknown = "Other") =>
    [{ [field]: one }, { [field]: other }] as const;
  const made: Edited[] = LASTING.map((path) => ({ path, changes: changing("name") }));
  const make = async (list: string, body: unknown, changes: Edited["changes"]) => {
    const answer = await owner.create(list, body);
    const path = `${list}/${answer.id}`;
    requireAgreement(answer, await owner.read(path), path);
    made.push({ path, changes });
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
  // Tested after the rule is deleted, because rules make the ETags of GET and PATCH differ.
  await make("/api/products", { sku: "A", title: "A" }, changing("title"));
  const product = await owner.create("/api/products", { sku: "B", title: "B" });
  const link = { productId: product.id, url: "https://acme.example/b" };
  const { id } = await owner.create("/api/competitor-products", link);
  // The link comes before its shop, because the test deletes documents in this order.
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
    for (const known of [seen, `W/${seen}`, `"x",W/${seen} , "y"`, "*"]) {
      assertEquals(await statusOf(owner.get(path, { "If-None-Match": known })), 304, path);
    }
    const after = await etagOf(owner.patch(path, one, { "If-Match": seen }));
    notDeepStrictEqual(after, seen, path);
    assertEquals(await etagOf(owner.get(path)), after, path);
    const before = [await owner.read(path), await logged()];
    app.clock.advance(60_000);
    for (const same of [{}, one]) assertEquals(await etagOf(owner.patch(path, same)), after, path);
    // A weak ETag (`W/`) never matches `If-Match`.
    for (const stale of [seen, '"x"', `W/${after}`, after.slice(1, -1), '"x", "y"', "W/*"]) {
      const headers = { "If-Match": stale };
      const refusals = [owner.patch(path, other, headers)];
      if (isRemovable) refusals.push(owner.delete(path, headers));
      for (const answer of refusals) {
        const { code, details } = await refusalOf(answer);
        assertEquals(code, "version_conflict", path);
        // For a product, `current` is the ETag without the hash that GET may append.
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

withApp.test("every document is in its list, can be sent back as it was read, and each of its changes is logged", async (app) => {
  const { owner } = app;
  for (const { path, changes: [change] } of await documentsOf(app)) {
    if (LASTING.includes(path)) continue;
    const read = await owner.read(path);
    app.clock.advance(60_000);
    await owner.change(path, read);
    assertEquals(await owner.read(path), read, path);
    await owner.change(path, change);
    const [, list = "", id] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
    const inList = async () => {
      const isWhole = list === "/api/rules";
      const items = isWhole ? await owner.read(list) : await everyItem(owner, list);
      return items.find((one: { id: string }) => one.id === id);
    };
    const [seen, listed] = [await owner.read(path), await inList()];
    assertFields(seen, change, path);
    requireAgreement(listed, seen, path);
    assertEquals(await owner.remove(path), { ok: true }, path);
    await refuses(owner.get(path), "not_found", path);
    assertEquals(await inList(), undefined, path);
    const rows: AuditRow[] = await everyItem(owner, "/api/audit-logs");
    const own = rows.filter(({ resource }) => resource.id === id);
    const verbs = own.map(({ action }) => action.split(".")[1]);
    assertEquals(verbs, ["create", "update", "delete"], path);
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

const CABLE = { sku: "A", title: "Kabel", ourPrice: 10, attributes: { farbe: "rot" } };

const TIMES = ["createdAt", "updatedAt", "deletedAt", "lastScrapedAt", "ourPriceUpdatedAt"];

const withProduct = testWith(async () => {
  const app = await startTestApp();
  const { id } = await app.owner.create("/api/products", CABLE);
  const path = `/api/products/${id}`;
  return { app, path, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
});

withProduct.test("a PATCH without a difference changes nothing, and read-only fields are ignored, as when a read document is sent back", async ({ app, path }) => {
  const read = await app.owner.read(path);
  // `read` has `ourPrice: 1000` (cents), which means 1000.00 in a request.
  assertEquals(await refusedField(app.owner.patch(path, read)), "ourPrice");
  const { ourPrice: _our, costPrice: _cost, targetPrice: _target, ...rest } = read;
  const etag = await etagOf(app.owner.get(path));
  app.clock.advance(60_000);
  const same = { title: "Kabel", ourPrice: "10.00", attributes: { farbe: "rot" } };
  for (const body of [same, rest]) assertEquals(await etagOf(app.owner.patch(path, body)), etag);
  const times = Object.fromEntries(TIMES.map((name) => [name, "1970-01-01T00:00:00.000Z"]));
  const forged = {
    ...times,
    id: "0".repeat(24),
    competitorPrices: [{ price: 1 }],
    prices: [{ tier: "X" }],
  };
  await app.owner.change(path, forged);
  assertEquals(await app.owner.read(path), read);
  const made = await app.owner.create("/api/products", { ...forged, sku: "B", title: "t" });
  notDeepStrictEqual(made.id, forged.id);
  assertEquals([made.deletedAt, made.lastScrapedAt, made.prices], [null, null, []]);
  match(made.createdAt, /^2026-/);
});

withProduct.test("unknown fields are refused, each by its name, and no field is changed", async ({ app, path }) => {
  const body = { title: "B", tittle: "C", brnad: "D", attributes: { a: 1 } };
  const creation = app.owner.post("/api/products", { sku: "B", ...body });
  for (const answer of [app.owner.patch(path, body), creation]) {
    const { code, details } = await refusalOf(answer);
    assertEquals([code, column(details.fields, "path").sort()], ["validation_failed", [
      "attributes.a",
      "brnad",
      "tittle",
    ]]);
  }
  assertEquals((await app.owner.read(path)).title, "Kabel");
});
