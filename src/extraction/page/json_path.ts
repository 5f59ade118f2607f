import { JSONPathEnvironment, type JSONValue } from "json-p3";

/** Values that a path finds, or why it could not be applied. */
export type Found = { readonly values: readonly unknown[] } | { readonly reason: string };

const VALUES_MAX = 20;
const DESCENTS_MAX = 2;
const DEPTH_MAX = 100;

/**
 * The first values that an RFC 9535 path finds. Paths come from users: regular expressions are not
 * run, and a path with more than two `..`, or with a second `$` in a filter, is refused, because it
 * multiplies the work on a large answer by itself.
 */
export function findByPath(json: unknown, path: string): Found {
  const bare = path.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "");
  const isCostly = bare.split("..").length - 1 > DESCENTS_MAX || bare.split("$").length > 2;
  if (isCostly) return { reason: "The path means too much work" };
  const environment = new JSONPathEnvironment({ strict: true, maxRecursionDepth: DEPTH_MAX });
  environment.functionRegister.delete("match");
  environment.functionRegister.delete("search");
  try {
    const values: unknown[] = [];
    if (!isJson(json)) return { values };
    for (const node of environment.lazyQuery(path, json)) {
      values.push(node.value);
      if (values.length === VALUES_MAX) break;
    }
    return { values };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Whatever `JSON.parse` gave back is JSON; this says so to the compiler. */
function isJson(value: unknown): value is JSONValue {
  return value !== undefined;
}
