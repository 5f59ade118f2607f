/**
 * CSS selectors and JSON paths (RFC 9535), with which users point at a price. A selector or path
 * that can take endless time is refused when a user saves it. An accepted one may still be slow on
 * some pages, so callers must limit the time.
 */
import { compile, type Options, selectAll } from "css-select";
import { isTraversal, parse, type Selector } from "css-what";
import { jsonpath, JSONPathEnvironment, type JSONPathQuery, TokenKind } from "json-p3";
import { TooComplex } from "../../../base/failure.ts";
import { codePoints, hasControlCharacters } from "../../../base/text.ts";
import { type HtmlElement, type HtmlNode, textOf } from "./html_element.ts";
import type { HtmlPage } from "./html_page.ts";

const CHARACTERS_MAX = 500;

interface Refusal {
  readonly error: string;
  /** True for a valid selector or path that is too complex. */
  readonly isExcess: boolean;
}

const TOO_LONG: Refusal = {
  error: `Must have at most ${CHARACTERS_MAX} characters`,
  isExcess: true,
};

function invalid(kind: string, error: unknown): Refusal {
  const why = error instanceof Error ? error.message : error;
  return { error: `Is not a ${kind}: ${why}`, isExcess: false };
}

/** Null if no count exceeds its maximum. The texts name what exceeds it. */
function excessOf(counts: readonly (readonly [number, number, string])[]): Refusal | null {
  const first = counts.find(([count, most]) => count > most);
  return first ? { error: `Must not contain ${first[2]}`, isExcess: true } : null;
}

function checkSelector(selector: string): Refusal | null {
  if (selector.length > CHARACTERS_MAX) return TOO_LONG;
  if (hasControlCharacters(selector)) {
    return { error: "Must not contain control characters", isExcess: false };
  }
  try {
    return excessOfSelector(parse(selector));
  } catch (error) {
    return invalid("CSS selector", error);
  }
}

function excessOfSelector(selector: readonly (readonly Selector[])[]): Refusal | null {
  const count = { alternatives: 0, parts: 0, combinators: 0, nesting: 0, has: 0 };
  const add = (lists: readonly (readonly Selector[])[], nesting: number, has: number): void => {
    count.nesting = Math.max(count.nesting, nesting);
    count.has = Math.max(count.has, has);
    count.alternatives += lists.length - (nesting === 0 ? 0 : 1);
    for (const part of lists.flat()) {
      count.parts += 1;
      if (isTraversal(part)) count.combinators += 1;
      if (part.type !== "pseudo" || part.data === null) continue;
      if (typeof part.data !== "string") {
        add(part.data, nesting + 1, part.name === "has" ? has + 1 : has);
        continue;
      }
      const of = part.name.startsWith("nth-") ? part.data.search(/\sof\s/i) : -1;
      if (of !== -1) add(parse(part.data.slice(of + 4)), nesting + 1, has);
    }
  };
  add(selector, 0, 0);
  return excessOf([
    [count.has, 1, ":has() within :has()"],
    [count.alternatives, 20, "more than 20 alternatives"],
    [count.parts, 100, "more than 100 parts"],
    [count.combinators, 40, "more than 40 combinators"],
    [count.nesting, 3, "selectors nested deeper than 3 levels"],
  ]);
}

/** Null for a usable selector. `:has()` within `:has()` is refused as in CSS (Selectors 4). */
export function selectorError(selector: string): string | null {
  const found = checkSelector(selector);
  if (found !== null) return found.error;
  try {
    compile(selector);
    return null;
  } catch (error) {
    return invalid("CSS selector", error).error;
  }
}

/**
 * In page order. Empty for an invalid selector. Throws `TooComplex` if the selector exceeds a
 * limit, because stored selectors may be older than the limit.
 */
export function selectElements({ document }: HtmlPage, selector: string): readonly HtmlElement[] {
  const found = checkSelector(selector);
  if (found?.isExcess) throw new TooComplex(`The selector is too complex: ${found.error}`);
  if (found !== null) return [];
  try {
    return selectAll<HtmlNode, HtmlElement>(selector, document, { adapter: ADAPTER });
  } catch {
    return []; // Such as an unknown pseudo-class.
  }
}

