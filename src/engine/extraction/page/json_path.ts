/**
 * JSON paths of RFC 9535 with limits: paths come from users, so regular expressions are not run, and a
 * path that means work without end on a large answer is refused.
 */

import { TooComplex } from "../../../base/failure.ts";
import { codePoints } from "../../../base/text.ts";
import { isJsonObject } from "./extraction_page.ts";
import { jsonpath, JSONPathEnvironment, type JSONPathQuery, TokenKind } from "json-p3";

const { expressions, selectors } = jsonpath;

const DESCENTS_MAX = 2;
const SEGMENTS_MAX = 30;
const SELECTORS_MAX = 50;
const WAYS_MAX = 64;
const FILTERS_DEEP_MAX = 2;
const EXPRESSION_DEPTH_MAX = 20;

export function isDescent(segment: jsonpath.JSONPathSegment): boolean {
  return segment.token.kind === TokenKind.DDOT;
}

/** The limit that a path goes beyond, as a sentence; null when it keeps them all. */
export function excessOf(query: JSONPathQuery): string | null {
  const count = new PathCount();
  count.addQuery(query, { filters: 0, isBehindDescent: false });
  return count.excess();
}

interface Place {
  readonly filters: number;
  /** True in a filter that is tried on all that a descent finds. */
  readonly isBehindDescent: boolean;
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
    return first ? `Must not hold ${first[1]}` : null;
  }

  addQuery(query: JSONPathQuery, { filters, isBehindDescent }: Place): void {
    let isBehind = isBehindDescent;
    for (const segment of query.segments) {
      this.#segments += 1;
      this.#selectors += segment.selectors.length;
      this.#ways *= Math.max(1, segment.selectors.length);
      if (isDescent(segment)) {
        this.#descents += 1;
        this.#descendsAgain ||= filters > 0 && isBehind;
        isBehind = true;
      }
      for (const selector of segment.selectors) {
        if (!(selector instanceof selectors.FilterSelector)) continue;
        this.#filters = Math.max(this.#filters, filters + 1);
        const place = { filters: filters + 1, isBehindDescent: isBehind };
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

type Segments = readonly jsonpath.JSONPathSegment[];
type Expression = jsonpath.expressions.FilterExpression;
/** Takes a value that was found; false when it wants no more. */
type Take = (value: unknown) => boolean;

/** No answer of a shop nests deeper; it also bounds the recursion. */
const DEPTH_MAX = 100;
/** Nothing in RFC 9535: the value of a query that finds none. */
const NOTHING = Symbol("nothing");

/** Applies parsed paths of RFC 9535 to one JSON value, one match after the other. */
export class JsonPathWalk {
  readonly #root: unknown;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** Hands over what the segments find below a value, in the order of RFC 9535; false when stopped. */
  find(segments: Segments, value: unknown, take: Take): boolean {
    return this.#findFrom(segments, 0, value, take);
  }

  #findFrom(segments: Segments, at: number, value: unknown, take: Take): boolean {
    const segment = segments[at];
    if (segment === undefined) return take(value);
    const next: Take = (child) => this.#findFrom(segments, at + 1, child, take);
    return isDescent(segment)
      ? this.#descend(segment, value, next, 0)
      : this.#select(segment, value, next);
  }

  #descend(segment: jsonpath.JSONPathSegment, value: unknown, next: Take, depth: number): boolean {
    if (depth > DEPTH_MAX) throw tooDeep();
    return this.#select(segment, value, next) &&
      this.#children(value, (child) => this.#descend(segment, child, next, depth + 1));
  }

  #select(segment: jsonpath.JSONPathSegment, value: unknown, next: Take): boolean {
    return segment.selectors.every((selector) => this.#apply(selector, value, next));
  }

  #apply(selector: jsonpath.JSONPathSelector, value: unknown, next: Take): boolean {
    if (selector instanceof selectors.NameSelector) {
      return !isJsonObject(value) || !Object.hasOwn(value, selector.name) ||
        next(value[selector.name]);
    }
    if (selector instanceof selectors.IndexSelector) {
      if (!Array.isArray(value)) return true;
      const index = selector.index < 0 ? value.length + selector.index : selector.index;
      return index < 0 || index >= value.length || next(value[index]);
    }
    if (selector instanceof selectors.WildcardSelector) return this.#children(value, next);
    if (selector instanceof selectors.SliceSelector) return this.#slice(selector, value, next);
    if (selector instanceof selectors.FilterSelector) {
      return this.#children(
        value,
        (child) => !this.#holds(selector.expression, child) || next(child),
      );
    }
    throw new TypeError("A selector of no standard path");
  }

  #children(value: unknown, next: Take): boolean {
    if (Array.isArray(value)) {
      return value.every((child) => next(child));
    }
    return !isJsonObject(value) || Object.values(value).every((child) => next(child));
  }

  /** Bounds of RFC 9535, 2.3.4.2.2. */
  #slice(
    { start, stop, step = 1 }: jsonpath.selectors.SliceSelector,
    value: unknown,
    next: Take,
  ): boolean {
    if (!Array.isArray(value) || step === 0) return true;
    const { length } = value;
    const within = (index: number, low: number, high: number) =>
      Math.min(Math.max(index < 0 ? length + index : index, low), high);
    const isForward = step > 0;
    const from = isForward
      ? within(start ?? 0, 0, length)
      : within(start ?? length - 1, -1, length - 1);
    const to = isForward
      ? within(stop ?? length, 0, length)
      : stop === undefined
      ? -1
      : within(stop, -1, length - 1);
    for (let at = from; isForward ? at < to : at > to; at += step) {
      if (!next(value[at])) return false;
    }
    return true;
  }

  #holds(expression: Expression, current: unknown): boolean {
    if (expression instanceof expressions.LogicalExpression) {
      return this.#holds(expression.expression, current);
    }
    if (expression instanceof expressions.PrefixExpression) {
      return !this.#holds(expression.right, current);
    }
    if (expression instanceof expressions.FilterQuery) {
      return !this.#findIn(expression, current, () => false);
    }
    if (!(expression instanceof expressions.InfixExpression)) {
      throw new TypeError("A condition of no standard path");
    }
    const { left, operator, right } = expression;
    if (operator === "&&") return this.#holds(left, current) && this.#holds(right, current);
    if (operator === "||") return this.#holds(left, current) || this.#holds(right, current);
    return this.#compare(this.#valueOf(left, current), operator, this.#valueOf(right, current));
  }

  #findIn(query: jsonpath.expressions.FilterQuery, current: unknown, take: Take): boolean {
    const from = query instanceof expressions.RootQuery ? this.#root : current;
    return this.find(query.path.segments, from, take);
  }

  /** The only value that is found, else Nothing. */
  #only(query: Expression | undefined, current: unknown): unknown {
    const found: unknown[] = [];
    if (query instanceof expressions.FilterQuery) {
      this.#findIn(query, current, (value) => found.push(value) < 2);
    }
    return found.length === 1 ? found[0] : NOTHING;
  }

  #valueOf(expression: Expression | undefined, current: unknown): unknown {
    if (expression instanceof expressions.NullLiteral) return null;
    if (
      expression instanceof expressions.StringLiteral ||
      expression instanceof expressions.NumberLiteral ||
      expression instanceof expressions.BooleanLiteral
    ) return expression.value;
    if (!(expression instanceof expressions.FunctionExtension)) {
      return this.#only(expression, current);
    }
    const [argument] = expression.args;
    if (expression.name === "value") return this.#only(argument, current);
    if (expression.name === "length") return this.#lengthOf(this.#valueOf(argument, current));
    if (expression.name === "count" && argument instanceof expressions.FilterQuery) {
      let count = 0;
      this.#findIn(argument, current, () => {
        count += 1;
        return true;
      });
      return count;
    }
    throw new TypeError("A function of no standard path");
  }

  #lengthOf(value: unknown): unknown {
    if (Array.isArray(value)) return value.length;
    if (typeof value === "string") return codePoints(value);
    return isJsonObject(value) ? Object.keys(value).length : NOTHING;
  }

  #compare(left: unknown, operator: string, right: unknown): boolean {
    switch (operator) {
      case "==":
        return this.#areEqual(left, right, 0);
      case "!=":
        return !this.#areEqual(left, right, 0);
      case "<":
        return this.#isLess(left, right);
      case ">":
        return this.#isLess(right, left);
      case "<=":
        return this.#isLess(left, right) || this.#areEqual(left, right, 0);
      case ">=":
        return this.#isLess(right, left) || this.#areEqual(left, right, 0);
      default:
        throw new TypeError("A comparison of no standard path");
    }
  }

  #isLess(left: unknown, right: unknown): boolean {
    if (typeof left === "string" && typeof right === "string") return left < right;
    return typeof left === "number" && typeof right === "number" && left < right;
  }

  #areEqual(left: unknown, right: unknown, depth: number): boolean {
    if (depth > DEPTH_MAX) throw tooDeep();
    if (left === right) return true;
    if (Array.isArray(left) && Array.isArray(right)) {
      return left.length === right.length &&
        left.every((value, at) => this.#areEqual(value, right[at], depth + 1));
    }
    if (!isJsonObject(left) || !isJsonObject(right)) return false;
    const keys = Object.keys(left);
    const others = Object.keys(right);
    return keys.length === others.length &&
      keys.every((key) =>
        Object.hasOwn(right, key) && this.#areEqual(left[key], right[key], depth + 1)
      );
  }
}

function tooDeep(): TooComplex {
  return new TooComplex(`The answer nests deeper than ${DEPTH_MAX} levels`);
}

const VALUES_MAX = 20;
const CHARACTERS_MAX = 500;

/**
 * The reason why a text is no usable RFC 9535 path, or null. Paths come from users: regular
 * expressions are not run, and a path that means endless work on a large answer is refused with the
 * limit that it exceeds.
 */
export function jsonPathError(path: string): string | null {
  const read = readPath(path);
  return "query" in read ? null : read.misfit;
}

/**
 * The first values that a path finds; none for what is no path. Throws `TooComplex` when the path goes
 * beyond a limit of today: it may have been stored before there was one.
 */
export function findByPath(json: unknown, path: string): unknown[] {
  const read = readPath(path);
  if ("misfit" in read) {
    if (read.isExcess) throw new TooComplex(`The JSON path is too complex: ${read.misfit}`);
    return [];
  }
  const values: unknown[] = [];
  if (json === undefined) return values;
  new JsonPathWalk(json).find(read.query.segments, json, (value) => {
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
