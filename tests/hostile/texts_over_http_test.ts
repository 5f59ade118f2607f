/** Hostile texts by every door of the running service: none of them keeps it from its other work. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { type Caller, startTestApp } from "../harness.ts";
import { IMPORT } from "../imports/import_calls.ts";
import { threadMs } from "./processor_time.ts";

/** What one request may take of the thread that answers everybody. */
const THREAD_MS_MAX = 1_500;
const BODY_CHARACTERS = 900_000;
const QUERY_CHARACTERS = 14_000;

/** Each about `n` bytes of UTF-8 long. */
const TEXTS: Readonly<Record<string, (n: number) => string>> = {
  "blanks within": (n) => `a${" ".repeat(n)}a`,
  "blanks after": (n) => `a${" ".repeat(n)}`,
  "no-break spaces": (n) => `a${"\u00a0".repeat(n / 2)}a`,
  "tabs and breaks": (n) => `a${"\t\r\n".repeat(n / 3)}a`,
  "invisible characters": (n) => `a${"\u200b".repeat(n / 3)}a`,
  "soft hyphens": (n) => `a${"\u00ad".repeat(n / 2)}a`,
  "tags beyond the first plane": (n) => `a${"\u{e0041}".repeat(n / 4)}a`,
  "one mark again and again": (n) => `a${"\u0301".repeat(n / 2)}`,
  "marks in the wrong order": (n) => `a${"\u0301\u0316".repeat(n / 4)}`,
  "composed letters": (n) => "e\u0301".repeat(n / 3),
  "Hangul in parts": (n) => "\u1100\u1161\u11a8".repeat(n / 9),
  "digits": (n) => "1".repeat(n),
  "zeros": (n) => `0.${"0".repeat(n)}1`,
  "groups": (n) => `1${".000".repeat(n / 4)}x`,
  "a percent sign far away": (n) => `19${" ".repeat(n)}x%`,
  "e-mail addresses": (n) => `${"a@".repeat(n / 2)}x`,
  "domains": (n) => `a@${"a.".repeat(n / 2)}!`,
  "hyphens": (n) => `a@${"-".repeat(n)}`,
  "slashes": (n) => `https://shop.example/${"/".repeat(n)}x`,
  "dots": (n) => `https://${"a.".repeat(n / 2)}example/`,
  "escapes": (n) => "%".repeat(n),
  "parameters": (n) => `https://shop.example/?${"a=1&".repeat(n / 4)}`,
  "quotes": (n) => '"'.repeat(n),
  "commas": (n) => '"a",'.repeat(n / 4),
  "brackets": (n) => "[".repeat(n),
  "sigmas": (n) => "Σ\u0301".repeat(n / 4),
  "letters beyond the first plane": (n) => "😀".repeat(n / 4),
};

const json = (value: unknown) => JSON.stringify(value);
const JSON_HEAD = { "Content-Type": "application/json" };

interface Door {
  readonly name: string;
  readonly characters: number;
  send(callers: Callers, text: string): Promise<Response>;
}

interface Callers {
  readonly anyone: Caller;
  readonly manager: Caller;
  readonly key: Caller;
  readonly bareKey: Caller;
}

const query = (name: string, path: string, of: (callers: Callers) => Caller): Door => ({
  name,
  characters: QUERY_CHARACTERS,
  send: (callers, text) => of(callers).get(path + encodeURIComponent(text)),
});
const body = (
  name: string,
  path: string,
  of: (callers: Callers) => Caller,
  shape: (text: string) => unknown,
): Door => ({
  name,
  characters: BODY_CHARACTERS,
  send: (callers, text) => of(callers).post(path, json(shape(text)), JSON_HEAD),
});
/** A header carries Latin-1 without controls alone: other signs come as question marks. */
const header = (name: string, path: string): Door => ({
  name: `header ${name}`,
  characters: QUERY_CHARACTERS,
  send: ({ manager }, text) =>
    manager.get(path, { [name]: `a${text.replaceAll(/[^\x20-\x7e\xa0-\xff]/gu, "?")}a` }),
});
const anyone = ({ anyone }: Callers) => anyone;
const manager = ({ manager }: Callers) => manager;
const key = ({ key }: Callers) => key;
const bareKey = ({ bareKey }: Callers) => bareKey;
const item = (element: string, text: string) =>
  `<ITEMS><ITEM><SKU>S-1</SKU><${element}>${
    text.replaceAll(/[<&\u0000-\u0008]/g, " ").toWellFormed()
  }</${element}></ITEM></ITEMS>`;
