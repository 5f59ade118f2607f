import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Caller } from "../caller.ts";
import { addressBlock, saveAttempts } from "../../src/accounts/sessions/login_throttle.ts";
import { sha256 } from "../../src/base/bytes.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { IMPORT } from "../imports/import_calls.ts";
import { threadMs } from "../processor_time.ts";
import { extent, IS_LONG } from "../proof.ts";
import { HOSTILE_TEXTS } from "./hostile_texts.ts";

/** Maximum CPU time of one request on the thread that serves all requests. */
const THREAD_MS_MAX = 1_500;
/** Short test runs have a lower limit, because their texts are shorter. */
const TEXT_MS_MAX = extent(THREAD_MS_MAX, 300);
/**
 * Quadratic work on 80,000 characters takes 2 to 10 s. Bodies stay below 1 MiB, even with a hostile
 * text in each field.
 */
const BODY_CHARACTERS = extent(900_000, 80_000);
const QUERY_CHARACTERS = 60_000;

const JSON_HEAD = { "Content-Type": "application/json" };

interface Endpoint {
  readonly name: string;
  readonly characters: number;
  send(callers: Callers, text: string): Promise<Response>;
}

type Who = "anyone" | "manager" | "key" | "bareKey";

type Callers = Readonly<Record<Who, Caller>>;

const query = (name: string, path: string, who: Who = "manager"): Endpoint => ({
  name,
  characters: QUERY_CHARACTERS,
  send: (callers, text) => callers[who].get(path + encodeURIComponent(text)),
});
const body = (
  name: string,
  path: string,
  shape: (text: string) => unknown,
  who: Who = "manager",
): Endpoint => ({
  name,
  characters: BODY_CHARACTERS,
  send: (callers, text) => callers[who].post(path, JSON.stringify(shape(text)), JSON_HEAD),
});
/** Headers allow only Latin-1, so other characters become question marks. */
const header = (name: string, path: string): Endpoint => ({
  name: `header ${name}`,
  characters: QUERY_CHARACTERS,
  send: ({ manager }, text) =>
    manager.get(path, { [name]: `a${text.replaceAll(/[^\x20-\x7e\xa0-\xff]/gu, "?")}a` }),
});
const product = (fields: readonly string[]) =>
  body(`product, ${fields.join(", ")}`, "/api/products", (text) => ({
    sku: "S-2",
    title: "a",
    ...Object.fromEntries(fields.map((field) => [field, text])),
  }));
const PUSHED = { sku: "S-1", url: "https://shop.example/a", price: 1, currency: "EUR" };
/** Pushes one row for each field, with the hostile text in this field. */
const pushed = (fields: readonly string[]) => {
  const shape = (text: string) => ({
    observations: fields.map((field) => ({ ...PUSHED, [field]: text })),
  });
  return body(`pushed row, ${fields.join(", ")}`, "/api/public/v1/observations", shape, "key");
};
const item = (element: string, text: string) =>
  `<ITEM><SKU>S-1</SKU><${element}>${text.replaceAll(/[<&]/g, " ")}</${element}></ITEM>`;
/** Sends a file with one record for each element, with the hostile text in this element. */
const erp = (elements: readonly string[]): Endpoint => ({
  name: `ERP record, ${elements.join(", ")}`,
  characters: BODY_CHARACTERS,
  send: ({ key }, text) => {
    const items = elements.map((element) => item(element, text)).join("");
    return key.post(IMPORT, `<ITEMS>${items}</ITEMS>`, { "Content-Type": "application/xml" });
  },
});
/** Short test runs send one request for all fields, instead of one for each field. */
const each = (names: readonly string[], make: (some: readonly string[]) => Endpoint) =>
  IS_LONG ? names.map((name) => make([name])) : [make(names)];
const ELEMENTS = ["SKU", "TITLE", "EAN", "VAT", "ACTIVE", "URL", "BRAND", "COSTPRICE"];

const ENDPOINTS: readonly Endpoint[] = [
  query("SKU by a query without a scope", "/api/public/v1/products?sku=", "bareKey"),
  ...["q", "brand", "updatedSince", "cursor", "limit"]
    .map((name) => query(`${name} of products`, `/api/products?${name}=`)),
  query("SKU of a path", "/api/public/v1/products/", "key"),
  query("SKU of observations", "/api/observations?sku="),
  body("sign-in, address", "/api/auth/login", (email) => ({ email, password: "x" }), "anyone"),
  ...each(["sku", "title", "ean", "url", "ourPrice"], product),
  body("competitor, domain", "/api/competitors", (domain) => ({ domain })),
  body("rule, name", "/api/rules", (name) => ({ name })),
  body("rule, SKUs", "/api/rules", (sku) => ({ name: "a", scope: { mode: "sku", list: [sku] } })),
  ...each(["sku", "url", "price", "currency", "observedAt"], pushed),
  ...each(ELEMENTS, erp),
  ...["Cookie", "If-None-Match", "If-Match", "Range", "Accept-Encoding", "User-Agent"]
    .map((name) => header(name, "/api/products?limit=1")),
  ...["Authorization", "Accept-Language", "X-Forwarded-For", "Idempotency-Key", "Content-Type"]
    .map((name) => header(name, "/api/auth/me")),
];

