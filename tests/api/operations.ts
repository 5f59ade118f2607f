/** Every operation of the service, as listed by its OpenAPI documents. */
import type { Caller } from "../caller.ts";
import type { TestApp } from "../harness.ts";
import { KEY_SCOPE_NAMES } from "../../src/accounts/roles.ts";
import { documentedOperations } from "./contract/document.ts";

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly isExternal: boolean;
  /** `session`, `key` or both; empty for a public route. */
  readonly credentials: readonly string[];
  readonly needs: Readonly<Record<string, readonly string[]>>;
  readonly queryNames: readonly string[];
  readonly takesBody: boolean;
}

export async function listOperations(app: TestApp): Promise<Operation[]> {
  const operations = await documentedOperations(app);
  return operations.map(({ method, path, security, parameters, body }) => ({
    method,
    path,
    isExternal: path.startsWith("/api/public/v1/"),
    credentials: security.flatMap((one) => Object.keys(one)),
    needs: Object.assign({}, ...security),
    queryNames: parameters.filter((one) => one.in === "query").map(({ name }) => name),
    takesBody: body !== null,
  }));
}

export function filled({ path }: Pick<Operation, "path">, value: string): string {
  return path.replaceAll(/\{[^}]+\}/g, value);
}

export const UNKNOWN_ID = "0123456789abcdef01234567";

export async function callersOf(app: TestApp): Promise<(operation: Operation) => Caller> {
  const key = await app.key(KEY_SCOPE_NAMES);
  return ({ credentials }) => {
    if (credentials.includes("session")) return app.owner;
    return credentials.includes("key") ? key : app.anyone;
  };
}
