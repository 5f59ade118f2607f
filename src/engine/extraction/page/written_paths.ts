/**
 * CSS selectors and JSON paths (RFC 9535) by which users say where a page shows the price or the
 * stock. A selector or path may take very long on some pages, so callers must limit the time.
 */
import { compile, type Options, selectAll } from "css-select";
import { jsonpath, JSONPathEnvironment, type JSONPathQuery } from "json-p3";
import { TooComplex } from "../../../base/failure.ts";
import { codePoints } from "../../../base/text.ts";
import { type HtmlElement, type HtmlNode, textOf } from "./html_element.ts";
import type { HtmlPage } from "./html_page.ts";

export function selectorError(selector: string): string | null {
  try {
    compile(selector);
    return null;
  } catch (error) {
    return invalid("CSS selector", error);
  }
}

function invalid(kind: string, error: unknown): string {
  return `Is not a ${kind}: ${error instanceof Error ? error.message : error}`;
}

export function selectElements({ document }: HtmlPage, selector: string): readonly HtmlElement[] {
  try {
    return selectAll<HtmlNode, HtmlElement>(selector, document, { adapter: ADAPTER });
  } catch {
    return []; // The selector is invalid, for example because of an unknown pseudo-class.
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

const DEPTH_MAX = 102;

export function jsonPathError(path: string): string | null {
  const query = compiled(path);
  return typeof query === "string" ? query : null;
}

/** Throws `TooComplex` if the JSON is nested too deeply. */
export function findByPath(json: unknown, path: string): unknown[] {
  const query = compiled(path);
  if (typeof query === "string" || !isJson(json)) return [];
  try {
    const nodes = Iterator.from(query.lazyQuery(json)).take(20);
    return nodes.map(({ value }) => value).toArray();
  } catch (error) {
    throw new TooComplex("The answer is nested too deeply, or is too long", { cause: error });
  }
}

type Json = Parameters<JSONPathQuery["lazyQuery"]>[0];

function isJson(value: unknown): value is Json {
  return value !== undefined;
}

function compiled(path: string): JSONPathQuery | string {
  try {
    return pathEnvironment().compile(path);
  } catch (error) {
    return invalid("JSON path (RFC 9535)", error);
  }
}

/** RFC 9535 counts Unicode characters, but the library counts UTF-16 units. */
class LengthInCharacters extends jsonpath.functions.Length {
  override call(value: Json) {
    return typeof value === "string" ? codePoints(value) : super.call(value);
  }
}

/**
 * The functions `match` and `search` are removed, because hostile regular expressions may be slow.
 */
function pathEnvironment(): JSONPathEnvironment {
  const environment = new JSONPathEnvironment({ strict: true, maxRecursionDepth: DEPTH_MAX });
  environment.functionRegister.set("length", new LengthInCharacters());
  environment.functionRegister.delete("match");
  environment.functionRegister.delete("search");
  return environment;
}

export type ExtractorPrograms = Readonly<
  Record<"priceSelector" | "stockSelector" | "jsonPath", string | null>
>;

export interface ExtractorError {
  readonly part: keyof ExtractorPrograms;
  readonly message: string;
}

export function extractorErrors(extractor: ExtractorPrograms): ExtractorError[] {
  const checks = {
    priceSelector: selectorError,
    stockSelector: selectorError,
    jsonPath: jsonPathError,
  } as const;
  return (["priceSelector", "stockSelector", "jsonPath"] as const).flatMap((part) => {
    const text = extractor[part];
    const message = text === null ? null : checks[part](text);
    return message === null ? [] : [{ part, message }];
  });
}
