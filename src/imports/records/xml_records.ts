/** Reads the products of an XML file into raw records, by the paths of an import profile. */
import type { Encoding } from "../../base/bytes.ts";
import { type XmlLimits, XmlReader } from "../../engine/xml/reader.ts";
import { LINK_PATHS, PRICE_PATHS, SALE_PATHS } from "../choices.ts";
import { type FileBytes, parseChunks, type ReadEvent } from "../files/source_file.ts";
import {
  type ImportProfile,
  type PathRoute,
  PROFILE_FIELDS,
  routesOf,
} from "../profiles/xml_profile.ts";
import { skuOf } from "./field_values.ts";
import { PathNode, PathReader, type PathRule } from "./path_reader.ts";
import { amountAndCurrency, datesOfRange, SALE_TIER } from "./price_rows.ts";
import { type ItemName, type LinkName, RawRecord, type RowName, Values } from "./raw_record.ts";
import { Buffer } from "node:buffer";

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
    this.#sale = new Values();
  }

  #finish(): void {
    const current = this.#current;
    current.item.inherit(this.#outsideItems);
    if (this.#profile.sale) addSale(current, this.#sale);
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
  return { from, steps: steps.slice(0, steps.length - up), attribute: null };
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

function partRules<Name extends string>(
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

function addSale({ rows }: RawRecord, sale: Values<SaleName>): void {
  const amount = sale.text("amount");
  if (!amount || rows.length >= PARTS_MAX) return;
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

function splitCurrencyFromAmount({ rows }: RawRecord): void {
  for (const row of rows) {
    const text = row.text("amount");
    if (!text || row.text("currency")) continue;
    const { amount, currency } = amountAndCurrency(text);
    if (currency === null) continue;
    const { line = 0, field } = row.place("amount");
    row.delete("amount");
    row.put("amount", { text: amount, line, source: field ?? "" });
    row.put("currency", { text: currency, line, source: field ?? "" });
  }
}

/** If a product has several categories, the first category is used. */
export async function* readCategories(
  file: FileBytes,
  encoding: Encoding,
  { groups: paths, fields: { sku: { transform } } }: ImportProfile,
  limits: { readonly xml: XmlLimits; readonly itemsMax: number },
): AsyncGenerator<ReadEvent, ReadonlyMap<string, string> | null> {
  if (!paths) return null;
  const names = new Map<string, string>();
  const groups = new Map<string, string>();
  const sink = new PathReader(PathNode.rootOf([
    ...partRules(paths.path, ["id", "name"], paths, (group) => {
      const [id, name] = [group.text("id"), group.text("name")];
      if (!id || !name) return;
      if (name.length <= 200 && names.size < limits.itemsMax && !names.has(id)) {
        names.set(copied(id), copied(name));
      }
    }),
    ...partRules(paths.memberPath, ["memberSku", "memberGroup"], paths, (member) => {
      const [written, group] = [member.text("memberSku"), member.text("memberGroup")];
      if (!written || !group) return;
      const sku = skuOf(written, transform);
      if (groups.size < limits.itemsMax && !groups.has(sku)) groups.set(copied(sku), copied(group));
    }),
  ]));
  for await (const chunk of parseChunks(file, encoding, new XmlReader(sink, limits.xml))) {
    yield { kind: "progress", bytes: chunk.length };
  }
  for (const [sku, group] of groups) {
    const name = names.get(group);
    if (name === undefined) groups.delete(sku);
    else groups.set(sku, name);
  }
  return groups;
}

/** The text is copied, because a slice would keep the whole string in memory. */
function copied(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
