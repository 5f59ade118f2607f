/** Bodies whose fields are all optional may be omitted (docs/decisions/rules.md). */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { addProduct, addRule, push } from "../rules/evaluation/market.ts";
import { type TestApp, withApp } from "../harness.ts";
import { exchange } from "../raw_http.ts";
import { refuses } from "./answers.ts";
import { documentedOperations, jsonBodyOf, resolved } from "./contract/document.ts";

/** Ways to send no field. The requests are raw, because `fetch` would add headers. */
const NOTHING: readonly (readonly [what: string, rest: string])[] = [
  ["no body and no type", "Content-Length: 0\r\n\r\n"],
  ["not even a length", "\r\n"],
  ["a type and no body", "Content-Type: application/json\r\nContent-Length: 0\r\n\r\n"],
  ["curl -d ''", "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n\r\n"],
  ["no chunk", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
  ["an empty object", "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"],
];

function postRaw(app: TestApp, path: string, rest: string) {
  const head = `POST ${path} HTTP/1.1\r\nHost: kurant\r\nCookie: ${app.ownerCookie}\r\n`;
  return exchange(app.base, head + rest);
}

async function ruleWithMarket(app: TestApp): Promise<string> {
  await addProduct(app.owner, "A");
  const id = await addRule(app.owner);
  await push(app, [["A", "acme", 90]]);
  return id;
}

withApp.test("POST /api/rules/{id}/simulate needs neither a body nor a Content-Type", async (app) => {
  const path = `/api/rules/${await ruleWithMarket(app)}/simulate`;
  for (const [what, rest] of NOTHING) {
    const { status, body } = await postRaw(app, path, rest);
    assertEquals([status, status === 200 ? JSON.parse(body).evaluated : body], [200, 1], what);
  }
});

withApp.test("an optional body is validated like any other if present", async (app) => {
  const path = `/api/rules/${await ruleWithMarket(app)}/simulate`;
  const cases = [
    ["Content-Type: application/x-www-form-urlencoded\r\n", "a=b", "unsupported_media_type"],
    ["", "{}", "unsupported_media_type"],
    ["Content-Type: application/json\r\n", " ", "invalid_json"],
    ["Content-Type: application/json\r\n", "null", "validation_failed"],
  ] as const;
  for (const [type, body, code] of cases) {
    const rest = `${type}Content-Length: ${body.length}\r\n\r\n${body}`;
    await refuses(postRaw(app, path, rest), code, body);
  }
});

withApp.test("an Idempotency-Key keeps the answer to a missing body, which equals no other body", async (app) => {
  const path = `/api/rules/${await ruleWithMarket(app)}/backtest`;
  const keyed = "Idempotency-Key: empty-1\r\n";
  const first = await postRaw(app, path, `${keyed}\r\n`);
  const again = await postRaw(app, path, `${keyed}Content-Length: 0\r\n\r\n`);
  assertEquals([first.status, again.status], [202, 202]);
  assertEquals(JSON.parse(again.body).jobId, JSON.parse(first.body).jobId);
});

withApp.test("every POST whose fields are all optional is documented with an optional body", async (app) => {
  const operations = await documentedOperations(app);
  const optional = operations.filter((one) => {
    // The body must have exactly one of its fields.
    if (one.path === "/api/auth/prove") return false;
    const { schemas } = one;
    const schema = jsonBodyOf(one);
    const body = schema ? resolved(schema, schemas) : {};
    // Each of several alternatives has its own fields.
    const shapes = (body.oneOf ?? body.anyOf ?? [body]).map((one) => resolved(one, schemas));
    const isOptional = shapes.every(({ required = [] }) => required.length === 0);
    return one.method === "POST" && schema !== null && isOptional;
  });
  ok(optional.length >= 2, "simulate and backtest are among them");
  assertEquals(optional.filter(({ needsBody }) => needsBody).map(({ path }) => path), []);
});
