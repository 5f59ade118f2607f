import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./app_context.ts";

/** Which methods a path has, whoever asks; built at the first question, when all rooms are mounted. */
export function methodsByPath(app: OpenAPIHono<AppEnv>): (path: string) => string[] {
  let table: ReadonlyMap<number, Row[]> | null = null;
  let partsMax = 0;
  return (path) => {
    if (table === null) {
      table = build(app);
      partsMax = Math.max(...table.keys());
    }
    // One more than fits is enough to see that a path is too long.
    const asked = path.split("/", partsMax + 1);
    const methods = new Set<string>();
    for (const row of table.get(asked.length) ?? []) {
      if (fits(row, asked)) row.methods.forEach((method) => methods.add(method));
    }
    return [...methods];
  };
}

interface Row {
  /** The parts of a path; null where any part may stand. */
  readonly parts: readonly (string | null)[];
  readonly methods: ReadonlySet<string>;
}

/** By the number of parts. */
function build(app: OpenAPIHono<AppEnv>): ReadonlyMap<number, Row[]> {
  const byPath = new Map<string, Set<string>>();
  for (const { method, path } of app.routes) {
    if (method === "ALL") continue;
    byPath.getOrInsertComputed(path, () => new Set()).add(method);
  }
  const rows = [...byPath].map(([path, methods]) => ({
    parts: path.split("/").map((part) => part.startsWith(":") ? null : part),
    methods,
  }));
  return Map.groupBy(rows, ({ parts }) => parts.length);
}

function fits({ parts }: Row, asked: readonly string[]): boolean {
  return parts.every((part, at) => part === null ? asked[at] !== "" : part === asked[at]);
}
