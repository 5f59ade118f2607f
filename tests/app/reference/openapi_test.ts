/**
 * Checks properties of both OpenAPI documents on which readers and client generators rely. Also
 * checks that the dashboard and the alerts of docs/operations.md name only existing metrics.
 */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { OPERATION_WORDS } from "../../../src/app/reference/operation_words.ts";
import { PATHS as CLIENT_PATHS } from "../../../src/client/paths.ts";
import { FAILURE_STATUS } from "../../../src/base/failure.ts";
import { PUBLIC_EVENT_TYPES } from "../../../src/platform/events/public_events.ts";
import { TAG_WORDS, wordsOfField } from "../../../src/app/reference/openapi_words.ts";
import { isSchema, type Schema } from "../../../src/app/reference/openapi_schemas.ts";
import { errorsOf } from "../../api/contract/errors.ts";
import { openApiDocuments } from "../../api/contract/document.ts";
import { startTestApp } from "../../harness.ts";
import { testWithOne } from "../../opened.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { VARIABLES } from "../../../src/app/composition/config.ts";
import { outputOf } from "../../program.ts";
import { quietMetrics } from "../../platform/quiet_metrics.ts";
import { withStore } from "../../memory_store.ts";
import { testNeeding } from "../../needing.ts";

/** The tests share the documents, because generating them takes half a second. */
const documented = testWithOne(async () => {
  const app = await startTestApp();
  const [inApp, external] = await openApiDocuments(app);
  return {
    app,
    inApp,
    external,
    documents: [inApp, external] satisfies Schema[],
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
});

function* partsOf(value: unknown, path = ""): Generator<[string, Schema]> {
  if (Array.isArray(value)) {
    for (const [n, part] of value.entries()) yield* partsOf(part, `${path}/${n}`);
  }
  if (!isSchema(value)) return;
  yield [path, value];
  for (const [key, part] of Object.entries(value)) yield* partsOf(part, `${path}/${key}`);
}

function operationsOf(document: Schema): [string, Schema][] {
  const paths = isSchema(document.paths) ? document.paths : {};
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isSchema(item) ? item : {}).flatMap(([method, operation]) =>
      isSchema(operation) ? [[`${method} ${path}`, operation] satisfies [string, Schema]] : []
    )
  );
}

documented.test("the OpenAPI documents hold every route of the service, each in one document", ({ app, documents }) => {
  // Pages for people, and the files of these pages, are not part of the documents.
  const pages: readonly string[] = Object.values(CLIENT_PATHS);
  const isPage = (path: string) => /^\/(docs|assets)(\/|$)/.test(path) || pages.includes(path);
  const described = documents.flatMap(operationsOf).map(([name]) => name);
  const routes = app.app.routes
    .filter(({ method, path }) => method !== "ALL" && !isPage(path))
    .map(({ method, path }) =>
      `${method.toLowerCase()} ${path.replaceAll(/:(\w+)(\{[^}]*\})?/g, "{$1}")}`
    );
  assertEquals(described.sort(), [...new Set(routes)].sort());
  ok(described.length > 100);
});

documented.test("every reference of the documents leads to something", ({ documents }) => {
  for (const document of documents) {
    assertEquals(document.openapi, "3.1.0");
    const text = JSON.stringify(document);
    const wanted = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
    const { schemas } = document.components;
    assertEquals(wanted.map(([, name]) => name!).filter((name) => !(name in schemas)), []);
  }
});

/** The fields of an Operation Object (OpenAPI 3.1.0 §4.8.10) that the documents use. */
const OPERATION_FIELDS = new Set(
  "tags summary description operationId parameters requestBody responses security deprecated"
    .split(" "),
);

documented.test("every operation has a summary and a group for the reading page, and no field that OpenAPI lacks", ({ documents }) => {
  for (const [name, operation] of documents.flatMap(operationsOf)) {
    ok(operation.summary, `${name} has no summary`);
    ok(Array.isArray(operation.tags) && operation.tags.length > 0, `${name} has no group`);
    const foreign = Object.keys(operation).filter((field) => !OPERATION_FIELDS.has(field));
    assertEquals(foreign, [], name);
  }
});

documented.test("the documents name their licence, their servers, every tag and every operation", ({ documents }) => {
  for (const document of documents) {
    const { info, servers, tags } = document;
    assertEquals(isSchema(info) && info.license, { name: "MIT", identifier: "MIT" });
    ok(Array.isArray(servers) && servers.length === 1);
    const operations = operationsOf(document);
    const ids = operations.map(([, { operationId }]) => operationId);
    assertEquals(ids.filter((id) => typeof id !== "string" || !/^[a-z][A-Za-z]+$/.test(id)), []);
    assertEquals(ids.length, new Set(ids).size);
    const used = new Set(operations.flatMap(([, { tags }]) => Array.isArray(tags) ? tags : []));
    ok(Array.isArray(tags));
    assertEquals(tags.map(({ name }) => name).sort(), [...used].sort());
    assertEquals([...used].filter((name) => !(name in TAG_WORDS)), []);
    const bodies = operations.filter(([, { requestBody: body }]) =>
      isSchema(body) && isSchema(body.content) && Object.keys(body.content).length !== 1
    );
    assertEquals(bodies.map(([name]) => name), []);
  }
});

