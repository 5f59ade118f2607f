import { JSONPathEnvironment, type JSONValue } from "json-p3";

/** Values that a path finds, or why it could not be applied. */
export type Found = { readonly values: readonly unknown[] } | { readonly reason: string };

const VALUES_MAX = 20;
const DESCENTS_MAX = 2;
const DEPTH_MAX = 100;

/**
 * What is wrong with an RFC 9535 path, or null. Paths come from users: regular expressions are not
 * run, and a path with more than two `..`, or with a second `$` in a filter, is refused, because it
 * multiplies the work on a large answer by itself.
 */
export function misfitOfJsonPath(path: string): string | null {
  const bare = path.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "");
  if (bare.split("..").length - 1 > DESCENTS_MAX) {
    return `Must not hold ".." more than ${DESCENTS_MAX} times`;
  }
  if (bare.split("$").length > 2) return 'Must not hold a second "$"';
  try {
    pathEnvironment().compile(path);
    return null;
  } catch (error) {
    return `Is no JSON path of RFC 9535: ${error instanceof Error ? error.message : error}`;
  }
}

/** The first values that a path finds. */
export function findByPath(json: unknown, path: string): Found {
  const reason = misfitOfJsonPath(path);
  if (reason !== null) return { reason };
  try {
    const values: unknown[] = [];
    if (!isJson(json)) return { values };
    for (const node of pathEnvironment().lazyQuery(path, json)) {
      values.push(node.value);
      if (values.length === VALUES_MAX) break;
    }
    return { values };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

function pathEnvironment(): JSONPathEnvironment {
  const environment = new JSONPathEnvironment({ strict: true, maxRecursionDepth: DEPTH_MAX });
  environment.functionRegister.delete("match");
  environment.functionRegister.delete("search");
  return environment;
}

/** Whatever `JSON.parse` gave back is JSON; this says so to the compiler. */
function isJson(value: unknown): value is JSONValue {
  return value !== undefined;
}
