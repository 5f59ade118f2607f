/** Bodies whose fields are all optional may be omitted (docs/decisions/rules.md). */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { addProduct, addRule, push } from "../rules/evaluation/market.ts";
import { type TestApp, withApp } from "../harness.ts";
import { exchange } from "../raw_http.ts";
import { refusalOf } from "./answers.ts";
import { documentedOperations, jsonBodyOf, resolved } from "./contract/document.ts";

/** Raw requests of clients without a body, because `fetch` would add headers. */
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
  const answers = [];
  for (const [what, rest] of NOTHING) {
    const { status, body } = await postRaw(app, path, rest);
    answers.push([what, status, status === 200 ? JSON.parse(body).evaluated : body]);
  }
  assertEquals(answers, NOTHING.map(([what]) => [what, 200, 1]));
});

withApp.test("an optional body is validated like any other if present", async (app) => {
  const path = `/api/rules/${await ruleWithMarket(app)}/simulate`;
  const codeOf = async (rest: string) => (await refusalOf(postRaw(app, path, rest))).code;
  const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b";
  const json = (body: string) =>
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  assertEquals(await codeOf(form), "unsupported_media_type");
  assertEquals(await codeOf("Content-Length: 2\r\n\r\n{}"), "unsupported_media_type");
  assertEquals(await codeOf(json(" ")), "invalid_json");
  assertEquals(await codeOf(json("null")), "validation_failed");
});

withApp.test("an Idempotency-Key keeps the answer to a missing body, which equals no other body", async (app) => {
  const path = `/api/rules/${await ruleWithMarket(app)}/backtest`;
  const keyed = "Idempotency-Key: empty-1\r\n";
  const [first, again] = [
    await postRaw(app, path, `${keyed}\r\n`),
    await postRaw(app, path, `${keyed}Content-Length: 0\r\n\r\n`),
  ];
  assertEquals([first.status, again.status], [202, 202]);
  assertEquals(JSON.parse(again.body).jobId, JSON.parse(first.body).jobId);
});

withApp.test("every POST whose fields are all optional is documented with an optional body", async (app) => {
  const operations = await documentedOperations(app);
  const optional = operations.filter((one) => {
    // The body must have exactly one of its fields.
    if (one.path === "/api/auth/prove") return false;
    const schema = jsonBodyOf(one);
    const body = schema ? resolved(schema, one.schemas) : {};
    // Each of several alternatives has its own fields.
    const shapes = (body.oneOf ?? body.anyOf)?.map((shape) => resolved(shape, one.schemas)) ??
      [body];
    const isOptional = shapes.every(({ required = [] }) => required.length === 0);
    return one.method === "POST" && schema !== null && isOptional;
  });
  ok(optional.length >= 2, "simulate and backtest are among them");
  assertEquals(optional.filter(({ needsBody }) => needsBody).map(({ path }) => path), []);
});
