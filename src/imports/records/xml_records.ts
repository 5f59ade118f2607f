/** Reads the products of an XML file into raw records, by the paths of an import profile. */
import type { XmlSink } from "../../engine/xml/reader.ts";
import {
  comparedName,
  type ImportProfile,
  type PathRoute,
  type PathStep,
  PROFILE_FIELDS,
  routesOf,
} from "../profiles/xml_profile.ts";
import { LINK_PATHS, PRICE_PATHS, SALE_PATHS } from "../choices.ts";
import { datesOfRange, endsSale, SALE_TIER, splitCurrencyFromAmount } from "./price_rows.ts";
import { type ItemName, type LinkName, RawRecord, type RowName, Values } from "./raw_record.ts";

type Attributes = Readonly<Record<string, string>>;

type TakesValue = (text: string, line: number, name: string) => void;

interface PathRule {
  readonly route: Pick<PathRoute, "from" | "steps" | "attribute">;
  readonly opens?: (line: number) => void;
  readonly takes?: TakesValue;
  readonly closes?: () => void;
  /** If set, only these path rules apply inside the elements that `route` reaches. */
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
  readonly #children = new Map<string, NodeChoice>();

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
    return (this.#children.get(name) ?? this.#learn(name))(attributes);
  }

  #learn(name: string): NodeChoice {
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
    const only = next.some(({ test }) => test !== null) ? null : choose({});
    const choice = only ? () => only : choose;
    // The number of stored names is limited, because a hostile file may contain any number of
    // names.
    if (this.#children.size < 1_000) this.#children.set(name, choice);
    return choice;
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

export class PathReader implements XmlSink {
  unread: ((path: string, text: string) => void) | null;
  readonly #root: PathNode;
  readonly #open: OpenElement[] = [];

  constructor(root: PathNode, unread: PathReader["unread"] = null) {
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

const PARTS_MAX = 10_000;

type SaleName = "amount" | (typeof SALE_PATHS.optional)[number];

const ROW_NAMES = ["amount", ...PRICE_PATHS.optional] as const;
const LINK_NAMES = ["url", ...LINK_PATHS.optional] as const;
const SALE_NAMES = ["amount", ...SALE_PATHS.optional] as const;

export class XmlRecords {
  items = 0;
  readonly paths: PathNode;
  readonly #profile: ImportProfile;
  readonly #listener: (raw: RawRecord) => void;
  readonly #outsideItems = new Values<ItemName>();
  #current = new RawRecord(0);
  #sale = new Values<SaleName>();
  #previous: RawRecord | null = null;

  constructor(profile: ImportProfile, listener: (raw: RawRecord) => void) {
    this.#profile = profile;
    this.#listener = listener;
    const { fields, mode, sale, itemPath, fileCurrency } = profile;
    const ofFields = pathsTo(PROFILE_FIELDS, (name) => fields[name]?.path);
    const ofSale = pathsTo(SALE_NAMES, (name) => sale?.[name]);
    const item = () => this.#current.item;
    const within = PathNode.rootOf([
      ...ofFields.filter(({ route: { up, from } }) => up === 0 && from !== "root")
        .map((path) => taking(path, item)),
      ...pathsTo(["mode"], () => mode).map((path) => taking(path, item)),
      ...ofSale.map((path) => taking(path, () => this.#sale)),
      ...this.#rowRules(),
      ...this.#linkRules(),
    ]);
    const opens = (line: number) => this.#begin(line);
    const closes = () => this.#finish();
    this.paths = PathNode.rootOf([
      ...routesOf(itemPath).map((route) => ({ route, within, opens, closes })),
      ...ofFields.flatMap((path) => this.#outsideRules(path)),
      ...pathsTo(["fileCurrency"], () => fileCurrency)
        .map((path) => taking(path, () => this.#outsideItems)),
    ]);
  }

  end(): void {
    if (this.#previous) this.#listener(this.#previous);
    this.#previous = null;
  }

  #begin(line: number): void {
    this.items += 1;
    this.#current = new RawRecord(line);
    if (this.#profile.sale) this.#sale = new Values();
  }

  #finish(): void {
    const current = this.#current;
    current.item.inherit(this.#outsideItems);
    if (this.#profile.sale) addSale(current, this.#sale, this.#profile.zeroIsEmpty);
    if (this.#profile.currencyInAmount) splitCurrencyFromAmount(current);
    if (!this.#profile.groupItems) return this.#listener(current);
    const sku = current.item.text("sku");
    if (sku && this.#previous?.item.text("sku") === sku) return this.#previous.absorb(current);
    this.end();
    this.#previous = current;
  }

  #outsideRules(path: NamedPath<ItemName>): PathRule[] {
    const { up, from } = path.route;
    const values = () => this.#outsideItems;
    if (from === "root") return [taking(path, values)];
    if (up === 0) return [];
    // If products are in `<group>` elements, values of one group must not apply to the next group.
    const opens = () => this.#outsideItems.delete(path.name);
    return routesOf(this.#profile.itemPath).map((item) => above(item, up))
      .flatMap((around) => [{ route: around, opens }, taking(path, values, around)]);
  }

  #rowRules(): PathRule[] {
    const { prices } = this.#profile;
    if (!prices) return [];
    const rows = partRules(prices.path, ROW_NAMES, prices, (row) => {
      if (this.#current.rows.length < PARTS_MAX) this.#current.rows.push(row);
    });
    const outer = pathsTo(ROW_NAMES, (name) => prices[name]).filter(({ route }) => route.up > 0);
    const blocks = new Map<number, ReturnType<typeof newInheritedValues>>();
    const newBlock = () => newInheritedValues(() => this.#current.rows);
    const around = routesOf(prices.path).flatMap((start) =>
      outer.flatMap((path) => {
        const route = above(start, path.route.up);
        const { values, ...block } = blocks.getOrInsertComputed(route.steps.length, newBlock);
        return [{ route, ...block }, taking(path, values, route)];
      })
    );
    return [...rows, ...around];
  }

  #linkRules(): PathRule[] {
    const { competitors } = this.#profile;
    if (!competitors) return [];
    return partRules<LinkName>(competitors.path, LINK_NAMES, competitors, (link) => {
      if (this.#current.links.length < PARTS_MAX) this.#current.links.push(link);
    });
  }
}

interface NamedPath<Name> {
  readonly name: Name;
  readonly route: PathRoute;
  readonly rank: number;
}

function pathsTo<Name extends string>(
  names: readonly Name[],
  pathOf: (name: Name) => string | null | undefined,
): NamedPath<Name>[] {
  return names.flatMap((name) =>
    routesOf(pathOf(name) ?? null).map((route, rank) => ({ name, route, rank }))
  );
}

function above({ from, steps }: PathRoute, up: number): PathRule["route"] {
  return { from, steps: steps.slice(0, Math.max(0, steps.length - up)), attribute: null };
}

/** `start` is the element at which the path begins; by default, `route.from` decides. */
function taking<Name extends string>(
  { name, route, rank }: NamedPath<Name>,
  values: () => Values<Name>,
  start: PathRule["route"] = { ...route, steps: [] },
): PathRule {
  return {
    route: { ...route, from: start.from, steps: [...start.steps, ...route.steps] },
    takes: (text, line, source) => values().put(name, { text, line, source, rank }),
  };
}

export function partRules<Name extends string>(
  path: string,
  names: readonly Name[],
  paths: Readonly<Record<Name, string | null>>,
  listener: (part: Values<Name>) => void,
): PathRule[] {
  let part = new Values<Name>();
  const opens = () => {
    part = new Values();
  };
  const closes = () => {
    listener(part);
    part = new Values();
  };
  const inner = pathsTo(names, (name) => paths[name]).filter(({ route }) => route.up === 0);
  return routesOf(path).flatMap((start) => [
    { route: start, opens, closes },
    ...inner.map((one) => taking(one, () => part, start)),
  ]);
}

function newInheritedValues(rows: () => readonly Values<RowName>[]) {
  let values = new Values<RowName>();
  let rowsBefore = 0;
  return {
    values: () => values,
    opens: () => {
      values = new Values();
      rowsBefore = rows().length;
    },
    closes: () => {
      for (const row of rows().slice(rowsBefore)) row.inherit(values);
    },
  };
}

function addSale(raw: RawRecord, sale: Values<SaleName>, zeroIsEmpty: boolean): void {
  const amount = sale.get("amount");
  if (amount === undefined || raw.rows.length >= PARTS_MAX) return;
  raw.hasEmptySale = endsSale(amount.text, zeroIsEmpty);
  if (raw.hasEmptySale) return;
  const row = new Values<RowName>();
  const days = datesOfRange(sale.text("range") ?? "");
  const putDay = (name: "validFrom" | "validUntil", from: "from" | "until") => {
    const text = days?.[from] ?? sale.text(from);
    if (text) row.put(name, { text, line: amount.line, source: sale.get(from)?.source ?? "" });
  };
  row.put("amount", amount);
  row.put("tier", { ...amount, text: SALE_TIER });
  putDay("validFrom", "from");
  putDay("validUntil", "until");
  raw.rows.push(row);
}
