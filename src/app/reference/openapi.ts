/** Builds the OpenAPI 3.1 documents of both APIs (public, web client) from the declared routes. */
import { mapValues } from "../../base/collections.ts";
import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import { KEY_FORM } from "../../accounts/keys/api_key.ts";
import { SESSION_COOKIE } from "../../accounts/sessions/session.ts";
import { ProductBatchItem } from "../../catalogue/changes/change_product.ts";
import { PUBLIC_EVENTS } from "../../platform/events/event.ts";
import {
  accessWords,
  ANSWER_HEADERS,
  answerHeadersOf,
  type Body,
  capital,
  completed,
  groupOf,
  isListOf,
  jsonOf,
  METHODS,
  type Operation,
  operationIdOf,
  REQUEST_HEADER_PARAMETERS,
  successOf,
  summaryOf,
} from "./openapi_operations.ts";
import {
  namesIn,
  type Schema,
  type Schemas,
  SchemaTidier,
  tidyParameter,
} from "./openapi_schemas.ts";
import { TAG_WORDS } from "./openapi_words.ts";
import { OPERATION_WORDS } from "./operation_words.ts";

const EXTERNAL = "/api/public/v1/";

export function describeRoutes(routes: readonly RouteConfig[], version: string) {
  const app = new OpenAPIHono();
  for (const route of routes) app.openAPIRegistry.registerPath(route);
  // Batch routes validate each item separately, so no route declares `ProductBatchItem`.
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
  const info31 = { openapi: "3.1.0", info: { title: "Kurant", version } };
  const all = z.custom<Declared>().parse(app.getOpenAPI31Document(info31));
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

interface Declared {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Item<Operation>>>;
  readonly components: { readonly schemas: Schemas; readonly securitySchemes: unknown };
}

type Item<T> = Readonly<Partial<Record<(typeof METHODS)[number], T>>>;

/** Describes only the wanted paths, in a form that generators of client code accept. */
function pick({ openapi, paths: all, components }: Declared, isWanted: (path: string) => boolean) {
  const declared = Object.entries(all).filter(([path]) => isWanted(path));
  const schemas = only(components.schemas, namesIn(declared, components.schemas));
  const bodies = declared.map(([, item]) => METHODS.map((method) => item[method]?.requestBody));
  const asked = namesIn(bodies, schemas);
  const answers = new Set(Object.keys(schemas).filter((name) => !asked.has(name)));
  const tidying = new SchemaTidier(schemas, answers);
  const described = mapValues(
    Object.fromEntries(declared),
    (item, path) =>
      Object.fromEntries(METHODS.flatMap((method) => {
        const operation = item[method];
        return operation
          ? [[method, describe({ operation, method, path, item, schemas, tidying })]]
          : [];
      })),
  );
  const { paths, responses } = shareRefusals(described);
  const webhooks = isWanted(EXTERNAL) ? webhooksOf(tidying) : {};
  const made = tidying.components();
  const tags = new Set(Object.values(paths).flatMap(Object.values).flatMap(({ tags }) => tags));
  return {
    openapi,
    servers: [{ url: "/", description: "The service that returned this document" }],
    tags: Object.entries(TAG_WORDS).filter(([name]) => tags.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: components.securitySchemes,
      parameters: REQUEST_HEADER_PARAMETERS,
      headers: ANSWER_HEADERS,
      responses,
      schemas: only(made, namesIn([paths, responses, webhooks], made)),
    },
  };
}

function only(schemas: Schemas, names: ReadonlySet<string>): Schemas {
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}

type Paths = Readonly<Record<string, Readonly<Record<string, ReturnType<typeof describe>>>>>;

/** For each status, the most frequent error response becomes a shared component of the document. */
function shareRefusals(paths: Paths) {
  const refusals = Object.values(paths).flatMap(Object.values<Paths[string][string]>)
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status]) => Number(status) >= 400)
    .map(([status, response]) => [status, JSON.stringify(response)] as const);
  const shared = new Map(
    Object.entries(Object.groupBy(refusals, ([status]) => status)).map(([status, of = []]) => {
      const same = [...Map.groupBy(of, ([, text]) => text)];
      const [text] = same.reduce((most, one) => one[1].length > most[1].length ? one : most);
      return [status, text] as const;
    }),
  );
  const refer = (response: object, status: string) =>
    JSON.stringify(response) === shared.get(status)
      ? { $ref: `#/components/responses/Refusal${status}` }
      : response;
  return {
    paths: mapValues(paths, (item) =>
      mapValues(item, ({ responses, ...operation }) => ({
        ...operation,
        responses: mapValues(responses, refer),
      }))),
    responses: Object.fromEntries(
      [...shared].map(([status, text]) => [`Refusal${status}`, JSON.parse(text)]),
    ),
  };
}

