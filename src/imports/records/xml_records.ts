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

/** If several rules share a function, the function is called only once for an element. */
interface PathRule {
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
  readonly #children = new Map<string, PathNode>();
  readonly #choices = new Map<string, NodeChoice>();

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
    return this.#children.get(name) ?? (this.#choices.get(name) ?? this.#learn(name))(attributes);
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
    // The number of stored names is limited, because a hostile file may contain any number of
    // names.
    if (this.#children.size + this.#choices.size >= 1_000) return choose;
    if (next.some(({ test }) => test !== null)) this.#choices.set(name, choose);
    else this.#children.set(name, choose({}));
    return choose;
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
    const within = PathNode.rootOf([
      ...this.#fieldRules(),
      ...this.#rowRules(),
      ...this.#linkRules(),
    ]);
    const opens = (line: number) => this.#begin(line);
    const closes = () => this.#finish();
    this.paths = PathNode.rootOf([
      ...routesOf(profile.itemPath).map((route) => ({ route, within, opens, closes })),
      ...this.#outsideItemsRules(),
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

  #fieldRules(): PathRule[] {
    const { fields, mode, sale } = this.#profile;
    const item = () => this.#current.item;
    return [
      ...PROFILE_FIELDS.flatMap((name) =>
        routesOf(fields[name]?.path ?? null).flatMap((route, rank) =>
          route.up > 0 || route.from === "root"
            ? []
            : taking(startOf(route), route, name, rank, item)
        )
      ),
      ...valueRules(mode, "mode", item),
      ...SALE_NAMES.flatMap((name) => valueRules(sale?.[name] ?? null, name, () => this.#sale)),
    ];
  }

  #outsideItemsRules(): PathRule[] {
    const { itemPath, fields, fileCurrency } = this.#profile;
    const context = () => this.#outsideItems;
    const rules = PROFILE_FIELDS.flatMap((name) => {
      // A value of an outer element must not apply to the items of the next outer element.
      const opens = () => this.#outsideItems.delete(name);
      return routesOf(fields[name]?.path ?? null).flatMap((route, rank) => {
        if (route.from === "root") return [taking(startOf(route), route, name, rank, context)];
        if (route.up === 0) return [];
        return routesOf(itemPath).map((item) => above(item, route.up)).flatMap((around) => [
          { route: around, opens },
          taking(around, route, name, rank, context),
        ]);
      });
    });
    return [...rules, ...valueRules(fileCurrency, "fileCurrency", context)];
  }

  #rowRules(): PathRule[] {
    const { prices } = this.#profile;
    if (!prices) return [];
    const rows = partRules(prices.path, ROW_NAMES, prices, (row) => {
      if (this.#current.rows.length < PARTS_MAX) this.#current.rows.push(row);
    });
    const blocks = new Map<number, ReturnType<typeof newInheritedValues>>();
    const around = routesOf(prices.path).flatMap((start) =>
      ROW_NAMES.flatMap((name) =>
        routesOf(prices[name]).flatMap((route, rank) => {
          if (route.up === 0) return [];
          const outer = above(start, route.up);
          const block = blocks.get(outer.steps.length) ??
            newInheritedValues(() => this.#current.rows);
          blocks.set(outer.steps.length, block);
          const { opens, closes, values } = block;
          return [{ route: outer, opens, closes }, taking(outer, route, name, rank, values)];
        })
      )
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

type Start = Pick<PathRoute, "from" | "steps" | "attribute">;

function startOf({ from }: PathRoute): Start {
  return { from, steps: [], attribute: null };
}

function above({ from, steps }: PathRoute, up: number): Start {
  return { from, steps: steps.slice(0, Math.max(0, steps.length - up)), attribute: null };
}

function taking<Name extends string>(
  start: Start,
  { steps, attribute }: PathRoute,
  name: Name,
  rank: number,
  values: () => Values<Name>,
): PathRule {
  return {
    route: { from: start.from, steps: [...start.steps, ...steps], attribute },
    takes: (text, line, source) => values().put(name, { text, line, source, rank }),
  };
}

function valueRules<Name extends string>(
  path: string | null,
  name: Name,
  values: () => Values<Name>,
): PathRule[] {
  return routesOf(path).map((route, rank) => taking(startOf(route), route, name, rank, values));
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
  return routesOf(path).flatMap((start) => [
    { route: start, opens, closes },
    ...names.flatMap((name) =>
      routesOf(paths[name]).flatMap((route, rank) =>
        route.up > 0 ? [] : taking(start, route, name, rank, () => part)
      )
    ),
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
  const { rows } = raw;
  const amount = sale.text("amount");
  if (amount === null || rows.length >= PARTS_MAX) return;
  raw.hasEmptySale = endsSale(amount, zeroIsEmpty);
  if (raw.hasEmptySale) return;
  const row = new Values<RowName>();
  const { line = 0 } = sale.place("amount");
  const put = (name: RowName, from: SaleName, text: string | null | undefined) => {
    if (text) row.put(name, { text, line, source: sale.place(from).field ?? "" });
  };
  const days = datesOfRange(sale.text("range") ?? "");
  put("amount", "amount", amount);
  put("tier", "amount", SALE_TIER);
  put("validFrom", "from", days?.from ?? sale.text("from"));
  put("validUntil", "until", days?.until ?? sale.text("until"));
  rows.push(row);
}
