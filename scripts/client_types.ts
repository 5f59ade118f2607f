/** Generates `src/client/api/interface.ts`: the types of the API for the web client. */
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { namesIn } from "../src/app/reference/openapi_schemas.ts";
import { isSchema, type Schema } from "../src/app/reference/openapi_schemas.ts";
import { startOwnService } from "./own_service.ts";

/**
 * Query parameters may have any value, because the client sends the texts of form fields unchanged.
 */
const QUERY_VALUE = { type: ["string", "number", "boolean", "null"] };

const CLIENT_TYPES = "src/client/api/interface.ts";

const HEAD = `/** Types of the web client's API, made by scripts/client_types.ts. */
// deno-fmt-ignore-file
// deno-lint-ignore-file
`;

await Deno.writeTextFile(CLIENT_TYPES, await clientTypesOf(await inAppDocument()));

async function inAppDocument(): Promise<Schema> {
  await using service = await startOwnService();
  const document: unknown = await (await fetch(`${service.base}/api/openapi.json`)).json();
  if (!isSchema(document)) throw new Error("The document of the interface is not an object");
  return document;
}

async function clientTypesOf(document: Schema): Promise<string> {
  const { schemas, parameters } = partOf(document, "components");
  const declared = isSchema(schemas) ? schemas : {};
  const paths = partOf(document, "paths");
  const operations = operationsOf(paths);
  const asked = namesIn(operations.map(({ requestBody }) => requestBody), declared);
  const answered = namesIn(operations.map(({ responses }) => responses), declared);
  const sentName = (name: string) => answered.has(name) ? `${name}Sent` : name;
  const sent = (part: unknown) => typed(tidied(part), sentName);
  const described = {
    openapi: document.openapi,
    info: { title: "", version: "" },
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, isSchema(item) ? pathOf(item, sent) : {}]),
    ),
    components: {
      parameters: tidied(parameters),
      schemas: Object.fromEntries(
        Object.entries(declared).flatMap(([name, schema]) => [
          ...(asked.has(name) ? [[sentName(name), sent(schema)]] : []),
          ...(answered.has(name) ? [[name, whole(tidied(schema))]] : []),
        ]),
      ),
    },
  };
  const names = new Set([...asked].map(sentName));
  const nodes = await openapiTS(JSON.stringify(described), { transform: typeOf });
  const kept = nodes.filter((node) =>
    ts.isInterfaceDeclaration(node) && ["paths", "components"].includes(node.name.text)
  );
  return HEAD + astToString(kept.map((node) => readonlyRequests(node, names)));
}

/** The type of a binary body is `FormData`, because the client uploads files as forms. */
function typeOf({ format }: { readonly format?: string | undefined }) {
  return format === "binary" ? ts.factory.createTypeReferenceNode("FormData") : undefined;
}

function partOf(schema: Schema, name: string): Schema {
  const part = schema[name];
  return isSchema(part) ? part : {};
}

function operationsOf(paths: Schema): Schema[] {
  return Object.values(paths).flatMap((item) =>
    Object.values(isSchema(item) ? item : {}).filter(isSchema)
  );
}

function pathOf(item: Schema, sent: (part: unknown) => unknown): Schema {
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => {
      const { parameters, requestBody, responses } = isSchema(operation) ? operation : {};
      const successes = Object.entries(isSchema(responses) ? responses : {})
        .filter(([status]) => status.startsWith("2"))
        .map(([status, answer]) => {
          const content = partOf(isSchema(answer) ? answer : {}, "content");
          // Only answers in JSON get types, because browsers open other answers, such as CSV files.
          const json = content["application/json"];
          const kept = json === undefined ? {} : { "application/json": json };
          return [status, { description: "", content: whole(tidied(kept)) }];
        });
      return [method, {
        parameters: tidied(parameters),
        ...(isSchema(requestBody) && { requestBody: sent(requestBody) }),
        responses: Object.fromEntries(successes),
      }];
    }),
  );
}

function tidied(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(tidied);
  if (!isSchema(part)) return part;
  const { description, "x-enum": choice, "x-places": places, ...rest } = part;
  const kept = typeof description === "string" ? rest : part;
  return {
    ...Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, tidied(value)])),
    ...(part.in === "query" && { schema: QUERY_VALUE }),
    ...(Array.isArray(choice) && { enum: choice }),
    ...(Array.isArray(places) && { prefixItems: places.map(tidied), items: false }),
  };
}

/** Lets requests contain form values: any text for an enum; a text or null for a number. */
function typed(part: unknown, sentName: (name: string) => string): unknown {
  if (Array.isArray(part)) return part.map((one) => typed(one, sentName));
  if (!isSchema(part)) return part;
  if (typeof part.$ref === "string") {
    const [name = "", ...path] = part.$ref.split("/").reverse();
    return { $ref: [...path.reverse(), sentName(name)].join("/") };
  }
  const { enum: _, const: __, type, ...rest } = part;
  const others = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, typed(value, sentName)]),
  );
  if (type === undefined) return others;
  // If the API has a property called `type`, its value is a schema.
  if (isSchema(type)) return { ...others, type: typed(type, sentName) };
  const types = Array.isArray(type) ? type : [type];
  const isNumber = types.includes("number") || types.includes("integer");
  return { ...others, type: isNumber ? ["string", "number", "null"] : type };
}

/** Makes nullable fields required, because answers contain these fields even if they are null. */
function whole(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(whole);
  if (!isSchema(part)) return part;
  const same = Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, whole(value)]),
  );
  if (part.type !== "object" || !isSchema(part.properties)) return same;
  const always = Object.entries(part.properties).filter(([, of]) => isNullable(of))
    .map(([name]) => name);
  const required = Array.isArray(part.required) ? part.required : [];
  return { ...same, required: [...new Set([...required, ...always])] };
}

function isNullable(schema: unknown): boolean {
  if (!isSchema(schema)) return false;
  const { anyOf: options, enum: choice } = schema;
  return (Array.isArray(options) && options.some((one) => isSchema(one) && one.type === "null")) ||
    (Array.isArray(choice) && choice.includes(null));
}

function readonlyRequests(node: ts.Node, asked: ReadonlySet<string>): ts.Node {
  const { factory } = ts;
  const { transformed: [made] } = ts.transform(node, [(context) => {
    const visit = (isSent: boolean) => (part: ts.Node): ts.Node => {
      const name = ts.isPropertySignature(part) && ts.isIdentifier(part.name) ? part.name.text : "";
      const isSentNow = isSent || name === "requestBody" || asked.has(name);
      const within = ts.visitEachChild(part, visit(isSentNow), context);
      return isSentNow && ts.isArrayTypeNode(within)
        ? factory.createTypeOperatorNode(ts.SyntaxKind.ReadonlyKeyword, within)
        : within;
    };
    return visit(false);
  }]);
  return made ?? node;
}
