import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./app_context.ts";

/** Which methods a path has, whoever asks; built at the first question, when all rooms are mounted. */
export function methodsByPath(app: OpenAPIHono<AppEnv>): (path: string) => string[] {
  let table: Row[] | null = null;
  return (path) => {
    table ??= build(app);
    const methods = new Set<string>();
    for (const row of table) {
      if (fits(row, path)) row.methods.forEach((method) => methods.add(method));
    }
    return [...methods];
  };
}

interface Row {
  /** The parts of a path; null where any part may stand. */
  readonly parts: readonly (string | null)[];
  readonly methods: ReadonlySet<string>;
}

function build(app: OpenAPIHono<AppEnv>): Row[] {
  const byPath = new Map<string, Set<string>>();
  for (const { method, path } of app.routes) {
    if (method === "ALL") continue;
    const methods = byPath.get(path) ?? new Set<string>();
    byPath.set(path, methods.add(method));
  }
  return [...byPath].map(([path, methods]) => ({
    parts: path.split("/").map((part) => part.startsWith(":") ? null : part),
    methods,
  }));
}

function fits({ parts }: Row, path: string): boolean {
  // One more than fits is enough to see that a path is too long.
  const asked = path.split("/", parts.length + 1);
  return asked.length === parts.length &&
    parts.every((part, at) => part === null ? asked[at] !== "" : part === asked[at]);
}
