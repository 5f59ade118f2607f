/** The operations of both OpenAPI documents. */
import type { TestApp } from "../../harness.ts";

/** The JSON Schema keywords that contract tests read; `errorsOf` refuses unknown keywords. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly "x-places"?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly example?: unknown;
}

export type Schemas = Readonly<Record<string, Schema>>;

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly schemas: Schemas;
  readonly parameters: readonly Parameter[];
  /** The request body by media type; null without a body. */
  readonly body: Content | null;
  readonly needsBody: boolean;
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  /** The accepted credentials, each with the needed roles or scopes; empty for a public route. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

interface Declared {
  readonly security?: DocumentedOperation["security"];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Content }>
  >;
}

/** Deletions come after all other operations, and the sign-out comes last. */
export async function documentedOperations(app: TestApp): Promise<DocumentedOperation[]> {
  const found: DocumentedOperation[] = [];
  for (const { paths, components } of await openApiDocuments(app)) {
    const responseOf = (response: Declared["responses"][string]) =>
      response.$ref === undefined
        ? response
        : components.responses[response.$ref.replace("#/components/responses/", "")];
    for (const [path, methods] of Object.entries<Record<string, Declared>>(paths)) {
      for (const [method, declared] of Object.entries(methods)) {
        const responses = Object.entries(declared.responses);
        found.push({
          method: method.toUpperCase(),
          path,
          schemas: components.schemas,
          // Only header parameters are declared by `$ref`; other tests cover them.
          parameters: (declared.parameters ?? []).filter((one) => !("$ref" in one)),
          body: declared.requestBody?.content ?? null,
          needsBody: declared.requestBody?.required === true,
          responses: Object.fromEntries(responses.map(([status, of]) => [status, responseOf(of)])),
          security: declared.security ?? [],
        });
      }
    }
  }
  const lateness = ({ method, path }: DocumentedOperation) =>
    path === "/api/auth/logout" ? 2 : method === "DELETE" ? 1 : 0;
  return found.toSorted((a, b) => lateness(a) - lateness(b));
}

export function resolved(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace("#/components/schemas/", "");
  const found = schemas[name];
  if (!found) throw new Error(`${schema.$ref} leads nowhere`);
  return resolved(found, schemas);
}

export function jsonBodyOf({ body }: DocumentedOperation): Schema | null {
  return body?.["application/json"]?.schema ?? null;
}

let known: Promise<Awaited<ReturnType<typeof ask>>> | null = null;

/** All apps of a process have the same documents, which take 0.4 s to make. */
export function openApiDocuments(app: TestApp): ReturnType<typeof ask> {
  known ??= ask(app);
  return known;
}

async function ask({ anyone }: TestApp) {
  const paths = ["/api/openapi.json", "/api/public/v1/openapi.json"];
  return await Promise.all(paths.map((path) => anyone.read(path)));
}
