/** Converts the operations of the public API (`/api/public/v1`) to fields of an n8n node. */
import { isSchema, type Schema } from "../src/app/reference/openapi_schemas.ts";

export function nodeOperationsOf(document: Schema): string {
  const found = operationsOf(document);
  const operations = Object.fromEntries(found.map((one) => [one.name, {
    method: one.method,
    path: one.path,
    inPath: one.inPath.map(({ name }) => name),
    body: one.body,
    isList: one.isList,
  }]));
  return `/** Made from the OpenAPI document. */
import type { IHttpRequestMethods, INodeProperties } from "n8n-workflow";

export interface Operation {
  readonly method: IHttpRequestMethods;
  readonly path: string;
  readonly inPath: readonly string[];
  readonly body: "json" | "binary" | null;
  /** True if the operation returns a list in pages. */
  readonly isList: boolean;
}

export const operations: Readonly<Record<string, Operation>> = ${
    JSON.stringify(operations, null, 2)
  };

export const properties: INodeProperties[] = ${JSON.stringify(propertiesOf(found), null, 2)};
`;
}

interface Field {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
}

interface Found {
  readonly name: string;
  readonly title: string;
  readonly resource: string;
  readonly method: string;
  readonly path: string;
  readonly inPath: readonly Field[];
  readonly inQuery: readonly Field[];
  readonly body: "json" | "binary" | null;
  readonly example: unknown;
  readonly isList: boolean;
}

function operationsOf(document: Schema): Found[] {
  return entriesOf(document.paths).flatMap(([path, item]) =>
    entriesOf(item).flatMap(([method, operation]) => {
      const { operationId, summary, tags, parameters, requestBody } = operation;
      const resource = [tags].flat()[0];
      if (typeof operationId !== "string" || resource === "Reference") return [];
      const fields = (place: string): Field[] =>
        [parameters ?? []].flat().filter(isSchema).filter((one) => one.in === place).map((one) => ({
          name: String(one.name),
          description: String(one.description ?? ""),
          schema: isSchema(one.schema) ? one.schema : {},
        }));
      const content = partOf(requestBody, "content");
      const json = partOf(content, "application/json");
      const inQuery = fields("query");
      return [{
        name: operationId,
        title: String(summary),
        resource: String(resource),
        method: method.toUpperCase(),
        path,
        inPath: fields("path"),
        inQuery,
        body: json ? "json" : content ? "binary" : null,
        example: partOf(json, "example") ?? {},
        isList: inQuery.some(({ name }) => name === "cursor"),
      }];
    })
  );
}

function propertiesOf(found: readonly Found[]): unknown[] {
  const resources = [...new Set(found.map(({ resource }) => resource))].sort();
  const only = (...names: string[]) => ({ show: { operation: names } });
  const named = (pick: (one: Found) => boolean) =>
    only(...found.filter(pick).map((one) => one.name));
  const choice = { type: "options", noDataExpression: true };
  return [
    {
      displayName: "Resource",
      name: "resource",
      ...choice,
      default: "Products",
      options: resources.map((name) => ({ name, value: name })),
    },
    ...resources.map((resource) => {
      const own = found.filter((one) => one.resource === resource);
      return {
        displayName: "Operation",
        name: "operation",
        ...choice,
        displayOptions: { show: { resource: [resource] } },
        default: own[0]?.name,
        options: own.map(({ name, title }) => ({ name: title, value: name, action: title })),
      };
    }),
    ...[...new Set(found.flatMap((one) => one.inPath.map(({ name }) => name)))].map((name) => ({
      displayName: name,
      name: `path_${name}`,
      type: "string",
      required: true,
      default: "",
      displayOptions: named((one) => one.inPath.some((field) => field.name === name)),
    })),
    ...found.filter(({ inQuery }) => inQuery.length > 0).map(({ name, inQuery }) => ({
      displayName: "Query",
      name: "query",
      type: "collection",
      placeholder: "Add field",
      default: {},
      displayOptions: only(name),
      options: inQuery.map(fieldOf),
    })),
    {
      displayName: "All pages",
      name: "allPages",
      type: "boolean",
      default: false,
      description: "Whether to follow the pages of the list to its end",
      displayOptions: named(({ isList }) => isList),
    },
    ...found.filter(({ body }) => body === "json").map(({ name, example }) => ({
      displayName: "Body",
      name: "body",
      type: "json",
      default: JSON.stringify(example, null, 2),
      displayOptions: only(name),
    })),
    {
      displayName: "Binary property",
      name: "binaryProperty",
      type: "string",
      default: "data",
      required: true,
      displayOptions: named(({ body }) => body === "binary"),
    },
  ];
}

function fieldOf({ name, description, schema }: Field) {
  const common = { displayName: name, name, description };
  if (schema.type === "boolean") return { ...common, type: "boolean", default: false };
  if (schema.type === "integer") return { ...common, type: "number", default: schema.default ?? 0 };
  if (!Array.isArray(schema.enum)) return { ...common, type: "string", default: "" };
  return {
    ...common,
    type: "options",
    default: schema.default ?? schema.enum[0],
    options: schema.enum.map((value) => ({ name: String(value), value })),
  };
}

export function partOf(schema: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>((part, name) => isSchema(part) ? part[name] : undefined, schema);
}

export function entriesOf(schema: unknown): [string, Schema][] {
  return Object.entries(isSchema(schema) ? schema : {}).flatMap(([name, part]) =>
    isSchema(part) ? [[name, part] satisfies [string, Schema]] : []
  );
}
