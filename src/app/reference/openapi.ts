/** Builds the two OpenAPI 3.1 documents from the declarations that validate requests. */
import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import { KEY_FORM } from "../../accounts/keys/api_key.ts";
import { SESSION_COOKIE } from "../../accounts/sessions/session.ts";
import { ProductBatchItem } from "../../catalogue/changes/change_product.ts";
import { PUBLIC_EVENTS } from "../../platform/events/event.ts";
import {
  accessWords,
  ANSWER_HEADERS,
  answerHeadersOf,
  capital,
  completed,
  groupOf,
  isListOf,
  METHODS,
  type Operation,
  operationIdOf,
  REQUEST_HEADER_PARAMETERS,
  successOf,
  summaryOf,
} from "./openapi_operations.ts";
import {
  isSchema,
  type Schema,
  type Schemas,
  SchemaTidier,
  tidyParameter,
} from "./openapi_schemas.ts";
import { TAG_WORDS } from "./openapi_words.ts";
import { OPERATION_WORDS } from "./operation_words.ts";

type Document = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

const EXTERNAL = "/api/public/v1/";

export function describeRoutes(routes: readonly RouteConfig[], version: string) {
  const app = new OpenAPIHono();
  for (const route of routes) app.openAPIRegistry.registerPath(route);
  // No route refers to this schema, because each item of a batch is validated alone.
  app.openAPIRegistry.register("ProductBatchItem", ProductBatchItem);
  app.openAPIRegistry.registerComponent("securitySchemes", "key", {
    type: "http",
    scheme: "bearer",
    description: KEY_FORM,
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: SESSION_COOKIE,
    description: "The session cookie set by the login",
  });
  const all = app.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "Kurant", version } });
  const info = { version, license: { name: "MIT", identifier: "MIT" } };
  return {
    external: {
      ...pick(all, (path) => path.startsWith(EXTERNAL)),
      info: { title: "Kurant: external interface, v1", ...info, description: WORDS },
    },
    inApp: {
      ...pick(all, (path) => !path.startsWith(EXTERNAL)),
      info: { title: "Kurant: in-app interface", ...info, description: IN_APP_WORDS },
    },
  };
}

const WORDS = "Responses contain prices as integers in minor units (`29999` is 299.99 EUR). " +
  "Requests contain prices as decimals in major units, but `…Cents` fields are integers in minor " +
  "units in requests too. v1 only gets additions: new fields, codes and list values may appear, " +
  "and nothing is removed.";

const IN_APP_WORDS = "The web client calls this interface with a session cookie. The interface " +
  "may change with each version, so programs should use the external interface.";

/** Makes a document of the wanted paths, in a form that generators of client code accept. */
function pick(all: Document, isWanted: (path: string) => boolean): Schema {
  const declared = Object.entries(all.paths ?? {}).filter(([path]) => isWanted(path));
  const events = isWanted(EXTERNAL) ? webhooksOf() : {};
  const every = schemasOf(all);
  const used = namesIn(declared.map(([, item]) => item), every);
  const schemas = Object.fromEntries(Object.entries(every).filter(([name]) => used.has(name)));
  const bodies = declared.map(([, item]) =>
    METHODS.map((at) => operationOf(item, at)?.requestBody)
  );
  const asked = namesIn(bodies, schemas);
  const answers = new Set(Object.keys(schemas).filter((name) => !asked.has(name)));
  const tidying = new SchemaTidier(schemas, answers);
  const described = Object.fromEntries(declared.map(([path, item]) => [
    path,
    Object.fromEntries(METHODS.flatMap((method) => {
      const operation = operationOf(item, method);
      return operation
        ? [[method, describe({ operation, method, path, item, schemas, tidying })]]
        : [];
    })),
  ]));
  const { paths, responses } = shareRefusals(described);
  const webhooks = tidyBodies(events, "Event", tidying, true);
  const components = tidying.components();
  const wanted = namesIn([paths, responses, webhooks], components);
  const kept = Object.fromEntries(Object.entries(components).filter(([name]) => wanted.has(name)));
  const tags = new Set(Object.values(paths).flatMap(Object.values).flatMap(({ tags }) => tags));
  return {
    openapi: all.openapi,
    servers: [{ url: "/", description: "The service that returned this document" }],
    tags: Object.entries(TAG_WORDS).filter(([name]) => tags.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: all.components?.securitySchemes,
      parameters: REQUEST_HEADER_PARAMETERS,
      headers: ANSWER_HEADERS,
      responses,
      schemas: kept,
    },
  };
}

type Paths = Readonly<Record<string, Readonly<Record<string, ReturnType<typeof describe>>>>>;

function shareRefusals(paths: Paths) {
  const counts = new Map<string, Map<string, number>>();
  for (const { responses } of Object.values(paths).flatMap(Object.values<Paths[string][string]>)) {
    for (const [status, response] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      const text = JSON.stringify(response);
      const of = counts.getOrInsertComputed(status, () => new Map<string, number>());
      of.set(text, (of.get(text) ?? 0) + 1);
    }
  }
  const shared = new Map(
    [...counts].toSorted().map(([status, of]) => {
      const [text = ""] = [...of].reduce((most, one) => one[1] > most[1] ? one : most);
      return [status, text] as const;
    }),
  );
  const refer = (status: string, response: Schema) =>
    JSON.stringify(response) === shared.get(status)
      ? { $ref: `#/components/responses/Refusal${status}` }
      : response;
  return {
    paths: mapValues(paths, (item) =>
      mapValues(item, ({ responses, ...operation }) => ({
        ...operation,
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, of]) => [status, refer(status, of)]),
        ),
      }))),
    responses: Object.fromEntries(
      [...shared].map(([status, text]) => [`Refusal${status}`, JSON.parse(text)]),
    ),
  };
}

