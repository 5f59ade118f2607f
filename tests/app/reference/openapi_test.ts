import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { PATHS } from "../../../src/client/paths.ts";
import { type TestApp, withApp } from "../../harness.ts";

/** Pages for people, and their files, are not part of the API documents. */
const CLIENT_PATHS: readonly string[] = Object.values(PATHS);
const isPage = (path: string) => /^\/(docs|assets)(\/|$)/.test(path) || CLIENT_PATHS.includes(path);

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, { readonly tags?: readonly string[] }>>;
}

async function readDocument(app: TestApp, path: string): Promise<Document> {
  const answer = await app.anyone.get(path);
  assertEquals(answer.status, 200);
  return await answer.json();
}

/** The operations of a document in the router's spelling: `GET /a/{id}`. */
function operationsOf({ paths }: Document): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
  );
}

withApp.test("the OpenAPI documents hold every route of the service, each in one document", async (app) => {
  const external = operationsOf(await readDocument(app, "/api/public/v1/openapi.json"));
  const inApp = operationsOf(await readDocument(app, "/api/openapi.json"));
  const routes = app.app.routes
    .filter(({ method, path }) => method !== "ALL" && !isPage(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(\{[^}]*\})?/g, "{$1}")}`);
  assertEquals([...external, ...inApp].sort(), [...new Set(routes)].sort());
  ok(external.length > 3 && inApp.length > 10);
});

withApp.test("every reference of the OpenAPI documents leads to something", async (app) => {
  for (const path of ["/api/public/v1/openapi.json", "/api/openapi.json"]) {
    const text = await (await app.anyone.get(path)).text();
    const document = JSON.parse(text);
    assertEquals(document.openapi, "3.1.0");
    const wanted = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) =>
      name!
    );
    const lost = wanted.filter((name) => !(name in document.components.schemas));
    assertEquals(lost, []);
  }
});

withApp.test("every operation has a summary and a group for the reading page", async (app) => {
  for (const path of ["/api/public/v1/openapi.json", "/api/openapi.json"]) {
    const { paths } = await readDocument(app, path);
    const bare = Object.entries(paths).flatMap(([at, methods]) =>
      Object.entries<{ summary?: string; tags?: readonly string[] }>(methods)
        .filter(([, { summary, tags }]) => !summary || !tags?.length)
        .map(([method]) => `${method.toUpperCase()} ${at}`)
    );
    assertEquals(bare, []);
  }
});

/** The fields of an Operation Object (OpenAPI 3.1.0 §4.8.10) that the documents use. */
const OPERATION_FIELDS = new Set([
  "tags",
  "summary",
  "description",
  "operationId",
  "parameters",
  "requestBody",
  "responses",
  "security",
  "deprecated",
]);

withApp.test("no operation has a field that OpenAPI lacks", async (app) => {
  for (const path of ["/api/public/v1/openapi.json", "/api/openapi.json"]) {
    const { paths } = await readDocument(app, path);
    const foreign = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) =>
        Object.keys(operation).filter((name) => !OPERATION_FIELDS.has(name))
      )
    );
    assertEquals([...new Set(foreign)], []);
  }
});