const ADAPTER: NonNullable<Options<HtmlNode, HtmlElement>["adapter"]> = {
  isTag: (node): node is HtmlElement => typeof node !== "string" && node.parent !== null,
  getAttributeValue: ({ attribs }, name) =>
    Object.hasOwn(attribs, name) ? attribs[name] : undefined,
  hasAttrib: ({ attribs }, name) => Object.hasOwn(attribs, name),
  getChildren: (node) => typeof node === "string" ? [] : node.children,
  getName: ({ name }) => name,
  getParent: ({ parent }) => parent,
  getSiblings: (node) => typeof node === "string" ? [] : node.parent?.children ?? [],
  getText: (node) => typeof node === "string" ? node : textOf(node, 10_000),
  removeSubsets: (nodes) => nodes,
};

const { expressions, functions, selectors } = jsonpath;

type Expression = jsonpath.expressions.FilterExpression;

/** Real answers of shops nest less deeply. */
const DEPTH_MAX = 102;

function excessOfPath(path: JSONPathQuery): Refusal | null {
  const count = { descents: 0, segments: 0, selectors: 0, ways: 1, filters: 0, depth: 0 };
  let [descendsAgain, startsAgain] = [0, 0];
  /** `isAfter` is true after a descent (`..`), which tests a filter on many values. */
  const addQuery = (query: JSONPathQuery, filters: number, isAfter: boolean): void => {
    for (const segment of query.segments) {
      count.segments += 1;
      count.selectors += segment.selectors.length;
      count.ways *= Math.max(1, segment.selectors.length);
      if (segment.token.kind === TokenKind.DDOT) {
        count.descents += 1;
        if (filters > 0 && isAfter) descendsAgain += 1;
        isAfter = true;
      }
      for (const selector of segment.selectors) {
        if (!(selector instanceof selectors.FilterSelector)) continue;
        count.filters = Math.max(count.filters, filters + 1);
        addExpression(selector.expression, filters + 1, isAfter, 0);
      }
    }
  };
  const addExpression = (
    expression: Expression,
    filters: number,
    isAfter: boolean,
    depth: number,
  ): void => {
    count.depth = Math.max(count.depth, depth);
    if (expression instanceof expressions.RootQuery) startsAgain += 1;
    if (expression instanceof expressions.FilterQuery) addQuery(expression.path, filters, isAfter);
    for (const part of partsOf(expression)) addExpression(part, filters, isAfter, depth + 1);
  };
  addQuery(path, 0, false);
  return excessOf([
    [count.descents, 2, '".." more than 2 times'],
    [descendsAgain, 0, '".." in a filter behind another ".."'],
    [startsAgain, 0, 'a second "$"'],
    [count.segments, 30, "more than 30 segments"],
    [count.selectors, 50, "more than 50 selectors"],
    [count.ways, 64, "lists in brackets that combine to more than 64 ways"],
    [count.filters, 2, "more than 2 filters in each other"],
    [count.depth, 20, "a condition nested beyond 20"],
  ]);
}

function partsOf(expression: Expression): readonly Expression[] {
  if (expression instanceof expressions.LogicalExpression) return [expression.expression];
  if (expression instanceof expressions.PrefixExpression) return [expression.right];
  if (expression instanceof expressions.InfixExpression) return [expression.left, expression.right];
  return expression instanceof expressions.FunctionExtension ? expression.args : [];
}

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

function readPath(path: string): { readonly query: JSONPathQuery } | Refusal {
  if (path.length > CHARACTERS_MAX) return TOO_LONG;
  try {
    const query = pathEnvironment().compile(path);
    return excessOfPath(query) ?? { query };
  } catch (error) {
    return invalid("JSON path (RFC 9535)", error);
  }
}

/** RFC 9535 counts Unicode characters, but the library counts UTF-16 units. */
class LengthInCharacters extends functions.Length {
  override call(value: Json) {
    return typeof value === "string" ? codePoints(value) : super.call(value);
  }
}

/** Functions with regular expressions are not available. */
function pathEnvironment(): JSONPathEnvironment {
  const environment = new JSONPathEnvironment({ strict: true, maxRecursionDepth: DEPTH_MAX });
  environment.functionRegister.set("length", new LengthInCharacters());
  environment.functionRegister.delete("match");
  environment.functionRegister.delete("search");
  return environment;
}
