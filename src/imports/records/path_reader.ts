/**
 * Follows the paths of an import profile while an XML file is read. Only open elements are in
 * memory.
 */
import type { XmlSink } from "../../engine/xml/reader.ts";
import { comparedName, type PathRoute, type PathStep } from "../profiles/xml_profile.ts";

type Attributes = Readonly<Record<string, string>>;

type TakesValue = (text: string, line: number, name: string) => void;

/** If several rules share a function, the function is called only once for an element. */
export interface PathRule {
  readonly route: Pick<PathRoute, "from" | "steps" | "attribute">;
  readonly opens?: (line: number) => void;
  readonly takes?: TakesValue;
  readonly closes?: () => void;
  /** Inside an element that `route` reaches, only the paths of `within` apply. */
  readonly within?: PathNode;
}

interface Place {
  readonly rule: PathRule;
  readonly id: number;
  readonly passed: number;
}

type NodeChoice = (attributes: Attributes) => PathNode;

export class PathNode {
  readonly opens: readonly NonNullable<PathRule["opens"]>[];
  readonly texts: readonly TakesValue[];
  readonly attributes: readonly { readonly name: string; readonly takes: TakesValue }[];
  readonly closes: readonly NonNullable<PathRule["closes"]>[];
  readonly within: PathNode | null;
  readonly #places: readonly Place[];
  readonly #nodes: Map<string, PathNode>;
  readonly #children = new Map<string, PathNode | NodeChoice>();

  private constructor(places: readonly Place[], nodes: Map<string, PathNode>) {
    const reached = places.filter(({ rule, passed }) => passed === rule.route.steps.length)
      .map(({ rule }) => rule);
    const within = reached.find((rule) => rule.within)?.within ?? null;
    this.opens = distinct([...reached.map(({ opens }) => opens), ...within?.opens ?? []]);
    this.closes = distinct([...within?.closes ?? [], ...reached.map(({ closes }) => closes)]);
    this.texts = within?.texts ?? distinct(
      reached.filter(({ route }) => route.attribute === null).map(({ takes }) => takes),
    );
    this.attributes = within?.attributes ??
      reached.flatMap(({ route: { attribute: name }, takes }) =>
        name !== null && takes ? [{ name, takes }] : []
      );
    this.within = within;
    this.#places = places;
    this.#nodes = nodes;
  }

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
    // The number of stored names is limited, because a hostile file may contain any number of
    // names.
    if (this.#children.size < 1_000) this.#children.set(name, found);
    return found;
  }

  #nodeOf(places: readonly Place[]): PathNode {
    const key = places.map(({ id, passed }) => `${id}:${passed}`).join();
    return this.#nodes.getOrInsertComputed(key, () => new PathNode(places, this.#nodes));
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

const TEXT_CHARS_MAX = 65_536;

interface OpenElement {
  readonly node: PathNode;
  readonly name: string;
  readonly line: number;
  text: string;
  hasChildren: boolean;
}

type UnreadListener = (path: string, text: string) => void;

export class PathReader implements XmlSink {
  unread: UnreadListener | null;
  readonly #root: PathNode;
  readonly #open: OpenElement[] = [];

  constructor(root: PathNode, unread: UnreadListener | null = null) {
    this.#root = root;
    this.unread = unread;
  }

  open(name: string, attributes: Attributes, line: number): void {
    const parent = this.#open.at(-1);
    if (parent) parent.hasChildren = true;
    const node = (parent?.node ?? this.#root).child(name, attributes);
    this.#open.push({ node, name, line, text: "", hasChildren: false });
    for (const opens of node.opens) opens(line);
    if (node.attributes.length === 0 && this.unread === null) return;
    for (const written in attributes) {
      const compared = comparedName(written);
      const value = (attributes[written] ?? "").trim();
      let isRead = false;
      for (const one of node.attributes) {
        if (one.name !== compared) continue;
        one.takes(value, line, written);
        isRead = true;
      }
      if (!isRead) this.#passOver(value, `@${written}`);
    }
  }

  text(piece: string): void {
    const element = this.#open.at(-1);
    if (!element || (element.node.texts.length === 0 && this.unread === null)) return;
    if (element.text.length <= TEXT_CHARS_MAX) element.text += piece;
  }

  close(): void {
    const element = this.#open.at(-1);
    if (!element) return;
    const { node, name, line, hasChildren } = element;
    const text = element.text.trim();
    for (const takes of node.texts) takes(text, line, name);
    if (node.texts.length === 0 && !hasChildren && !node.within) this.#passOver(text);
    for (const closes of node.closes) closes();
    this.#open.pop();
  }

  #passOver(text: string, ...attribute: readonly string[]): void {
    if (this.unread === null || text === "") return;
    const item = this.#open.findIndex(({ node }) => node.within);
    if (item === -1) return;
    const names = this.#open.slice(item + 1).map(({ name }) => name);
    this.unread([...names, ...attribute].join("/"), text);
  }
}
