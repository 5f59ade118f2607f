/**
 * Compiles an XML profile once per file. While the file is read, automata follow the profile's
 * paths, and put each value that a path reaches into the numbered slot of its field.
 */
import {
  comparedName,
  type ImportProfile,
  type PathRoute,
  type PathStep,
  PROFILE_FIELDS,
  routesOf,
} from "../profiles/xml_profile.ts";
import { fromKeys } from "../../base/collections.ts";
import { LINK_PATHS, PRICE_PATHS, SALE_PATHS } from "../choices.ts";

/** Of several values for a slot, the one with the lowest rank stays. */
interface Target {
  readonly frame: number;
  readonly slot: number;
  readonly rank: number;
}

/** `starts` is a bit mask of values of `STARTS`. */
interface PathRule {
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

class PathAutomaton {
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

export const FRAME = {
  item: 0,
  row: 1,
  link: 2,
  context: 3,
  block: 4,
  itemRow: 5,
  group: 6,
  member: 7,
} as const;

/** Bits that say what an element starts. */
export const STARTS = { item: 1, row: 2, link: 4, block: 8, group: 16, member: 32 } as const;

export const FIELD_SLOTS = fromKeys(PROFILE_FIELDS, (name): number => PROFILE_FIELDS.indexOf(name));
export const MODE_SLOT = PROFILE_FIELDS.length;
export const FILE_CURRENCY_SLOT = MODE_SLOT + 1;
export const SALE_SLOTS = {
  amount: MODE_SLOT + 2,
  from: MODE_SLOT + 3,
  until: MODE_SLOT + 4,
  range: MODE_SLOT + 5,
} as const;
export const ITEM_SLOTS = MODE_SLOT + 6;

export const ROW_SLOTS = {
  amount: 0,
  tier: 1,
  currency: 2,
  minQty: 3,
  validFrom: 4,
  validUntil: 5,
  quantity: 6,
  /** `net`, `gross`, or empty for the workspace's setting. Only tables fill this slot. */
  side: 7,
} as const;
export const ROW_SLOT_COUNT = 8;

export const LINK_SLOTS = { url: 0, name: 1, domain: 2, enabled: 3 } as const;
export const LINK_SLOT_COUNT = 4;

const ROW_NAMES = ["amount", ...PRICE_PATHS.optional] as const;
const LINK_NAMES = ["url", ...LINK_PATHS.optional] as const;

export interface CompiledProfile {
  readonly profile: ImportProfile;
  readonly file: PathAutomaton;
  readonly item: PathAutomaton;
  /** True if a field of the item may lie outside the item's element. */
  readonly hasContext: boolean;
  /** True if a price row may take a value from its item. */
  readonly rowsInherit: boolean;
}

export function compileProfile(profile: ImportProfile): CompiledProfile {
  const file = [...fileRules(profile), ...groupRules(profile)];
  const item = [...fieldRules(profile), ...rowRules(profile), ...linkRules(profile)];
  return {
    profile,
    file: new PathAutomaton(file),
    item: new PathAutomaton(item),
    hasContext: file.some((rule) => takesInto(rule, FRAME.context)),
    rowsInherit: item.some((rule) => takesInto(rule, FRAME.itemRow)),
  };
}

function fileRules(profile: ImportProfile): PathRule[] {
  const items = routesOf(profile.itemPath);
  const starts = items.map((route) => ({ ...ruleTo(route), starts: STARTS.item }));
  const fields = PROFILE_FIELDS.flatMap((name) =>
    routesOf(profile.fields[name]?.path ?? null).flatMap((route, rank) => {
      const target = { frame: FRAME.context, slot: FIELD_SLOTS[name], rank };
      if (route.from === "root") return [taking(route, route.steps, target)];
      return route.up === 0 ? [] : items.flatMap((item) => contextRules(item, route, target));
    })
  );
  const currency = valueRules(profile.fileCurrency, FRAME.context, FILE_CURRENCY_SLOT);
  return [...starts, ...fields, ...currency];
}

/**
 * For a value outside of items. Each start of the element that contains both value and items clears
 * the value.
 */
function contextRules(item: PathRoute, route: PathRoute, target: Target): PathRule[] {
  const around = item.steps.slice(0, item.steps.length - route.up);
  return [
    { ...ruleTo({ ...item, steps: around }), clears: [target] },
    taking(route, [...around, ...route.steps], target),
  ];
}

function groupRules({ groups }: ImportProfile): PathRule[] {
  if (!groups) return [];
  const under = (path: string, starts: number, frame: number, slots: readonly string[]) =>
    routesOf(path).flatMap((base) => [
      { ...ruleTo(base), starts },
      ...slots.flatMap((written, slot) =>
        routesOf(written).map((route, rank) =>
          taking(route, [...base.steps, ...route.steps], { frame, slot, rank }, base)
        )
      ),
    ]);
  return [
    ...under(groups.path, STARTS.group, FRAME.group, [groups.id, groups.name]),
    ...under(groups.memberPath, STARTS.member, FRAME.member, [
      groups.memberSku,
      groups.memberGroup,
    ]),
  ];
}

function fieldRules(profile: ImportProfile): PathRule[] {
  const fields = PROFILE_FIELDS.flatMap((name) =>
    routesOf(profile.fields[name]?.path ?? null).flatMap((route, rank) => {
      if (route.up > 0 || route.from === "root") return [];
      return [taking(route, route.steps, { frame: FRAME.item, slot: FIELD_SLOTS[name], rank })];
    })
  );
  const { mode, sale } = profile;
  const names = sale ? [...SALE_PATHS.required, ...SALE_PATHS.optional] as const : [];
  return [
    ...fields,
    ...valueRules(mode, FRAME.item, MODE_SLOT),
    ...names.flatMap((name) => valueRules(sale?.[name] ?? null, FRAME.item, SALE_SLOTS[name])),
  ];
}

/** One rule per alternative. The first alternative has precedence. */
function valueRules(path: string | null, frame: number, slot: number): PathRule[] {
  return routesOf(path).map((route, rank) => taking(route, route.steps, { frame, slot, rank }));
}

function rowRules({ prices }: ImportProfile): PathRule[] {
  if (!prices) return [];
  return routesOf(prices.path).flatMap((row) => {
    const values = ROW_NAMES.flatMap((name) =>
      routesOf(prices[name]).flatMap((route, rank) =>
        rowValueRules(row, route, ROW_SLOTS[name], rank)
      )
    );
    return [{ ...ruleTo(row), starts: STARTS.row }, ...values];
  });
}

function rowValueRules(row: PathRoute, route: PathRoute, slot: number, rank: number): PathRule[] {
  const around = row.steps.slice(0, row.steps.length - route.up);
  const steps = [...around, ...route.steps];
  if (route.up === 0) return [taking(route, steps, { frame: FRAME.row, slot, rank }, row)];
  if (around.length === 0) return [taking(route, steps, { frame: FRAME.itemRow, slot, rank }, row)];
  return [
    { ...ruleTo({ ...row, steps: around }), starts: STARTS.block },
    taking(route, steps, { frame: FRAME.block, slot, rank }, row),
  ];
}

function linkRules({ competitors }: ImportProfile): PathRule[] {
  if (!competitors) return [];
  return routesOf(competitors.path).flatMap((link) => [
    { ...ruleTo(link), starts: STARTS.link },
    ...LINK_NAMES.flatMap((name) =>
      routesOf(competitors[name]).map((route, rank) => {
        const target = { frame: FRAME.link, slot: LINK_SLOTS[name], rank };
        return taking(route, [...link.steps, ...route.steps], target, link);
      })
    ),
  ]);
}

function takesInto({ takesText, takesAttribute }: PathRule, frame: number): boolean {
  return takesText?.frame === frame || takesAttribute?.target.frame === frame;
}

function ruleTo(route: PathRoute): PathRule {
  return {
    steps: route.steps,
    isAnywhere: route.from === "anywhere",
    starts: 0,
    clears: [],
    takesText: null,
    takesAttribute: null,
  };
}

function taking(
  route: PathRoute,
  steps: readonly PathStep[],
  target: Target,
  base: PathRoute = route,
): PathRule {
  const rule = { ...ruleTo(base), steps };
  if (route.attribute === null) return { ...rule, takesText: target };
  return { ...rule, takesAttribute: { name: route.attribute, target } };
}
