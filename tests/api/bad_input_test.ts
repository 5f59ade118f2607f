/** Hostile values in every field are stored unchanged or refused in the usual form, without side effects. */
import { deepStrictEqual as assertEquals, notDeepStrictEqual, ok } from "node:assert/strict";
import type { Caller } from "../caller.ts";
import { csvCells } from "../csv_cells.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { HOSTILE_INPUTS, type HostileInput, hostileInputs } from "../hostile_inputs.ts";
import { HANG_MS } from "../patience.ts";
import { exchange } from "../raw_http.ts";
import { dataTest } from "../sample_data.ts";
import { bodyOf, column, refusalOf, refusedField, refuses, statusOf } from "./answers.ts";
import { withNeighbour } from "./neighbour.ts";

/**
 * Tests all inputs of a kind on one app. After each input, the server must still answer, and the
 * other workspace must be unchanged.
 */
function testEachInput(
  kind: string,
  guarantee: string,
  check: (app: TestApp, input: HostileInput, reader: Caller) => Promise<void>,
): void {
  dataTest(`bad input: ${kind}: ${guarantee}`, HOSTILE_INPUTS, async (data, t) => {
    const inputs = hostileInputs(data, kind);
    ok(inputs.length > 1);
    await using app = await startTestApp();
    const neighbour = await withNeighbour(app);
    const reader = await app.key([]);
    for (const input of inputs) {
      await t.step(`${input.expect}: ${JSON.stringify(input.value.slice(0, 60))}`, async () => {
        const startedAt = performance.now();
        await check(app, input, reader);
        ok(performance.now() - startedAt < HANG_MS, "too slow");
        await neighbour.requireUntouched();
      });
    }
  });
}

testEachInput("title", "is returned as sent, or refused by name", async (app, input, reader) => {
  const sku = crypto.randomUUID();
  const answer = await app.owner.post("/api/products", { sku, title: input.value });
  assertEquals(answer.headers.get("Set-Cookie"), null);
  if (input.expect === "reject") {
    assertEquals(await refusedField(answer), "title");
    assertEquals(await statusOf(reader.get(`/api/public/v1/products/${sku}`)), 404);
    return;
  }
  const title = input.expect === "verbatim" ? input.value : input.value.replace(/\r\n/, " ");
  const { id } = await bodyOf(answer, 201);
  assertEquals((await app.owner.read(`/api/products/${id}`)).title, title);
  const { data } = await reader.read(`/api/public/v1/products?sku=${sku}`);
  assertEquals(data[0].title, title);
  for (const [sent, kept] of [["x", "x"], [input.value, title]]) {
    const changed = await app.owner.change(`/api/products/${id}`, { title: sent });
    assertEquals(changed.title, kept);
  }
});

testEachInput("sku", "identifies exactly its product on every path", async (app, input, reader) => {
  const sku = input.value;
  const answer = await app.owner.post("/api/products", { sku, title: "Kabel" });
  if (input.expect === "reject") {
    assertEquals(await refusedField(answer), "sku");
    return;
  }
  if (input.expect === "normalise" || input.expect === "same_or_two") {
    // The product exists already, in composed form or without zero-width characters.
    const { code, details } = await refusalOf(answer);
    assertEquals(code, "sku_exists");
    const found = await reader.read(pathOf(sku));
    assertEquals(found.data.id, details.productId);
    return;
  }
  const { id, sku: stored } = await bodyOf(answer, 201);
  assertEquals(stored, sku);
  for (const path of [pathOf(sku), pathOf(`sku:${sku}`), pathOf(id), pathOf(`id:${id}`)]) {
    assertEquals((await reader.read(path)).data.id, id, path);
  }
  const query = new URLSearchParams({ sku });
  const { items } = await app.owner.read(`/api/products?${query}`);
  assertEquals(column(items, "id"), [id]);
});

function pathOf(idOrSku: string): string {
  return `/api/public/v1/products/${encodeURIComponent(idOrSku)}`;
}

testEachInput(
  "money_json",
  "becomes exact minor units, or is refused by name",
  async (app, input) => {
    const literals = [JSON.stringify(input.value)];
    if (/^-?[\d.]+(e\d+)?$/.test(input.value) && !/\..*[.,]/.test(input.value)) {
      literals.push(input.value);
    }
    for (const field of ["ourPrice", "costPrice", "targetPrice"]) {
      for (const literal of literals) {
        const sku = crypto.randomUUID();
        const body = `{"sku":"${sku}","title":"t","${field}":${literal}}`;
        const answer = await postText(app.owner, body);
        if (input.expect === "reject") {
          assertEquals(await refusedField(answer), field, literal);
        } else assertEquals((await bodyOf(answer, 201))[field], 820);
      }
    }
    const bare = await postText(app.owner, `{"sku":"n","title":"t","ourPrice":${input.value}}`);
    if (input.expect === "reject") await refusalOf(bare);
    else await bodyOf(bare, 201);
  },
);

