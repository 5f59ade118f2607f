/**
 * Follows paths of a profile while an XML file is read. Every element that a path reaches calls the
 * functions of the path's rule. Only elements that a path can still reach are followed, so memory
 * does not grow with the file.
 */
import type { XmlSink } from "../../engine/xml/reader.ts";
import { comparedName, type PathRoute, type PathStep } from "../profiles/xml_profile.ts";

type Attributes = Readonly<Record<string, string>>;

type TakesValue = (text: string, line: number, name: string) => void;

/** Rules that share a function call it only once per element. */
export interface PathRule {
  readonly route: Pick<PathRoute, "from" | "steps" | "attribute">;
  readonly opens?: (line: number) => void;
  /** Receives the trimmed text of the element, or of the attribute that the route names. */
  readonly takes?: TakesValue;
  readonly closes?: () => void;
  /** The paths that begin at the element. Other paths end there. */
  readonly within?: PathNode;
}

/** How far an element matches a rule: the number of its first steps that lead to the element. */
interface Place {
  readonly rule: PathRule;
  readonly id: number;
  readonly passed: number;
}

type NodeChoice = (attributes: Attributes) => PathNode;

/** All elements that match the same paths equally far. */
export class PathNode {
  readonly opens: readonly NonNullable<PathRule["opens"]>[];
  readonly texts: readonly TakesValue[];
  readonly attributes: readonly { readonly name: string; readonly takes: TakesValue }[];
  readonly closes: readonly NonNullable<PathRule["closes"]>[];
  readonly within: PathNode | null;
  readonly isDead: boolean;
  readonly #places: readonly Place[];
  readonly #nodes: Map<string, PathNode>;
  readonly #children = new Map<string, PathNode | NodeChoice>();

  private constructor(places: readonly Place[], nodes: Map<string, PathNode>) {
    const reached = places.filter(({ rule, passed }) => passed === rule.route.steps.length)
      .map(({ rule }) => rule);
    const within = reached.find((rule) => rule.within)?.within ?? null;
    this.opens = distinct([...reached.map(({ opens }) => opens), ...within?.opens ?? []]);
    this.closes = distinct([...within?.closes ?? [], ...reached.map(({ closes }) => closes)]);
    const texts = reached.filter(({ route }) => route.attribute === null);
    this.texts = distinct([...texts.map(({ takes }) => takes), ...within?.texts ?? []]);
    const attributes = reached.flatMap(({ route: { attribute: name }, takes }) =>
      name !== null && takes ? [{ name, takes }] : []
    );
    this.attributes = [...attributes, ...within?.attributes ?? []];
    this.within = within;
    this.isDead = places.length === 0;
    this.#places = places;
    this.#nodes = nodes;
  }

  /** The parent of the elements at which paths begin. */
  static rootOf(rules: readonly PathRule[]): PathNode {
    return new PathNode(rules.map((rule, id) => ({ rule, id, passed: 0 })), new Map());
  }

  child(name: string, attributes: Attributes): PathNode {
    if (this.within) return this.within.child(name, attributes);
    const known = this.#children.get(name) ?? this.#learn(name);
    return known instanceof PathNode ? known : known(attributes);
  }

  #learn(name: string): PathNode | NodeChoice {
    const compared = comparedName(name);
    const next = this.#places.flatMap((place) => {
      const { rule: { route: { from, steps } }, passed } = place;
      const stays = from === "anywhere" && passed === 0 ? [{ ...place, test: null }] : [];
      const step = steps[passed];
      return step?.name === compared
        ? [...stays, { ...place, passed: passed + 1, test: step.test }]
        : stays;
    });
    const choose = (attributes: Attributes) =>
      this.#nodeOf(next.filter(({ test }) => passes(test, attributes)));
    const found = next.some(({ test }) => test !== null) ? choose : choose({});
    // A hostile file may contain any number of names.
    if (this.#children.size < 1_000) this.#children.set(name, found);
    return found;
  }

  #nodeOf(places: readonly Place[]): PathNode {
    const key = places.map(({ id, passed }) => `${id}:${passed}`).join();
    const known = this.#nodes.get(key);
    if (known) return known;
    const node = new PathNode(places, this.#nodes);
    this.#nodes.set(key, node);
    return node;
  }
}

function passes(test: PathStep["test"], attributes: Attributes): boolean {
  if (test === null) return true;
  for (const name in attributes) {
    if (comparedName(name) !== test.attribute) continue;
    return attributes[name]?.trim().toLowerCase() === test.value;
  }
  return false;
}

function distinct<Called>(functions: readonly (Called | undefined)[]): Called[] {
  return [...new Set(functions.filter((one) => one !== undefined))];
}

/** Texts are cut soon after this length. */
const TEXT_CHARS_MAX = 65_536;

interface OpenElement {
  readonly node: PathNode;
  readonly name: string;
  readonly line: number;
  text: string;
}

export class PathReader implements XmlSink {
  readonly #root: PathNode;
  readonly #open: OpenElement[] = [];
  /** Number of open elements that no path can reach. */
  #deadDepth = 0;

  constructor(root: PathNode) {
    this.#root = root;
  }

  open(name: string, attributes: Attributes, line: number): void {
    const parent = this.#open.at(-1)?.node ?? this.#root;
    const node = this.#deadDepth > 0 ? null : parent.child(name, attributes);
    if (node === null || node.isDead) {
      this.#deadDepth += 1;
      return;
    }
    this.#open.push({ node, name, line, text: "" });
    for (const opens of node.opens) opens(line);
    if (node.attributes.length === 0) return;
    for (const written in attributes) {
      const compared = comparedName(written);
      const value = (attributes[written] ?? "").trim();
      for (const one of node.attributes) {
        if (one.name === compared) one.takes(value, line, written);
      }
    }
  }

  text(piece: string): void {
    const element = this.#open.at(-1);
    if (this.#deadDepth > 0 || !element || element.node.texts.length === 0) return;
    if (element.text.length <= TEXT_CHARS_MAX) element.text += piece;
  }

  close(): void {
    if (this.#deadDepth > 0) {
      this.#deadDepth -= 1;
      return;
    }
    const element = this.#open.pop();
    if (!element) return;
    const { node, name, line } = element;
    const text = element.text.trim();
    for (const takes of node.texts) takes(text, line, name);
    for (const closes of node.closes) closes();
  }
}
