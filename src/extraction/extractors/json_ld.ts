import type { Candidate } from "../candidate.ts";
import type { ExtractionPage } from "../extraction_page.ts";
import {
  addValue,
  draftEntity,
  type EntityDraft,
  localName,
  type RootEntity,
  type Value,
} from "../markup/entity.ts";
import { candidatesOfEntities } from "../markup/entity_candidates.ts";
import { parseJsonLd } from "../markup/json_ld_text.ts";
import { READ_PROPERTIES, WORDS_OF_SCHEMA } from "../markup/product_terms.ts";
import { rawTextOf } from "../page/html_text.ts";

const DEPTH_MAX = 64;
const TEXT_CHARACTERS_MAX = 500;

/** JSON-LD: blocks of a page, which may refer to one another, or a whole JSON answer. */
export function jsonLdCandidates(page: ExtractionPage): Candidate[] {
  const blocks = page.html?.jsonLd.map((script) => parseJsonLd(rawTextOf(script))) ?? [page.json];
  return candidatesOfEntities(new JsonLdGraph(blocks).roots(), page.writing);
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The nodes of all blocks of a page. */
class JsonLdGraph {
  readonly #blocks: readonly unknown[];
  readonly #drafts = new Map<object, EntityDraft>();
  readonly #byId = new Map<string, JsonObject>();

  constructor(blocks: readonly unknown[]) {
    this.#blocks = blocks;
    for (const block of blocks) this.#index(block, 0);
  }

  roots(): RootEntity[] {
    return this.#blocks.flatMap((block) => topNodes(block, 0)).map((node) => ({
      entity: this.#entityOf(node, 0),
      as: [],
      isInsideProduct: false,
    }));
  }

  /** Notes the node that says most about each `@id`. */
  #index(json: unknown, depth: number): void {
    if (depth > DEPTH_MAX || typeof json !== "object" || json === null) return;
    if (isObject(json)) {
      const id = json["@id"];
      const known = typeof id === "string" ? this.#byId.get(id) : undefined;
      if (typeof id === "string" && sizeOf(json) > Math.max(1, known ? sizeOf(known) : 0)) {
        this.#byId.set(id, json);
      }
    }
    for (const value of Object.values(json)) this.#index(value, depth + 1);
  }

  #entityOf(node: JsonObject, depth: number): EntityDraft {
    const known = this.#drafts.get(node);
    if (known) return known;
    const draft = draftEntity(
      listOf(node["@type"]).flatMap((type) => typeof type === "string" ? [localName(type)] : []),
    );
    this.#drafts.set(node, draft);
    for (const [key, json] of Object.entries(node)) {
      const name = key === "@id" ? key : localName(key);
      if (key.startsWith("@") && key !== "@id") continue;
      for (const value of this.#valuesOf(json, name, depth + 1)) addValue(draft, name, value);
    }
    return draft;
  }

  #valuesOf(json: unknown, name: string, depth: number): Value[] {
    if (depth > DEPTH_MAX || json === null) return [];
    if (Array.isArray(json)) return json.flatMap((item) => this.#valuesOf(item, name, depth + 1));
    if (!isObject(json)) return textValues(json, name);
    for (const wrapper of ["@value", "@list", "@set"]) {
      if (wrapper in json) return this.#valuesOf(json[wrapper], name, depth + 1);
    }
    const id = json["@id"];
    if (typeof id === "string" && WORDS_OF_SCHEMA.has(name)) return textValues(id, name);
    if (typeof id !== "string" || !isReference(json)) return [this.#entityOf(json, depth)];
    const node = this.#byId.get(id);
    if (node) return [this.#entityOf(node, depth)];
    return sizeOf(json) === 1 ? textValues(id, name) : [this.#entityOf(json, depth)];
  }
}

function textValues(json: unknown, name: string): Value[] {
  if (!READ_PROPERTIES.has(name)) return [];
  if (typeof json === "number") return [{ text: String(json), kind: "number", shown: null }];
  if (typeof json !== "string" && typeof json !== "boolean") return [];
  return [{
    text: String(json).slice(0, TEXT_CHARACTERS_MAX).trim(),
    kind: "machine",
    shown: null,
  }];
}

/** The nodes of a block that stand in no other node. */
function topNodes(json: unknown, depth: number): JsonObject[] {
  if (depth > DEPTH_MAX) return [];
  if (Array.isArray(json)) return json.flatMap((item) => topNodes(item, depth + 1));
  if (!isObject(json)) return [];
  const inGraph = "@graph" in json ? topNodes(json["@graph"], depth + 1) : [];
  return "@graph" in json && !("@type" in json) ? inGraph : [json, ...inGraph];
}

/** A node that says nothing of itself but which one it is. */
function isReference(node: JsonObject): boolean {
  return Object.keys(node).every((key) => key === "@id" || key === "@type");
}

function sizeOf(node: JsonObject): number {
  return Object.keys(node).length;
}

function listOf(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : [json];
}

function isObject(json: unknown): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