testEachInput("json_body", "adds no field that the schema lacks", async (app, input) => {
  const answer = await postText(app.owner, input.value);
  const isRefused = input.expect === "reject" ||
    (input.expect !== "normalise" && answer.status !== 201);
  if (isRefused) {
    ok(["validation_failed", "invalid_json"].includes((await refusalOf(answer)).code));
  } else {
    const { sku } = await bodyOf(answer, 201);
    ok(["P5", "P6"].includes(sku), sku);
  }
  assertEquals(Reflect.get({}, "role"), undefined);
  assertEquals(Reflect.get({}, "admin"), undefined);
  assertEquals((await app.viewer.read("/api/auth/me")).role, "viewer");
});

testEachInput("query", "is refused, or used as search text", async (app, input, reader) => {
  const isLenient = input.value === "brand=%E0%A4%A";
  for (const [caller, base] of [[app.owner, "/api"], [reader, "/api/public/v1"]] as const) {
    const answer = await caller.get(`${base}/products?${input.value}`);
    if (input.expect === "reject" && !(isLenient && answer.status === 200)) {
      const isCursor = input.value.startsWith("cursor");
      await refuses(answer, isCursor ? "invalid_cursor" : "validation_failed");
    } else assertEquals((await bodyOf(answer, 200)).count, 0);
  }
});

testEachInput("static_path", "leads to no file", async (app, input) => {
  const request = `GET ${input.value} HTTP/1.1\r\nHost: kurant\r\nConnection: close\r\n\r\n`;
  await refuses(exchange(app.base, request), "not_found");
});

testEachInput("header", "changes only the answer to its sender", async (app, input, reader) => {
  const host = input.value.startsWith("Host:") ? "" : "Host: kurant\r\n";
  const cookie = input.value.startsWith("Origin:") ? `Cookie: ${app.ownerCookie}\r\n` : "";
  const body = '{"sku":"FORGED","title":"t"}';
  const head = `${host}${cookie}${input.value}\r\nContent-Type: application/json\r\n`;
  const text =
    `POST /api/products HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const answer = await exchange(app.base, text);
  const { code, requestId } = await refusalOf(answer);
  assertEquals(code, HEADER_CODES[input.value.split(":")[0]!] ?? "not_authenticated");
  notDeepStrictEqual(requestId, "x");
  assertEquals(await statusOf(reader.get("/api/public/v1/products/FORGED")), 404);
});

const HEADER_CODES: Record<string, string> = { Host: "validation_failed", Origin: "csrf_refused" };

testEachInput(
  "password",
  "counts in full, or is refused without being hashed",
  async (app, input) => {
    const email = `${crypto.randomUUID()}@shop.example`;
    const invited = await app.owner.create("/api/users", { email, role: "viewer" });
    const token = /token=([\w-]+)/.exec(JSON.stringify(invited))?.[1];
    const body = { token, password: input.value };
    const accept = await app.anyone.post("/api/invitations/accept", body);
    const logIn = (password: string) => app.anyone.post("/api/auth/login", { email, password });
    if (input.expect === "reject") {
      assertEquals(await refusedField(accept), "password");
      await refuses(logIn(input.value), "invalid_login");
      return;
    }
    ok(accept.ok, `${accept.status}: ${await accept.text()}`);
    assertEquals((await bodyOf(logIn(input.value), 200)).email, email);
    await refuses(logIn(input.value.slice(0, -1)), "invalid_login");
  },
);

for (const kind of ["csv_cell", "title", "sku"]) {
  testEachInput(`${kind}`, "is one cell in an export, and no formula", async (app, input) => {
    const sku = kind === "sku" ? input.value : crypto.randomUUID();
    const text = kind === "sku" ? "t" : input.value;
    const body = { sku, title: text, mpn: text.slice(0, 90) };
    const made = await app.owner.post("/api/products", body);
    if (made.status !== 201) return void await refusalOf(made);
    const product = await bodyOf(made, 201);
    for (const [dialect, mark] of [["excel", ";"], ["rfc4180", ","]] as const) {
      const query = new URLSearchParams({ sku: product.sku, dialect });
      const answer = await app.owner.get(`/api/products.csv?${query}`);
      const [head = [], row = [], ...rest] = csvCells(await answer.text(), mark);
      assertEquals([answer.status, row.length, rest], [200, head.length, []]);
      for (const name of ["sku", "title", "mpn"]) {
        const cell = row[head.indexOf(name)] ?? "";
        // The file has an apostrophe before each formula, even if the text itself has apostrophes
        // before the formula.
        assertEquals(cell === product[name] ? cell : cell.replace(/^'/, ""), product[name]);
        ok(!/^[\s\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u.test(cell), cell);
      }
    }
  });
}

function postText(caller: Caller, body: string): Promise<Response> {
  return caller.send("POST", "/api/products", body, { "Content-Type": "application/json" });
}