const typesOf = ({ type }: Schema) => Array.isArray(type) ? type : [];

const WRONG: Record<string, (part: Schema, at: string) => boolean> = {
  "several types": (part) => typesOf(part).filter((type) => type !== "null").length > 1,
  "an inline object or null": (part) => typesOf(part).includes("null") && isSchema(part.properties),
  "an object among types": (part) => typesOf(part).includes("object"),
  "values without a word": ({ additionalProperties: values }) =>
    isSchema(values) && Object.keys(values).length === 0,
  "a default outside of parameters": (part, at) =>
    "default" in part && !at.includes("/parameters/"),
  "a control character": (part) =>
    Array.isArray(part.enum) && /\\[nrt]|\\u00/.test(JSON.stringify(part.enum)),
  "a pattern with lookaround or nested classes": ({ pattern }) =>
    typeof pattern === "string" &&
    /\[[^\]]*\[|\(\?<?[=!]/.test(pattern.replaceAll(/\\./g, "")),
  // A Java generator ignores the string alternative to a number unless it has a `maxLength`.
  "a text without length as an alternative to a number": ({ anyOf }) => {
    const options = Array.isArray(anyOf) ? anyOf.filter(isSchema) : [];
    return options.some(({ type }) => type === "number") &&
      options.some((one) => one.type === "string" && !("maxLength" in one));
  },
};

function bareFields({ properties, type }: Schema): string[] {
  if (!isSchema(properties) || type !== "object") return [];
  return Object.entries(properties).flatMap(([name, field]) =>
    isSchema(field) && ("description" in field || "$ref" in field) ? [] : [name]
  );
}

documented.test("every field of the documents has a description", ({ documents }) => {
  const bare = [...partsOf(documents)].flatMap(([at, part]) =>
    bareFields(part).map((name) => `${at}: ${name}`)
  );
  assertEquals(bare, []);
});

documented.test("no part of the documents has a construct that some readers or client generators do not support", ({ documents }) => {
  for (const document of documents) {
    const patterns = Array.from(partsOf(document), ([, { pattern }]) => pattern);
    ok(new Set(patterns.filter((pattern) => typeof pattern === "string")).size > 5);
  }
  // Objects under `properties` map names of fields, so their keys are no schema keywords.
  const parts = [...partsOf(documents)].filter(([at]) => !at.endsWith("/properties"));
  ok(parts.length > 1_000);
  for (const [what, isWrong] of Object.entries(WRONG)) {
    const wrong = parts.filter(([at, part]) => isWrong(part, at));
    assertEquals(wrong.map(([at]) => at), [], what);
  }
});

function kindsOf(schema: Schema): string[] {
  const options = [schema.anyOf, schema.allOf].flatMap((part) => Array.isArray(part) ? part : []);
  if (options.length > 0) {
    return options.flatMap((option) => isSchema(option) ? kindsOf(option) : []);
  }
  if (typeof schema.$ref === "string") return ["object"];
  return [schema.type ?? "any"].flat().map((type) => type === "integer" ? "number" : String(type));
}

documented.test("a description by field name alone fits fields of one kind only", ({ documents }) => {
  const kinds = new Map<string, Set<string>>();
  for (const [, { properties, type }] of partsOf(documents)) {
    if (!isSchema(properties) || type !== "object") continue;
    for (const [name, field] of Object.entries(properties)) {
      const words = wordsOfField(name);
      if (words === null || !isSchema(field)) continue;
      if (!String(field.description).startsWith(words)) continue;
      const kind = kindsOf(field).filter((one) => one !== "null").sort().join(" or ");
      kinds.set(name, (kinds.get(name) ?? new Set()).add(kind));
    }
  }
  const several = [...kinds].filter(([, of]) => of.size > 1).map(([name, of]) => [name, ...of]);
  assertEquals(several, []);
});

documented.test("a rule's response has defaults where a request may have null", ({ documents }) => {
  for (const document of documents) {
    const { Rule, NewRule } = JSON.parse(JSON.stringify(document)).components.schemas;
    const types = { enabled: "boolean", priority: "integer", cooldownMinutes: "integer" };
    for (const [field, type] of Object.entries(types)) {
      assertEquals(Rule.properties[field].type, type);
      ok(Rule.required.includes(field));
      if (NewRule) assertEquals(NewRule.properties[field].type, [type, "null"]);
    }
  }
});

documented.test("errors list their codes, requests and responses their headers, webhooks their payloads", ({ documents, external }) => {
  const { Error } = external.components.schemas;
  assertEquals(Error.properties.error.properties.code.enum, Object.keys(FAILURE_STATUS));
  assertEquals(Object.keys(external.webhooks).sort(), [...PUBLIC_EVENT_TYPES].sort());
  for (const document of documents) {
    for (const [name, operation] of operationsOf(document)) {
      const responses = isSchema(operation.responses) ? operation.responses : {};
      const bare = Object.values(responses).map(resolvedIn(document)).filter((response) =>
        !isSchema(response) || !isSchema(response.headers) || !("X-Request-Id" in response.headers)
      );
      assertEquals(bare, [], name);
    }
  }
});

/** Replaces `$ref` by the shared response to which it refers. */
function resolvedIn({ components }: Schema) {
  const { responses } = Object(components);
  return (response: unknown): unknown => {
    const { $ref } = Object(response);
    return typeof $ref === "string" ? responses[$ref.split("/").at(-1) ?? ""] : response;
  };
}

documented.test("operations that read If-Match say so", ({ inApp }) => {
  const versioned = operationsOf(inApp).filter(([, { parameters }]) =>
    JSON.stringify(parameters ?? []).includes("/parameters/If-Match")
  ).map(([name]) => name);
  ok(versioned.length >= 15, `${versioned.length}`);
  for (const name of ["patch /api/settings", "patch /api/auth/me"]) ok(versioned.includes(name));
});

documented.test("the most used operations have summaries and examples that fit their schemas", ({ external: { paths, components } }) => {
  const operations = Object.values(paths).flatMap((item) => Object.values(Object(item)));
  const byId = new Map(operations.map((one) => [Object(one).operationId, Object(one)]));
  const errors: string[] = [];
  let examples = 0;
  for (const [id, { summary, ask, answer }] of Object.entries(OPERATION_WORDS)) {
    const operation = byId.get(id);
    assertEquals(operation?.summary, summary, id);
    const success = Object.entries(operation.responses).find(([status]) => status < "300")?.[1];
    for (const [body, example] of [[operation.requestBody, ask], [success, answer]] as const) {
      if (example === undefined) continue;
      const { schema, example: shown } = Object(body).content["application/json"];
      assertEquals(within(shown, example), example, id);
      errors.push(...errorsOf(schema, components.schemas, shown).map((error) => `${id} ${error}`));
      examples++;
    }
  }
  assertEquals(errors, []);
  const count = Object.keys(OPERATION_WORDS).length;
  ok(count >= 40 && examples >= count, `${examples} examples of ${count} operations`);
});

function within(shown: unknown, example: unknown): unknown {
  if (typeof example !== "object" || example === null) return shown;
  if (Array.isArray(example)) return example.map((one, at) => within(Object(shown)[at], one));
  return Object.fromEntries(
    Object.entries(example).map(([name, of]) => [name, within(Object(shown)[name], of)]),
  );
}

documented.test("the document for programs has at most 90 KB, compressed", ({ external }) => {
  const { length } = gzipSync(JSON.stringify(external));
  ok(length <= 90_000, `${length} bytes`);
});

const document = await Deno.readTextFile("docs/operations.md");

async function metricsOf(store: Store): Promise<string[]> {
  const text = await quietMetrics(store).render();
  return [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!);
}

withStore.test("docs/operations.md names every metric, and no others", async (store) => {
  const known = await metricsOf(store);
  const told = [...document.matchAll(/^\| `((?:kurant|process)_\w+)` /gm)].map(([, name]) => name);
  assertEquals(told.toSorted(), known.toSorted());
});

Deno.test("docs/operations.md names every environment variable, and stars the secret ones", () => {
  const secrets = Object.entries(VARIABLES).filter(([, variable]) => "secret" in variable);
  const told = new Set(document.match(/`[A-Z][A-Z_]+`\*?/g));
  const missing = Object.keys(VARIABLES).filter((name) =>
    !told.has(secrets.some(([secret]) => secret === name) ? `\`${name}\`*` : `\`${name}\``)
  );
  assertEquals(missing, []);
});

const FILES = ["deploy/grafana/kurant.json", "deploy/alerts.yaml"];
const SERIES = /_(?:bucket|sum|count)$/;

async function namesIn(path: string): Promise<string[]> {
  const text = await Deno.readTextFile(path);
  const found = text.matchAll(/\b(?:kurant|process)_[a-z_]+\b/g);
  return [...new Set([...found].map(([name]) => name.replace(SERIES, "")))];
}

withStore.test("the dashboard and the alerts name only existing metrics", async (store) => {
  const known = await metricsOf(store);
  for (const path of FILES) {
    const names = await namesIn(path);
    ok(names.length > 5, path);
    assertEquals(names.filter((name) => !known.includes(name)), [], path);
  }
});

const promtool = await outputOf("sh", ["-c", "command -v promtool"]);

testNeeding(promtool.code === 0 ? null : "promtool is not installed", {
  name: "promtool accepts the alerts",
  async fn() {
    const { code, err } = await outputOf("promtool", ["check", "rules", "deploy/alerts.yaml"]);
    assertEquals(code, 0, err);
  },
});
