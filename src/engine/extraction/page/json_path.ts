/**
 * JSON paths of RFC 9535, which users write. Functions with regular expressions are not available.
 * A path that can take endless time is refused when a user saves the path.
 */

import { TooComplex } from "../../../base/failure.ts";
import { codePoints } from "../../../base/text.ts";
import { jsonpath, JSONPathEnvironment, type JSONPathQuery, TokenKind } from "json-p3";

const { expressions, functions, selectors } = jsonpath;

const DESCENTS_MAX = 2;
const SEGMENTS_MAX = 30;
const SELECTORS_MAX = 50;
const WAYS_MAX = 64;
const FILTERS_DEEP_MAX = 2;
const EXPRESSION_DEPTH_MAX = 20;

function isDescent(segment: jsonpath.JSONPathSegment): boolean {
  return segment.token.kind === TokenKind.DDOT;
}

function excessOf(query: JSONPathQuery): string | null {
  const count = new PathCount();
  count.addQuery(query, { filters: 0, isAfterDescent: false });
  return count.excess();
}

interface Place {
  readonly filters: number;
  /** True for a filter after a descent (`..`), which tests the filter on many values. */
  readonly isAfterDescent: boolean;
}

class PathCount {
  #descents = 0;
  #segments = 0;
  #selectors = 0;
  #ways = 1;
  #filters = 0;
  #depth = 0;
  #descendsAgain = false;
  #startsAgain = false;

  excess(): string | null {
    const counted: [boolean, string][] = [
      [this.#descents > DESCENTS_MAX, `".." more than ${DESCENTS_MAX} times`],
      [this.#descendsAgain, '".." in a filter behind another ".."'],
      [this.#startsAgain, 'a second "$"'],
      [this.#segments > SEGMENTS_MAX, `more than ${SEGMENTS_MAX} segments`],
      [this.#selectors > SELECTORS_MAX, `more than ${SELECTORS_MAX} selectors`],
      [this.#ways > WAYS_MAX, `lists in brackets that combine to more than ${WAYS_MAX} ways`],
      [this.#filters > FILTERS_DEEP_MAX, `more than ${FILTERS_DEEP_MAX} filters in each other`],
      [this.#depth > EXPRESSION_DEPTH_MAX, `a condition nested beyond ${EXPRESSION_DEPTH_MAX}`],
    ];
    const first = counted.find(([isBeyond]) => isBeyond);
    return first ? `Must not contain ${first[1]}` : null;
  }

  addQuery(query: JSONPathQuery, { filters, isAfterDescent }: Place): void {
    let isAfter = isAfterDescent;
    for (const segment of query.segments) {
      this.#segments += 1;
      this.#selectors += segment.selectors.length;
      this.#ways *= Math.max(1, segment.selectors.length);
      if (isDescent(segment)) {
        this.#descents += 1;
        this.#descendsAgain ||= filters > 0 && isAfter;
        isAfter = true;
      }
      for (const selector of segment.selectors) {
        if (!(selector instanceof selectors.FilterSelector)) continue;
        this.#filters = Math.max(this.#filters, filters + 1);
        const place = { filters: filters + 1, isAfterDescent: isAfter };
        this.#addExpression(selector.expression, place, 0);
      }
    }
  }

  #addExpression(
    expression: jsonpath.expressions.FilterExpression,
    place: Place,
    depth: number,
  ): void {
    this.#depth = Math.max(this.#depth, depth);
    if (expression instanceof expressions.RootQuery) this.#startsAgain = true;
    if (expression instanceof expressions.FilterQuery) this.addQuery(expression.path, place);
    for (const part of partsOf(expression)) this.#addExpression(part, place, depth + 1);
  }
}

function partsOf(
  expression: jsonpath.expressions.FilterExpression,
): readonly jsonpath.expressions.FilterExpression[] {
  if (expression instanceof expressions.LogicalExpression) return [expression.expression];
  if (expression instanceof expressions.PrefixExpression) return [expression.right];
  if (expression instanceof expressions.InfixExpression) return [expression.left, expression.right];
  return expression instanceof expressions.FunctionExtension ? expression.args : [];
}

/** Real answers of shops nest less deeply. */
const DEPTH_MAX = 102;
const CHARACTERS_MAX = 500;

/** Null for a usable path. */
export function jsonPathError(path: string): string | null {
  const read = readPath(path);
  return "query" in read ? null : read.error;
}

/**
 * Returns the first 20 values. Empty for an invalid path. Throws `TooComplex` if the path exceeds a
 * limit, because stored paths may be older than the limit.
 */
export function findByPath(json: unknown, path: string): unknown[] {
  const read = readPath(path);
  if ("error" in read) {
    if (read.isExcess) throw new TooComplex(`The JSON path is too complex: ${read.error}`);
    return [];
  }
  if (!isJson(json)) return [];
  try {
    const nodes = Iterator.from(read.query.lazyQuery(json)).take(20);
    return nodes.map(({ value }) => value).toArray();
  } catch (error) {
    throw new TooComplex("The answer is nested too deeply, or is too long", { cause: error });
  }
}

type Json = Parameters<JSONPathQuery["lazyQuery"]>[0];

function isJson(value: unknown): value is Json {
  return value !== undefined;
}

type ReadPath =
  | { readonly query: JSONPathQuery }
  | { readonly error: string; readonly isExcess: boolean };

function readPath(path: string): ReadPath {
  if (path.length > CHARACTERS_MAX) {
    return { error: `Must have at most ${CHARACTERS_MAX} characters`, isExcess: true };
  }
  let query: JSONPathQuery;
  try {
    query = pathEnvironment().compile(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    return { error: `Is not a JSON path (RFC 9535): ${why}`, isExcess: false };
  }
  const error = excessOf(query);
  return error === null ? { query } : { error, isExcess: true };
}

/** RFC 9535 counts Unicode characters, but the library counts UTF-16 units. */
class LengthInCharacters extends functions.Length {
  override call(value: Json) {
    return typeof value === "string" ? codePoints(value) : super.call(value);
  }
}

function pathEnvironment(): JSONPathEnvironment {
  const environment = new JSONPathEnvironment({ strict: true, maxRecursionDepth: DEPTH_MAX });
  environment.functionRegister.set("length", new LengthInCharacters());
  environment.functionRegister.delete("match");
  environment.functionRegister.delete("search");
  return environment;
}
