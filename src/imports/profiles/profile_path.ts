/** Paths of XML profiles, and the automaton that follows them while a file is read. */

/** Of several values for a slot, the one with the lowest rank stays. */
export interface Target {
  readonly frame: number;
  readonly slot: number;
  readonly rank: number;
}

/** `starts` is a bit mask of values of `STARTS`. */
export interface PathRule {
  readonly steps: readonly PathStep[];
  readonly isAnywhere: boolean;
  readonly starts: number;
  readonly clears: readonly Target[];
  readonly takesText: Target | null;
  readonly takesAttribute: { readonly name: string; readonly target: Target } | null;
}

interface AttributeTarget extends Target {
  readonly name: string;
}

type Attributes = Readonly<Record<string, string>>;

/** Holds how far an element and its ancestors match each path of the profile. */
export class PathNode {
  readonly starts: number;
  readonly clears: readonly Target[];
  readonly text: readonly Target[];
  readonly attributes: readonly AttributeTarget[];
  readonly isDead: boolean;
  readonly #automaton: PathAutomaton;
  readonly #places: readonly Place[];
  readonly #children = new Map<string, PathNode | NodeChoice>();

  constructor(automaton: PathAutomaton, places: readonly Place[]) {
    const reached = places.filter(({ rule, passed }) => passed === rule.steps.length)
      .map(({ rule }) => rule);
    this.starts = reached.reduce((bits, rule) => bits | rule.starts, 0);
    this.clears = reached.flatMap((rule) => rule.clears);
    this.text = reached.flatMap((rule) => rule.takesText ?? []);
    this.attributes = reached.flatMap(({ takesAttribute: taken }) =>
      taken ? { name: taken.name, ...taken.target } : []
    );
    this.isDead = places.length === 0;
    this.#automaton = automaton;
    this.#places = places;
  }

  child(name: string, attributes: Attributes): PathNode {
    const known = this.#children.get(name) ?? this.#learn(name);
    return known instanceof PathNode ? known : known(attributes);
  }

  #learn(name: string): PathNode | NodeChoice {
    const compared = comparedName(name);
    const next = this.#places.flatMap(({ rule, passed }) => {
      const stays = rule.isAnywhere && passed === 0 ? [{ rule, passed, test: null }] : [];
      const step = rule.steps[passed];
      if (step?.name !== compared) return stays;
      return [...stays, { rule, passed: passed + 1, test: step.test }];
    });
    const found = next.some(({ test }) => test !== null)
      ? createChoice(this.#automaton, next)
      : this.#automaton.nodeOf(next);
    // A hostile file may contain any number of names.
    if (this.#children.size < 1_000) this.#children.set(name, found);
    return found;
  }
}

export class PathAutomaton {
  readonly root: PathNode;
  readonly #rules: readonly PathRule[];
  readonly #nodes = new Map<string, PathNode>();

  constructor(rules: readonly PathRule[]) {
    this.#rules = rules;
    this.root = this.nodeOf(rules.map((rule) => ({ rule, passed: 0 })));
  }

  nodeOf(places: readonly Place[]): PathNode {
    const key = places.map(({ rule, passed }) => `${this.#rules.indexOf(rule)}:${passed}`).join();
    const known = this.#nodes.get(key);
    if (known) return known;
    const node = new PathNode(this, places.map(({ rule, passed }) => ({ rule, passed })));
    this.#nodes.set(key, node);
    return node;
  }
}

interface Place {
  readonly rule: PathRule;
  readonly passed: number;
}

interface TestedPlace extends Place {
  readonly test: PathStep["test"];
}

type NodeChoice = (attributes: Attributes) => PathNode;