Deno.test("no hostile text delays /healthz, whatever endpoint or header it is sent to", async () => {
  await using app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: "1000000" } });
  const callers = {
    anyone: app.anyone,
    manager: app.manager,
    key: await app.key(["products:read", "products:write", "observations:write"]),
    bareKey: await app.key([]),
  };
  ok(Object.keys(HOSTILE_TEXTS).length >= 20);
  await countSignIns(app, extent(0, 19));
  const slow: string[] = [];
  for (const endpoint of ENDPOINTS) {
    for (const [name, of] of Object.entries(HOSTILE_TEXTS)) {
      const text = of(endpoint.characters / (endpoint.characters === QUERY_CHARACTERS ? 3 : 1));
      const cost = await leastOfThree(TEXT_MS_MAX, async () => {
        const asked = endpoint.send(callers, text);
        const health = await app.anyone.get("/healthz");
        await health.body?.cancel();
        const answer = await asked;
        await answer.body?.cancel();
        return health.status === 200 && answer.status < 500 ? null : `answered ${answer.status}`;
      });
      if (cost !== null) slow.push(`${endpoint.name}: ${name}: ${cost}`);
    }
  }
  assertEquals(slow, []);
});

/**
 * Stores `count` failed sign-ins. After 20 failures, the server refuses passwords without the slow
 * check, which shortens the test.
 */
async function countSignIns({ store, clock }: TestApp, count: number): Promise<void> {
  const machine = { kind: "address", hash: sha256(addressBlock("127.0.0.1")).slice(0, 16) };
  const times = Array<number>(count).fill(clock.now().getTime());
  await transact({ store }, (write) => saveAttempts(write, { ...machine, times, found: null }));
}

const LISTED = 400_000;

const manyFields = (list: unknown[]) =>
  Object.fromEntries(list.slice(0, 80_000).map((_, at) => [`f${at}`, 0]));
/** Per name, the endpoint and a function that makes its request body from a list. */
const LIST_ENDPOINTS: Readonly<Record<string, readonly [string, (list: unknown[]) => unknown]>> = {
  "products in bulk": ["/api/products/bulk", (ids) => ({ ids, set: {} })],
  "links": ["/api/competitor-products/bulk", (links) => ({ links })],
  "proposals": ["/api/proposals/bulk", (ids) => ({ ids, action: "approve" })],
  "SKUs of a rule": ["/api/rules", (list) => ({ name: "a", scope: { mode: "sku", list } })],
  "actions of a rule": ["/api/rules", (actions) => ({ name: "a", actions })],
  "scopes of a key": ["/api/keys", (scopes) => ({ name: "a", scopes })],
  "pushed rows": ["/api/public/v1/observations", (observations) => ({ observations })],
  "unknown fields": ["/api/products", manyFields],
  "attributes": [
    "/api/products",
    (list) => ({ sku: "a", title: "a", attributes: manyFields(list) }),
  ],
};

Deno.test("a list far beyond the limit is refused before its items are validated", async () => {
  await using app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: "1000000" } });
  const key = await app.key(["observations:write"]);
  const slow: string[] = [];
  for (const [name, [path, shape]] of Object.entries(LIST_ENDPOINTS)) {
    const text = JSON.stringify(shape(Array<number>(LISTED).fill(0)));
    const caller = path.includes("/public/") ? key : app.owner;
    const cost = await leastOfThree(THREAD_MS_MAX, async () => {
      const answer = await caller.post(path, text, JSON_HEAD);
      const said = await answer.text();
      if (said.length > 50_000) return `an answer of ${said.length} characters`;
      return answer.status === 400 ? null : `answered ${answer.status}`;
    });
    if (cost !== null) slow.push(`${name}: ${cost}`);
  }
  assertEquals(slow, []);
});

/** Returns null if one of three attempts is fast enough, otherwise what is wrong. */
async function leastOfThree(msMax: number, work: () => Promise<string | null>) {
  const taken: string[] = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    const before = threadMs();
    const trouble = await work();
    if (trouble !== null) return trouble;
    const ms = threadMs() - before;
    if (ms < msMax) return null;
    taken.push(`${ms.toFixed(0)} ms`);
  }
  return taken.join(", ");
}