const erp = (element: string): Door => ({
  name: `ERP record, ${element}`,
  characters: BODY_CHARACTERS,
  send: ({ key }, text) =>
    key.post(IMPORT, item(element, text), { "Content-Type": "application/xml" }),
});

const DOORS: readonly Door[] = [
  query("SKU by a query without a scope", "/api/public/v1/products?sku=", bareKey),
  query("search", "/api/products?q=", manager),
  query("brand", "/api/products?brand=", manager),
  query("time", "/api/products?updatedSince=", manager),
  query("cursor", "/api/products?cursor=", manager),
  query("limit", "/api/products?limit=", manager),
  query("SKU of a path", "/api/public/v1/products/", key),
  query("SKU of observations", "/api/observations?sku=", manager),
  body("sign-in, address", "/api/auth/login", anyone, (text) => ({ email: text, password: "x" })),
  body("product, SKU", "/api/products", manager, (text) => ({ sku: text, title: "a" })),
  body("product, title", "/api/products", manager, (text) => ({ sku: "S-2", title: text })),
  body("product, EAN", "/api/products", manager, (text) => ({ sku: "S-2", title: "a", ean: text })),
  body("product, URL", "/api/products", manager, (text) => ({ sku: "S-2", title: "a", url: text })),
  body("product, price", "/api/products", manager, (text) => ({
    sku: "S-2",
    title: "a",
    ourPrice: text,
  })),
  body("competitor, domain", "/api/competitors", manager, (text) => ({ domain: text })),
  body("rule, name", "/api/rules", manager, (text) => ({ name: text })),
  body("rule, SKUs", "/api/rules", manager, (text) => ({
    name: "a",
    scope: { mode: "sku", list: [text] },
  })),
  body("pushed row, SKU", "/api/public/v1/observations", key, (text) => ({
    observations: [{ sku: text, url: "https://shop.example/a", price: 1, currency: "EUR" }],
  })),
  body("pushed row, URL", "/api/public/v1/observations", key, (text) => ({
    observations: [{ sku: "S-1", url: text, price: "1", currency: "EUR" }],
  })),
  body("pushed row, price and currency", "/api/public/v1/observations", key, (text) => ({
    observations: [{ sku: "S-1", url: "https://shop.example/a", price: text, currency: text }],
  })),
  body("pushed row, time", "/api/public/v1/observations", key, (text) => ({
    observations: [{
      sku: "S-1",
      url: "https://shop.example/a",
      price: 1,
      currency: "EUR",
      observedAt: text,
    }],
  })),
  ...["SKU", "TITLE", "EAN", "VAT", "ACTIVE", "URL", "BRAND", "COSTPRICE"].map(erp),
  ...["Cookie", "If-None-Match", "If-Match", "Range", "Accept-Encoding", "User-Agent"]
    .map((name) => header(name, "/api/products?limit=1")),
  ...["Authorization", "Accept-Language", "X-Forwarded-For", "Idempotency-Key", "Content-Type"]
    .map((name) => header(name, "/api/auth/me")),
];

Deno.test("no hostile text keeps the service from answering /healthz, by whichever door it comes", async () => {
  await using app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: "1000000" } });
  const callers = {
    anyone: app.anyone,
    manager: app.manager,
    key: await app.key(["products:read", "products:write", "observations:write"]),
    bareKey: await app.key([]),
  };
  ok(Object.keys(TEXTS).length >= 20);
  const slow: string[] = [];
  for (const door of DOORS) {
    for (const [name, of] of Object.entries(TEXTS)) {
      const text = of(door.characters / (door.characters === QUERY_CHARACTERS ? 3 : 1));
      const cost = await leastOfThree(async () => {
        const asked = door.send(callers, text);
        const health = await app.anyone.get("/healthz");
        await health.body?.cancel();
        const answer = await asked;
        await answer.body?.cancel();
        return health.status === 200 && answer.status !== 500 && answer.status !== 503;
      });
      if (cost !== null) slow.push(`${door.name}: ${name}: ${cost}`);
    }
  }
  assertEquals(slow, []);
});

/** Null when it is quick enough once; else what it took each time, or that it was not answered well. */
async function leastOfThree(work: () => Promise<boolean>): Promise<string | null> {
  const taken: string[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const before = threadMs();
    if (!await work()) return "not answered well";
    const ms = threadMs() - before;
    if (ms < THREAD_MS_MAX) return null;
    taken.push(`${ms.toFixed(0)} ms`);
  }
  return taken.join(", ");
}
