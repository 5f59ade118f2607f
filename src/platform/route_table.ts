import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./http.ts";

/** Which methods a path has, whoever asks; built at the first question, when all rooms are mounted. */
export function methodsByPath(app: OpenAPIHono<AppEnv>): (path: string) => string[] {
  let table: { pattern: RegExp; methods: Set<string> }[] | null = null;
  return (path) => {
    table ??= build(app);
    const methods = new Set<string>();
    for (const row of table) {
      if (row.pattern.test(path)) row.methods.forEach((method) => methods.add(method));
    }
    return [...methods];
  };
}

function build(app: OpenAPIHono<AppEnv>) {
  const byPath = new Map<string, Set<string>>();
  for (const { method, path } of app.routes) {
    if (method === "ALL") continue;
    const methods = byPath.get(path) ?? new Set<string>();
    byPath.set(path, methods.add(method));
  }
  return [...byPath].map(([path, methods]) => ({ pattern: patternOf(path), methods }));
}

function patternOf(path: string): RegExp {
  const source = path.split("/").map((part) =>
    part.startsWith(":") ? "[^/]+" : RegExp.escape(part)
  );
  return new RegExp(`^${source.join("/")}$`);
}
