/** Reads the schema.org entities of a page from microdata, RDFa Lite and JSON-LD. */
import type { Candidate } from "../amount.ts";
import {
  cut,
  Entity,
  localName,
  localNames,
  OFFER_TYPES,
  OFFERS,
  PRODUCT_TYPES,
  READ_PROPERTIES,
  type RootEntity,
  type Value,
  valueOfElement,
  WORDS_OF_SCHEMA,
  wordsOfAttribute,
} from "./entity.ts";
import { candidatesOfEntities } from "./entity_candidates.ts";
import { type ExtractionPage, parsedJson } from "../page/extraction_page.ts";
import { type HtmlElement, rawTextOf } from "../page/html_element.ts";
import { type MarkedElement, opensItem } from "../page/html_page.ts";
import { isJsonObject, type JsonObject } from "../../../base/collections.ts";

export function microdataCandidates({ html, writing }: ExtractionPage): Candidate[] {
  return html ? candidatesOfEntities(rootsOf(html.microdata, MICRODATA), writing) : [];
}

export function rdfaCandidates({ html, writing }: ExtractionPage): Candidate[] {
  return html ? candidatesOfEntities(rootsOf(html.rdfa, RDFA), writing) : [];
}

/** How a markup format, such as microdata, marks items and names their types and properties. */
interface Marking {
  readonly opens: (element: HtmlElement) => boolean;
  readonly types: string;
  readonly namesOf: (element: HtmlElement) => string[];
}

const MICRODATA: Marking = {
  opens: opensItem,
  types: "itemtype",
  namesOf: ({ attribs }) => localNames(attribs.itemprop),
};

const RDFA: Marking = {
  opens: ({ attribs }) => attribs.typeof !== undefined,
  types: "typeof",
  namesOf: ({ attribs }) => wordsOfAttribute(attribs.property).flatMap(propertyName),
};

function rootsOf(marked: readonly MarkedElement[], { opens, types, namesOf }: Marking) {
  const items = new Map(
    marked.filter(({ element }) => opens(element))
      .map(({ element }) => [element, new Entity(localNames(element.attribs[types]))]),
  );
  const inside = new Set<HtmlElement>();
  return marked.flatMap(({ element, owner }) => {
    const [entity, outer] = [items.get(element), owner ? items.get(owner) : undefined];
    if (owner && outer && (inside.has(owner) || outer.is(PRODUCT_TYPES))) inside.add(element);
    const names = namesOf(element);
    if (outer && names.length > 0) {
      for (const name of names) {
        if (entity) outer.add(name, entity);
        else if (READ_PROPERTIES.has(name) && !outer.isFull(name)) {
          outer.add(name, valueOfElement(element, name));
        }
      }
      return [];
    }
    if (!entity) return [];
    // An offer inside a product's element belongs to it even without `itemprop` or `property`.
    if (outer?.is(PRODUCT_TYPES) && entity.is(OFFER_TYPES)) {
      outer.add(OFFERS[0], entity);
      return [];
    }
    return [{ entity, as: names, isInsideProduct: inside.has(element) }];
  });
}

function propertyName(property: string): string[] {
  const isForeign = property.includes("//")
    ? !/^https?:\/\/(?:www\.)?schema\.org\//i.test(property)
    : property.includes(":") && !/^(?:schema|s|sdo):[^:]*$/i.test(property);
  return isForeign ? [] : [localName(property)];
}

/**
 * If the text is not valid JSON, repairs common mistakes such as comments, trailing commas and
 * wrong escapes before parsing.
 */
function parseJsonLd(text: string): unknown {
  const json = parsedJson(text);
  if (json !== undefined) return json;
  const quoted = text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  const bare = repaired(text.includes('"') ? text : quoted);
  return parsedJson(bare) ?? parsedJson(`[${bare}]`);
}

const MARK = String.raw`<!--|-->|<!\[CDATA\[|\]\]>`;
const STRING = String.raw`"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)`;
const NO_VALUE = String.raw`\b(?:NaN|Infinity|undefined)\b`;
const COMMENT = String.raw`/\*[^]*?(?:\*/|($))`;
/** In `// <![CDATA[ {`, matches only `//`, because JSON may follow on the same line. */
const LINE_COMMENT = String.raw`//(?:\s*(?=${MARK})|[^\n]*)`;
const STRAY_SIGN = String.raw`;|,(?=\s*[\]}])`;
const STRING_OR_MISTAKE = new RegExp(
  `(${STRING})|(${NO_VALUE})|${COMMENT}|${LINE_COMMENT}|${MARK}|${STRAY_SIGN}`,
  "g",
);

