/**
 * Writes `src/client/api/interface.ts`: the types by which the web client calls, made from the OpenAPI
 * document of the in-app interface. `deno task check` runs it; git does not keep the file, and the
 * built client does not need it, because it holds types only.
 */
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { isSchema, type Schema } from "../src/app/reference/schema_parts.ts";
import { startOwnService } from "./own_service.ts";

/**
 * What a list is asked for stands in the client's own addresses, and what a form sends was typed:
 * both go as they are, and the service says what it does not take of them. So what has to be there is
 * checked, and lists, objects and switches are; words and numbers are not.
 */
const QUERY_VALUE = { type: ["string", "number", "boolean", "null"] };

const CLIENT_TYPES = "src/client/api/interface.ts";

const HEAD = `/**
 * The in-app interface as types, made from its document by scripts/client_types.ts.
 */
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

/** The text of the module. */
async function clientTypesOf(document: Schema): Promise<string> {
  const { schemas, parameters } = partOf(document, "components");
  const declared = isSchema(schemas) ? schemas : {};
  const paths = partOf(document, "paths");
  const operations = operationsOf(paths);
  const asked = namesIn(operations.map(({ requestBody }) => requestBody), declared);
  const answered = namesIn(operations.map(({ responses }) => responses), declared);
  /** What is both sent and answered is two types: what was typed, and what there is. */
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

/** Forms are what they are in a browser. */
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

/** The operations of a path, with their parameters, bodies and answers of success. */
function pathOf(item: Schema, sent: (part: unknown) => unknown): Schema {
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => {
      const { parameters, requestBody, responses } = isSchema(operation) ? operation : {};
      const successes = Object.entries(isSchema(responses) ? responses : {})
        .filter(([status]) => status.startsWith("2"))
        .map(([status, answer]) => {
          const content = partOf(isSchema(answer) ? answer : {}, "content");
          // Other files than documents are links, which the browser follows by itself.
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

/** Without words: they stand in the document. */
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

/** Numbers and words of a choice may be any text; components are called as they are when they are sent. */
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
  // A field that is called so.
  if (isSchema(type)) return { ...others, type: typed(type, sentName) };
  const types = Array.isArray(type) ? type : [type];
  const isNumber = types.includes("number") || types.includes("integer");
  return { ...others, type: isNumber ? ["string", "number", "null"] : type };
}

/**
 * In an answer what is an object or null is always there. The document does not call it required, for
 * the sake of other generators (src/app/reference/openapi_schemas.ts).
 */
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

/** The components that `part` refers to, directly or not. */
function namesIn(part: unknown, schemas: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (text: string) => {
    for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      collect(JSON.stringify(isSchema(schemas) ? schemas[name] : null));
    }
  };
  collect(JSON.stringify(part));
  return names;
}

/** What is sent may be read-only where it comes from. */
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