function createChoice(automaton: PathAutomaton, places: readonly TestedPlace[]): NodeChoice {
  const nodes = new Map<string, PathNode>();
  return (attributes) => {
    let answers = "";
    for (const { test } of places) answers += passes(test, attributes) ? "1" : "0";
    const known = nodes.get(answers);
    if (known) return known;
    const node = automaton.nodeOf(places.filter((_, at) => answers[at] === "1"));
    nodes.set(answers, node);
    return node;
  };
}

function passes(test: PathStep["test"], attributes: Attributes): boolean {
  if (test === null) return true;
  for (const name in attributes) {
    if (comparedName(name) !== test.attribute) continue;
    return attributes[name]?.trim().toLowerCase() === test.value;
  }
  return false;
}

/** The name is lower case without prefix. `test` requires an attribute. */
export interface PathStep {
  readonly name: string;
  readonly test: { readonly attribute: string; readonly value: string } | null;
}

export interface PathRoute {
  /** `anywhere` is written `//A`, `root` is written `/A`. */
  readonly from: "here" | "root" | "anywhere";
  readonly up: number;
  readonly steps: readonly PathStep[];
  /** Null if the element's own text is read. */
  readonly attribute: string | null;
}

const STEP = /^([^\s/|@[\]='"]+)(?:\[@([^\s/|@[\]='"]+)=(?:'([^']*)'|"([^"]*)")\])?$/;
/** An unclosed `[` matches the rest of the text. */
const SEPARATORS = /\[[^\]]*(?:\]|$)|[|/]/g;

/**
 * Parses a path of an import profile (docs/decisions/imports.md): `A/B`, `A|B` (alternatives, the
 * first has precedence), `@attr`, `A[@t='x']/B`, `.` (the element itself), `../B`, `/A/B` (from the
 * root), `//A` (at any depth). Names are compared without case and prefix.
 */
export function parsePath(path: string): { routes: readonly PathRoute[] } | { reason: string } {
  const routes: PathRoute[] = [];
  for (const alternative of splitOutsideTests(path, "|")) {
    const route = parseRoute(alternative.trim());
    if ("reason" in route) return route;
    routes.push(route);
  }
  return { routes };
}

/** Lower case, without prefix. */
export function comparedName(written: string): string {
  return written.slice(written.indexOf(":") + 1).toLowerCase();
}

function parseRoute(text: string): PathRoute | { reason: string } {
  const from = text.startsWith("//") ? "anywhere" : text.startsWith("/") ? "root" : "here";
  let parts = splitOutsideTests(text.replace(/^\/\/?/, ""), "/");
  const up = parts.findIndex((part) => part !== "..");
  if (up === -1 || (up > 0 && from !== "here")) return unreadable(text);
  parts = parts.slice(up);

  let attribute: string | null = null;
  const last = parts.at(-1) ?? "";
  if (/^@[^\s/|@[\]='"]+$/.test(last)) {
    attribute = comparedName(last.slice(1));
    parts.pop();
  } else if (last === "." && parts.length === 1) parts.pop();

  const steps: PathStep[] = [];
  for (const part of parts) {
    const step = parseStep(part);
    if (!step) return unreadable(text);
    steps.push(step);
  }
  return { from, up, steps, attribute };
}

function parseStep(part: string): PathStep | null {
  const [, name, attribute, single, double] = STEP.exec(part) ?? [];
  if (name === undefined || name === "." || name === "..") return null;
  if (attribute === undefined) return { name: comparedName(name), test: null };
  const value = (single ?? double ?? "").toLowerCase();
  return { name: comparedName(name), test: { attribute: comparedName(attribute), value } };
}

function unreadable(text: string): { reason: string } {
  return { reason: `"${text.slice(0, 80)}" is not a path: write it like "A/B", "A|B" or "@attr"` };
}

function splitOutsideTests(text: string, separator: "|" | "/"): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const match of text.matchAll(SEPARATORS)) {
    if (match[0] !== separator) continue;
    parts.push(text.slice(start, match.index));
    start = match.index + 1;
  }
  parts.push(text.slice(start));
  return parts;
}