function mapValues<T, To>(record: Readonly<Record<string, T>>, map: (value: T) => To) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

interface Described {
  readonly operation: Operation;
  readonly method: (typeof METHODS)[number];
  readonly path: string;
  readonly item: unknown;
  readonly schemas: Schemas;
  readonly tidying: SchemaTidier;
}

function describe({ operation, method, path, item, schemas, tidying }: Described) {
  const { responses, security } = operation;
  const operationId = operationIdOf(method, path, isListOf(responses, schemas));
  const name = capital([operationId]);
  const { summary, ask, answer } = path.startsWith(EXTERNAL)
    ? OPERATION_WORDS[operationId] ?? {}
    : {};
  const words = [operation.description ?? successOf(responses), accessWords(security)];
  const versioned = METHODS.some((other) =>
    operationOf(item, other)?.parameters?.some(isReferenceTo("If-Match"))
  );
  const requestBody = isSchema(operation.requestBody)
    ? withExample(tidyBodies(operation.requestBody, `${name}Request`, tidying, false), ask)
    : null;
  return {
    ...operation,
    operationId,
    tags: operation.tags ?? [groupOf(path)],
    summary: operation.summary ?? summary ?? summaryOf(operationId),
    description: words.filter((part) => part !== null).join(". "),
    parameters: (operation.parameters ?? []).map((parameter) =>
      isSchema(parameter) && isSchema(parameter.schema)
        ? { ...parameter, schema: tidyParameter(parameter.schema) }
        : parameter
    ),
    ...(requestBody && { requestBody }),
    responses: Object.fromEntries(
      Object.entries(responses ?? {}).map(([status, response]) => [status, {
        ...(isSchema(response)
          ? withExample(
            tidyBodies(response, `${name}Answer`, tidying, true),
            Number(status) < 300 && answer !== undefined
              ? completed(jsonOf(response)?.schema, answer, schemas)
              : undefined,
          )
          : {}),
        headers: answerHeadersOf({ status: Number(status), security, versioned }),
      }]),
    ),
  };
}

function withExample(body: Schema, example: unknown): Schema {
  const { content } = body;
  const json = jsonOf(body);
  if (example === undefined || !isSchema(content) || !json) return body;
  return { ...body, content: { ...content, "application/json": { ...json, example } } };
}

function jsonOf({ content }: Schema): Schema | null {
  const json = isSchema(content) ? content["application/json"] : null;
  return isSchema(json) ? json : null;
}

function tidyBodies(part: Schema, name: string, tidying: SchemaTidier, isAnswer: boolean): Schema {
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key === "schema") return [key, tidying.tidy(value, name, isAnswer)];
      return [key, isSchema(value) ? tidyBodies(value, name, tidying, isAnswer) : value];
    }),
  );
}

function webhooksOf(): Schema {
  return Object.fromEntries(
    Object.entries(PUBLIC_EVENTS).map(([type, data]) => [type, {
      post: {
        operationId: `on${capital(type.split(/[._]/))}`,
        summary: `Sent to webhooks that are subscribed to \`${type}\``,
        // Only webhooks have this tag, because a Python generator confuses webhooks and operations
        // with the same tag.
        tags: ["Events"],
        security: [],
        requestBody: {
          required: true,
          content: { "application/json": { schema: eventSchema(type, data) } },
        },
        responses: { "204": { description: "Any 2xx means that the event was accepted" } },
      },
    }]),
  );
}

function eventSchema(type: string, data: z.ZodType): Schema {
  const { $schema: _, $defs: _named, ...json } = z.toJSONSchema(data);
  return {
    type: "object",
    required: ["type", "timestamp", "data"],
    properties: {
      type: { type: "string", enum: [type], description: "The type of the event" },
      timestamp: { type: "string", format: "date-time", description: "When it happened" },
      data: { ...json, description: "Facts of the event, depending on the type" },
    },
  };
}

function schemasOf(all: Document): Schemas {
  const schemas: unknown = all.components?.schemas;
  if (!isSchema(schemas)) return {};
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => isSchema(schema) ? [[name, schema]] : []),
  );
}

function operationOf(item: unknown, method: string): Operation | null {
  const operation = isSchema(item) ? item[method] : null;
  return isSchema(operation) ? operation : null;
}

function isReferenceTo(name: string) {
  return (parameter: unknown) =>
    isSchema(parameter) && parameter.$ref === `#/components/parameters/${name}`;
}

export function namesIn(part: unknown, schemas: Schema): Set<string> {
  const names = new Set<string>();
  const collect = (text: string) => {
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (!name || names.has(name) || !(name in schemas)) continue;
      names.add(name);
      collect(JSON.stringify(schemas[name]));
    }
  };
  collect(JSON.stringify(part));
  return names;
}
