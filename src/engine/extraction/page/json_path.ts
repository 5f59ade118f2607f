import { JSONPathEnvironment, type JSONPathQuery } from "json-p3";
import { TooComplex } from "../../../base/too_complex.ts";
import type { WorkBudget } from "../work_budget.ts";
import { excessOf } from "./json_path_limits.ts";
import { JsonPathWalk } from "./json_path_walk.ts";

const VALUES_MAX = 20;
const CHARACTERS_MAX = 500;

/**
 * What is wrong with an RFC 9535 path, or null. Paths come from users: regular expressions are not
 * run, and a path that means work without end on a large answer is refused with the limit that it
 * goes beyond.
 */
export function misfitOfJsonPath(path: string): string | null {
  const read = readPath(path);
  return "query" in read ? null : read.misfit;
}

/**
 * The first values that a path finds; none for what is no path. Throws `TooComplex` when the page has
 * no work left for it, or when the path goes beyond a limit of today: it may have been stored before
 * there was one.
 */
export function findByPath(json: unknown, path: string, work: WorkBudget): unknown[] {
  const read = readPath(path);
  if ("misfit" in read) {
    if (read.isExcess) throw new TooComplex(`The JSON path is too complex: ${read.misfit}`);
    return [];
  }
  const values: unknown[] = [];
  if (json === undefined) return values;
  new JsonPathWalk(json, work).find(read.query.segments, json, (value) => {
    values.push(value);
    return values.length < VALUES_MAX;
  });
  return values;
}

type ReadPath =
  | { readonly query: JSONPathQuery }
  | { readonly misfit: string; readonly isExcess: boolean };

function readPath(path: string): ReadPath {
  if (path.length > CHARACTERS_MAX) {
    return { misfit: `Must not be longer than ${CHARACTERS_MAX} characters`, isExcess: true };
  }
  let query: JSONPathQuery;
  try {
    query = pathEnvironment().compile(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    return { misfit: `Is no JSON path of RFC 9535: ${why}`, isExcess: false };
  }
  const misfit = excessOf(query);
  return misfit === null ? { query } : { misfit, isExcess: true };
}

function pathEnvironment(): JSONPathEnvironment {
  const environment = new JSONPathEnvironment({ strict: true });
  environment.functionRegister.delete("match");
  environment.functionRegister.delete("search");
  return environment;
}
