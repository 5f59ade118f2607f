/** Reads the items of a streamed XML file into raw records. */
import type { Encoding } from "../../engine/xml/encoding.ts";
import { type XmlLimits, XmlReader, type XmlSink } from "../../engine/xml/reader.ts";
import { type FileBytes, parseChunks, type ReadEvent } from "../files/source_file.ts";
import { comparedName } from "../profiles/xml_profile.ts";
import {
  type CompiledProfile,
  FIELD_SLOTS,
  FRAME,
  type PathNode,
  ROW_SLOTS,
  SALE_SLOTS,
  STARTS,
} from "./compiled_profile.ts";
import { skuOf } from "./field_values.ts";
import { type Frame, newFrames, RawRecord } from "./raw_record.ts";
import { amountAndCurrency, datesOfRange, SALE_TIER } from "./price_rows.ts";
import { Buffer } from "node:buffer";

/** Maximum number of rows or links per record. More are skipped. */
const PARTS_MAX = 10_000;

type Attributes = Readonly<Record<string, string>>;

interface RecordListener {
  /** `raw` is reused for the next record. */
  record(raw: RawRecord): void;
  group(id: string, name: string): void;
  member(sku: string, group: string): void;
}

export class RecordReader implements XmlSink {
  /** Counts items, of which several may form one record (`groupItems`). */
  items = 0;
  readonly #compiled: CompiledProfile;
  readonly #listener: RecordListener;
  readonly #frames: Frame[] = newFrames();
  readonly #nodes: PathNode[] = [];
  readonly #texts: string[] = [];
  readonly #lines: number[] = [];
  readonly #names: string[] = [];
  #node: PathNode;
  #depth = 0;
  #deadDepth = 0;
  /** Depth of the current item; 0 outside of items. */
  #itemDepth = 0;
  #rowsBeforeBlock = 0;
  #current = new RawRecord();
  #previous: RawRecord | null = null;

  constructor(compiled: CompiledProfile, listener: RecordListener) {
    this.#compiled = compiled;
    this.#listener = listener;
    this.#node = compiled.file.root;
  }

  open(name: string, attributes: Attributes, line: number): void {
    if (this.#deadDepth > 0) {
      this.#deadDepth += 1;
      return;
    }
    const node = this.#node.child(name, attributes);
    if (node.isDead) {
      this.#deadDepth = 1;
      return;
    }
    this.#depth += 1;
    this.#nodes[this.#depth] = this.#node;
    this.#node = node;
    this.#enter(node, name, attributes, line);
  }

  text(piece: string): void {
    if (this.#deadDepth > 0 || this.#node.text.length === 0) return;
    const text = this.#texts[this.#depth] ?? "";
    if (text.length <= 65_536) {
      this.#texts[this.#depth] = text === "" ? piece : text + piece;
    }
  }

  close(): void {
    if (this.#deadDepth > 0) {
      this.#deadDepth -= 1;
      return;
    }
    const node = this.#node;
    if (node.text.length > 0) this.#takeText(node);
    if (node.starts > 0) this.#finish(node.starts);
    if (this.#depth === this.#itemDepth) this.#finishItem();
    this.#node = this.#nodes[this.#depth] ?? this.#compiled.file.root;
    this.#depth -= 1;
  }

  end(): void {
    if (this.#previous) this.#listener.record(this.#previous);
    this.#previous = null;
  }

  #enter(entered: PathNode, name: string, attributes: Attributes, line: number): void {
    let node = entered;
    if ((node.starts & STARTS.item) > 0) {
      this.#startItem(line);
      this.#node = node = this.#compiled.item.root;
    }
    if (node.starts > 0) this.#start(node.starts);
    for (const { frame, slot } of node.clears) this.#clear(frame, slot);
    if (node.attributes.length > 0) this.#takeAttributes(node, attributes, line);
    if (node.text.length > 0) {
      this.#texts[this.#depth] = "";
      this.#lines[this.#depth] = line;
      this.#names[this.#depth] = name;
    }
  }

  #startItem(line: number): void {
    this.items += 1;
    this.#itemDepth = this.#depth;
    this.#current.begin(line);
    this.#frames[FRAME.item] = this.#current.item;
    if (this.#compiled.rowsInherit) this.#frames[FRAME.itemRow]?.clear();
  }

  #start(starts: number): void {
    const { rows, links } = this.#current;
    if ((starts & STARTS.block) > 0) {
      this.#frames[FRAME.block]?.clear();
      this.#rowsBeforeBlock = rows.count;
    }
    if ((starts & STARTS.row) > 0) this.#frames[FRAME.row] = rows.next();
    if ((starts & STARTS.link) > 0) this.#frames[FRAME.link] = links.next();
    if ((starts & STARTS.group) > 0) this.#frames[FRAME.group]?.clear();
    if ((starts & STARTS.member) > 0) this.#frames[FRAME.member]?.clear();
  }

  #finish(starts: number): void {
    const { rows, links } = this.#current;
    if ((starts & STARTS.row) > 0 && rows.count < PARTS_MAX) rows.count += 1;
    if ((starts & STARTS.link) > 0 && links.count < PARTS_MAX) links.count += 1;
    if ((starts & STARTS.block) > 0) this.#passOn(FRAME.block, this.#rowsBeforeBlock);
    if ((starts & (STARTS.group | STARTS.member)) > 0) this.#finishGroup(starts);
  }

