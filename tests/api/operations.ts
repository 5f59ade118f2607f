/** Every operation of the service, as listed by its OpenAPI documents. */
import type { Caller } from "../caller.ts";
import type { TestApp } from "../harness.ts";
import { KEY_SCOPE_NAMES } from "../../src/accounts/roles.ts";
import { openApiDocuments } from "./openapi_documents.ts";

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly isExternal: boolean;
  /** Names of the accepted credentials: `session`, `key`; empty for a public route. */
  readonly credentials: readonly string[];
  /** The role or scopes that the document demands for each credential. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
  readonly queryNames: readonly string[];
  readonly takesBody: boolean;
}

interface Declared {
  readonly security?: Record<string, string[]>[];
  readonly parameters?: { name: string; in: string }[];
  readonly requestBody?: unknown;
}

export async function listOperations(app: TestApp): Promise<Operation[]> {
  const operations: Operation[] = [];
  for (const { paths } of await openApiDocuments(app)) {
    for (const [path, methods] of Object.entries<Record<string, Declared>>(paths)) {
      for (const [method, declared] of Object.entries(methods)) {
        operations.push(toOperation(method, path, declared));
      }
    }
  }
  return operations;
}

function toOperation(method: string, path: string, declared: Declared): Operation {
  const security = declared.security ?? [];
  return {
    method: method.toUpperCase(),
    path,
    isExternal: path.startsWith("/api/public/v1/"),
    credentials: security.flatMap((one) => Object.keys(one)),
    needs: Object.assign({}, ...security),
    queryNames: (declared.parameters ?? [])
      .filter((parameter) => parameter.in === "query").map(({ name }) => name),
    takesBody: declared.requestBody !== undefined,
  };
}

export function filled({ path }: Pick<Operation, "path">, value: string): string {
  return path.replaceAll(/\{[^}]+\}/g, value);
}

export const UNKNOWN_ID = "0123456789abcdef01234567";

/**
 * Callers with all rights: an owner for the internal interface, and a key with all scopes for the
 * external one.
 */
export async function callersOf(app: TestApp): Promise<(operation: Operation) => Caller> {
  const key = await app.key(KEY_SCOPE_NAMES);
  return ({ credentials }) => {
    if (credentials.includes("session")) return app.owner;
    return credentials.includes("key") ? key : app.anyone;
  };
}