function repaired(text: string): string {
  return text.replace(
    STRING_OR_MISTAKE,
    (token: string, string?: string, noValue?: string, unclosedAt?: string) => {
      if (string !== undefined) return repairedString(string);
      if (noValue !== undefined) return "null";
      return unclosedAt === undefined ? "" : token;
    },
  );
}

function repairedString(token: string): string {
  return token
    // deno-lint-ignore no-control-regex -- JSON forbids exactly these characters
    .replace(/[\u0000-\u001f]/g, " ")
    .replace(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|([^]))/g, (all, wrong) => wrong ?? all);
}

const DEPTH_MAX = 64;
const WRAPPERS = ["@value", "@list", "@set"] as const;

export function jsonLdCandidates(page: ExtractionPage): Candidate[] {
  const blocks = page.html?.jsonLd.map((script) => parseJsonLd(rawTextOf(script))) ?? [page.json];
  return candidatesOfEntities(new JsonLdGraph(blocks).roots(), page.writing);
}

class JsonLdGraph {
  readonly #blocks: readonly unknown[];
  readonly #drafts = new Map<object, Entity>();
  readonly #byId = new Map<string, { readonly node: JsonObject; readonly size: number }>();

  constructor(blocks: readonly unknown[]) {
    this.#blocks = blocks;
    for (const block of blocks) this.#index(block, 0);
  }

  roots(): RootEntity[] {
    const nodes: JsonObject[] = [];
    for (const block of this.#blocks) this.#gatherNodes(block, 0, nodes);
    return nodes.map((node) => {
      return { entity: this.#entityOf(node, 0), as: [], isInsideProduct: false };
    });
  }

  #index(json: unknown, depth: number): void {
    if (depth > DEPTH_MAX || typeof json !== "object" || json === null) return;
    const values = Object.values(json);
    if (isJsonObject(json)) {
      const id = json["@id"];
      const size = values.length;
      if (typeof id === "string" && size > (this.#byId.get(id)?.size ?? 1)) {
        this.#byId.set(id, { node: json, size });
      }
    }
    for (const value of values) this.#index(value, depth + 1);
  }

  #gatherNodes(json: unknown, depth: number, nodes: JsonObject[]): void {
    if (depth > DEPTH_MAX) return;
    if (Array.isArray(json)) {
      for (const item of json) this.#gatherNodes(item, depth + 1, nodes);
    } else if (isJsonObject(json)) {
      if (!("@graph" in json) || "@type" in json) nodes.push(json);
      if ("@graph" in json) this.#gatherNodes(json["@graph"], depth + 1, nodes);
    }
  }

  #entityOf(node: JsonObject, depth: number): Entity {
    const known = this.#drafts.get(node);
    if (known) return known;
    const types = [node["@type"]].flat().filter((type) => typeof type === "string");
    const draft = new Entity(types.map(localName));
    this.#drafts.set(node, draft);
    for (const [key, json] of Object.entries(node)) {
      const name = key === "@id" ? key : localName(key);
      if (key.startsWith("@") && key !== "@id") continue;
      this.#addValues(draft, name, json, depth + 1);
    }
    return draft;
  }

  #addValues(draft: Entity, name: string, json: unknown, depth: number): void {
    if (depth > DEPTH_MAX || json === null) return;
    if (Array.isArray(json)) {
      for (const item of json) this.#addValues(draft, name, item, depth + 1);
    } else if (isJsonObject(json)) {
      const wrapper = WRAPPERS.find((key) => key in json);
      if (wrapper !== undefined) this.#addValues(draft, name, json[wrapper], depth + 1);
      else draft.add(name, ...this.#valuesOf(json, name, depth));
    } else draft.add(name, ...textValues(json, name));
  }

  #valuesOf(node: JsonObject, name: string, depth: number): readonly Value[] {
    const id = node["@id"];
    if (typeof id === "string" && WORDS_OF_SCHEMA.has(name)) return textValues(id, name);
    if (typeof id !== "string" || !isReference(node)) return [this.#entityOf(node, depth)];
    const known = this.#byId.get(id);
    if (known) return [this.#entityOf(known.node, depth)];
    return Object.keys(node).length === 1 ? textValues(id, name) : [this.#entityOf(node, depth)];
  }
}

function textValues(json: unknown, name: string): Value[] {
  if (!READ_PROPERTIES.has(name)) return [];
  if (typeof json === "number") return [{ text: String(json), kind: "number", shown: null }];
  if (typeof json !== "string" && typeof json !== "boolean") return [];
  return [{ text: cut(String(json)), kind: "machine", shown: null }];
}

function isReference(node: JsonObject): boolean {
  for (const key in node) if (key !== "@id" && key !== "@type") return false;
  return true;
}