interface Described {
  readonly operation: Operation;
  readonly method: (typeof METHODS)[number];
  readonly path: string;
  readonly item: Item<Operation>;
  readonly schemas: Schemas;
  readonly tidying: SchemaTidier;
}

function describe({ operation, method, path, item, schemas, tidying }: Described) {
  const { responses, security, requestBody } = operation;
  const operationId = operationIdOf(method, path, isListOf(responses, schemas));
  const name = capital([operationId]);
  const { summary, ask, answer } = path.startsWith(EXTERNAL)
    ? OPERATION_WORDS[operationId] ?? {}
    : {};
  const words = [operation.description ?? successOf(responses)?.description];
  const versioned = Object.values(item).some(({ parameters = [] }) =>
    parameters.some(({ $ref }) => $ref === "#/components/parameters/If-Match")
  );
  return {
    ...operation,
    operationId,
    tags: operation.tags ?? [groupOf(path)],
    summary: operation.summary ?? summary ?? summaryOf(operationId),
    description: [...words, accessWords(security)].filter((part) => part).join(". "),
    parameters: (operation.parameters ?? []).map((parameter) =>
      parameter.schema ? { ...parameter, schema: tidyParameter(parameter.schema) } : parameter
    ),
    ...(requestBody && {
      requestBody: tidyBody(requestBody, ask, (schema) => {
        return tidying.tidy(schema, `${name}Request`, false);
      }),
    }),
    responses: mapValues(responses, (response, status) => {
      const isExample = answer !== undefined && Number(status) < 300;
      const example = isExample ? completed(jsonOf(response)?.schema, answer, schemas) : undefined;
      return {
        ...tidyBody(response, example, (schema) => tidying.tidy(schema, `${name}Answer`, true)),
        headers: answerHeadersOf({ status: Number(status), security, versioned }),
      };
    }),
  };
}

function tidyBody(body: Body, example: unknown, tidy: (schema: Schema) => Schema): Body {
  if (!body.content) return body;
  const content = mapValues(body.content, ({ schema, ...more }, type) => ({
    schema: tidy(schema),
    ...more,
    ...(type === "application/json" && { example }),
  }));
  return { ...body, content };
}

function webhooksOf(tidying: SchemaTidier): Schema {
  return mapValues(PUBLIC_EVENTS, (data: z.ZodType, type) => ({
    post: {
      operationId: `on${capital(type.split(/[._]/))}`,
      summary: `Sent to webhooks that are subscribed to \`${type}\``,
      // Only webhooks have the tag `Events`, because a Python generator confuses webhooks and
      // operations with the same tag.
      tags: ["Events"],
      security: [],
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: tidying.tidy(eventSchema(type, data), "Event", true) },
        },
      },
      responses: { "204": { description: "Any 2xx means that the event was accepted" } },
    },
  }));
}

function eventSchema(type: string, data: z.ZodType): Schema {
  const { $schema: _, $defs: _named, ...json } = z.custom<Schema>().parse(z.toJSONSchema(data));
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
