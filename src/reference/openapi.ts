/**
 * The two OpenAPI 3.1 documents, made from the declarations that validate
 * (docs/decisions/running.md).
 */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { KEY_FORM } from "../identity/keys/api_key.ts";
import { SESSION_COOKIE } from "../identity/sessions/session.ts";
import type { AppEnv } from "../platform/http/app_context.ts";

type Document = ReturnType<OpenAPIHono<AppEnv>["getOpenAPI31Document"]>;

const EXTERNAL = "/api/public/v1/";

/**
 * `external` holds the bearer-key paths, `inApp` the cookie paths; routes that are for people only
 * stay out.
 */
export function describeRoutes(app: OpenAPIHono<AppEnv>, version: string) {
  app.openAPIRegistry.registerComponent("securitySchemes", "key", {
    type: "http",
    scheme: "bearer",
    description: KEY_FORM,
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: SESSION_COOKIE,
    description: "The session cookie that the login sets",
  });
  const all = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Kurant", version, license: { name: "MIT" } },
  });
  const external = pick(all, (path) => path.startsWith(EXTERNAL));
  external.info = { ...all.info, title: "Kurant: external interface, v1", description: WORDS };
  const inApp = pick(all, (path) => !path.startsWith(EXTERNAL));
  inApp.info = { ...all.info, title: "Kurant: in-app interface" };
  return { external, inApp };
}

const WORDS = "Prices are integers in minor units when read (`29999` is 299.99 EUR) and decimals " +
  "in major units when written; the `…Cents` twins are integers both ways. v1 only ever grows.";

/** The paths that `isWanted` and the components that they refer to, directly or not. */
function pick(all: Document, isWanted: (path: string) => boolean): Document {
  const paths = Object.fromEntries(
    Object.entries(all.paths ?? {}).filter(([path]) => isWanted(path))
      .map(([path, item]) => [path, nameOperations(path, item)]),
  );
  const schemas = all.components?.schemas ?? {};
  const wanted = new Set<string>();
  collect(JSON.stringify(paths), schemas, wanted);
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => wanted.has(name)));
  return { ...all, paths, components: { ...all.components, schemas: kept } };
}

type PathItem = NonNullable<Document["paths"]>[string];

const METHODS = ["get", "post", "patch", "put", "delete"] as const;

/**
 * An operation without words of its own is listed under its path's first word, by what it answers.
 */
function nameOperations(path: string, item: PathItem): PathItem {
  const named = { ...item };
  for (const method of METHODS) {
    const operation = item[method];
    if (!operation) continue;
    const summary = operation.summary ?? successOf(operation.responses);
    named[method] = { tags: [groupOf(path)], ...operation, ...(summary && { summary }) };
  }
  return named;
}

/** `/api/competitor-products/{id}` → `Competitor products`. */
function groupOf(path: string): string {
  const word = path.replace(/^\/api\/(public\/v1\/)?/, "").split("/")[0] ?? "";
  return (word.charAt(0).toUpperCase() + word.slice(1)).replaceAll("-", " ");
}

function successOf(responses: Record<string, unknown> | undefined): string | undefined {
  const success = Object.entries(responses ?? {}).find(([status]) => status.startsWith("2"))?.[1];
  if (typeof success !== "object" || success === null || !("description" in success)) return;
  // A summary is plain text, a description may be Markdown.
  return typeof success.description === "string"
    ? success.description.replaceAll("`", "")
    : undefined;
}

function collect(
  text: string,
  schemas: Record<string, unknown>,
  wanted: Set<string>,
): void {
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (!name || wanted.has(name) || !(name in schemas)) continue;
    wanted.add(name);
    collect(JSON.stringify(schemas[name]), schemas, wanted);
  }
}