  #finishItem(): void {
    this.#itemDepth = 0;
    const context = this.#frames[FRAME.context];
    if (this.#compiled.hasContext && context) this.#current.item.inherit(context);
    if (this.#compiled.rowsInherit) this.#passOn(FRAME.itemRow, 0);
    if (this.#compiled.profile.sale) addSale(this.#current);
    if (this.#compiled.profile.currencyInAmount) partCurrencies(this.#current);
    if (!this.#compiled.profile.groupItems) return this.#listener.record(this.#current);

    const previous = this.#previous;
    const sku = this.#current.item.values[FIELD_SLOTS.sku];
    if (sku && previous?.item.values[FIELD_SLOTS.sku] === sku) {
      previous.absorb(this.#current);
      return;
    }
    this.end();
    this.#previous = this.#current;
    this.#current = previous ?? new RawRecord();
  }

  #finishGroup(starts: number): void {
    const isGroup = (starts & STARTS.group) > 0;
    const [first, second] = this.#frames[isGroup ? FRAME.group : FRAME.member]?.values ?? [];
    if (!first || !second) return;
    if (isGroup) this.#listener.group(first, second);
    else this.#listener.member(first, second);
  }

  #passOn(frame: number, first: number): void {
    const around = this.#frames[frame];
    if (!around) return;
    for (const row of this.#current.rows.taken.slice(first)) row.inherit(around);
  }

  #clear(frame: number, slot: number): void {
    const values = this.#frames[frame]?.values;
    if (values) values[slot] = null;
  }

  #takeText(node: PathNode): void {
    const value = (this.#texts[this.#depth] ?? "").trim();
    const line = this.#lines[this.#depth] ?? 0;
    const name = this.#names[this.#depth] ?? "";
    for (const { frame, slot, rank } of node.text) {
      this.#frames[frame]?.put(slot, rank, value, line, name);
    }
  }

  #takeAttributes(node: PathNode, attributes: Attributes, line: number): void {
    for (const written in attributes) {
      const name = comparedName(written);
      const value = (attributes[written] ?? "").trim();
      for (const target of node.attributes) {
        if (target.name !== name) continue;
        this.#frames[target.frame]?.put(target.slot, target.rank, value, line, written);
      }
    }
  }
}

function addSale({ item, rows }: RawRecord): void {
  const amount = item.values[SALE_SLOTS.amount];
  if (!amount || rows.count >= PARTS_MAX) return;
  const row = rows.next();
  const line = item.lines[SALE_SLOTS.amount] ?? 0;
  const put = (slot: number, from: number, text: string | null | undefined) => {
    if (text) row.put(slot, 0, text, line, item.names[from] ?? "");
  };
  const days = datesOfRange(item.values[SALE_SLOTS.range] ?? "");
  put(ROW_SLOTS.amount, SALE_SLOTS.amount, amount);
  put(ROW_SLOTS.tier, SALE_SLOTS.amount, SALE_TIER);
  put(ROW_SLOTS.validFrom, SALE_SLOTS.from, days?.from ?? item.values[SALE_SLOTS.from]);
  put(ROW_SLOTS.validUntil, SALE_SLOTS.until, days?.until ?? item.values[SALE_SLOTS.until]);
  rows.count += 1;
}

/** Splits the currency from the amount in rows without a separate currency. */
function partCurrencies({ rows }: RawRecord): void {
  for (const { values, lines, names } of rows.taken) {
    const text = values[ROW_SLOTS.amount];
    if (!text || values[ROW_SLOTS.currency]) continue;
    const { amount, currency } = amountAndCurrency(text);
    if (currency === null) continue;
    values[ROW_SLOTS.amount] = amount;
    values[ROW_SLOTS.currency] = currency;
    lines[ROW_SLOTS.currency] = lines[ROW_SLOTS.amount] ?? 0;
    names[ROW_SLOTS.currency] = names[ROW_SLOTS.amount] ?? "";
  }
}

/** Reads the file a second time. Of several categories of a product, the first one is used. */
export async function* readCategories(
  file: FileBytes,
  encoding: Encoding,
  compiled: CompiledProfile,
  limits: { readonly xml: XmlLimits; readonly itemsMax: number },
): AsyncGenerator<ReadEvent, ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const groups = new Map<string, string>();
  const { transform } = compiled.profile.fields.sku;
  const sink = new RecordReader(compiled, {
    record() {},
    group(id, name) {
      if (name.length <= 200 && names.size < limits.itemsMax && !names.has(id)) {
        names.set(copied(id), copied(name));
      }
    },
    member(written, group) {
      const sku = skuOf(written, transform);
      if (groups.size < limits.itemsMax && !groups.has(sku)) groups.set(copied(sku), copied(group));
    },
  });
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

/** A slice of a string would keep the whole chunk in memory. */
function copied(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
