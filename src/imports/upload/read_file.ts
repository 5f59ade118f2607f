/** Reads one XML file of an upload into judged records. */

import {
  ChunkDecoder,
  decideEncoding,
  type Encoding,
  ENCODING_HEAD_BYTES,
  fallbackEncoding,
  StrictCheck,
} from "../../engine/xml/encoding.ts";
import { type XmlFault, type XmlLimits, XmlReader, type XmlSink } from "../../engine/xml/reader.ts";
import { type FileBytes, type FileFault, headOf, parseChunks } from "../files/byte_source.ts";
import { looksLikePrice } from "../files/suggest_columns.ts";
import {
  type AnyProfile,
  type ImportProfile,
  isOfXml,
  isTable,
  type RecordTerms,
} from "../profiles/profile.ts";
import { comparedName, type PathNode } from "../profiles/profile_path.ts";
import { type CompiledProfile, compileProfile, STARTS } from "../records/compiled_profile.ts";
import { RecordEvaluator, type RecordSetting } from "../records/evaluate_record.ts";
import { skuOf } from "../records/field_values.ts";
import type { EvaluatedRecord } from "../records/record_patch.ts";
import { RecordReader } from "../records/record_reader.ts";
import { SALE_TIER } from "../records/written_amount.ts";
import type { FileEvent } from "./file_event.ts";
import { foreignXml, isRootOf, pickProfile, rootElement } from "./foreign_file.ts";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** A category has no longer name. */
const NAME_CHARS_MAX = 200;

/**
 * Category names by SKU. They may stand after the products that they are of, so this takes a reading
 * of the file of its own; of several categories of a product the first counts.
 */
async function* readCategories(
  file: FileBytes,
  encoding: Encoding,
  compiled: CompiledProfile,
  limits: { readonly xml: XmlLimits; readonly itemsMax: number },
): AsyncGenerator<FileEvent, ReadonlyMap<string, string> | XmlFault> {
  const names = new Map<string, string>();
  const groups = new Map<string, string>();
  const { transform } = compiled.profile.fields.sku;
  const sink = new RecordReader(compiled, {
    record() {},
    group(id, name) {
      if (name.length <= NAME_CHARS_MAX && names.size < limits.itemsMax && !names.has(id)) {
        names.set(copied(id), copied(name));
      }
    },
    member(written, group) {
      const sku = skuOf(written, transform);
      if (groups.size < limits.itemsMax && !groups.has(sku)) groups.set(copied(sku), copied(group));
    },
  });
  for await (const step of parseChunks(file, encoding, new XmlReader(sink, limits.xml))) {
    if ("fault" in step) return step.fault;
    yield { kind: "progress", bytes: step.chunk.length };
  }
  for (const [sku, group] of groups) {
    const name = names.get(group);
    if (name === undefined) groups.delete(sku);
    else groups.set(sku, name);
  }
  return groups;
}

/** A text of its own: a piece of a chunk keeps the whole chunk in memory. */
function copied(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}

const HEAD_BYTES = 1_024;
const BEGINNING =
  /^\s*<(?:!doctype\s+html|html|head|meta|title|style|body|div|center|table)(?=[\s>/])/i;
const XML_NAME = /\.xml$/i;

const WEB_PAGE: FileFault = {
  code: "unknown_format",
  line: null,
  message: "The file is a web page that is called a table: save it as .xlsx or as CSV",
};

/** Whether what is no XML begins as a web page does; what is named `.xml` is meant to be XML. */
async function isWebPage(file: FileBytes, encoding: Encoding): Promise<boolean> {
  if (XML_NAME.test(file.name)) return false;
  const head = await headOf(file, HEAD_BYTES);
  return BEGINNING.test(new ChunkDecoder(encoding).text(head));
}

/** An ERP may call its root `table`, too, but not in a file that is named so. */
const WORKBOOK_NAME = /\.(?:xlsx?|html?)$/i;

export interface FileSetting extends Omit<RecordSetting, "profile" | "file" | "categories"> {
  /** The profile that the request names; null lets the root element pick one of `profiles`. */
  readonly profile: AnyProfile | null;
  readonly profiles: readonly AnyProfile[];
  readonly xml: XmlLimits;
  /** Records of the whole upload. */
  readonly itemsMax: number;
  /** Whether a file is read on of which a whole column of prices cannot be used. */
  readonly allowsNoPrices: boolean;
}

/**
 * Reads one XML file. Its encoding is known before its first record is told; `firstIndex` is the
 * index of that record in the upload.
 */
export async function* readFile(
  file: FileBytes,
  setting: FileSetting,
  firstIndex: number,
): AsyncGenerator<FileEvent> {
  const encoding = yield* detectEncoding(file);
  if ("code" in encoding) return yield { kind: "fault", fault: encoding };
  if (encoding.guess !== null) yield { kind: "guess", message: encoding.guess };

  const known = await profileOf(file, encoding, setting);
  if ("code" in known) return yield { kind: "fault", fault: known };
  const { profile, root } = known;
  const { itemPath, id } = profile;
  yield { kind: "xml", xml: { encoding: encoding.label, root, itemPath, profile: id } };
  const compiled = compileProfile(profile);
  const categories = profile.groups
    ? yield* readCategories(file, encoding, compiled, setting)
    : null;
  if (categories && "code" in categories) return yield { kind: "fault", fault: categories };
  const evaluator = new RecordEvaluator({
    ...setting,
    profile: termsOfXml(profile),
    file: file.name,
    categories,
  });
  if (!hasPricePath(profile)) yield { kind: "warning", ...NO_PRICES };
  const ignored = await unreadPrices(file, encoding, compiled, setting.xml);
  if (ignored.length > 0) yield { kind: "warning", ...unreadFault(ignored) };
  yield* readRecords(file, encoding, { compiled, evaluator, setting, firstIndex });
}

function hasPricePath({ prices, sale }: ImportProfile): boolean {
  return prices !== null || sale !== null;
}

function unreadFault(names: readonly string[]): FileFault {
  const message =
    `Nothing is read from ${names.length} elements or attributes that look like prices`;
  return { code: "columns_ignored", line: null, message, value: names.join(", ") };
}

const NO_PRICES: FileFault = {
  code: "no_price_column",
  line: null,
  message: "No element is our price, so our prices stay as they are",
};

async function profileOf(
  file: FileBytes,
  encoding: Encoding,
  setting: FileSetting,
): Promise<{ profile: ImportProfile; root: string } | FileFault> {
  const root = await rootElement(file, encoding, setting.xml);
  if ("code" in root) return await isWebPage(file, encoding) ? WEB_PAGE : root;
  if (root.name.toLowerCase() === "html") return WEB_PAGE;
  if (WORKBOOK_NAME.test(file.name) && await isWebPage(file, encoding)) return WEB_PAGE;
  const named = setting.profile;
  const picked = named ?? pickProfile(root, setting.profiles.filter(isOfXml));
  // A workspace may have a profile for such files.
  const isMeant = picked !== null && isOfXml(picked) && picked.detect.root !== "*";
  const foreign = isMeant ? null : foreignXml(root);
  if (foreign !== null) return foreign;
  if (named !== null && isTable(named)) return notATable(named);
  const profile = picked !== null && isOfXml(picked) ? picked : null;
  if (profile && isRootOf(root.name, profile.detect)) return { profile, root: root.name };
  const message = `No item can be in a root element "${root.name.slice(0, 80)}"`;
  return { code: "unexpected_root", line: null, message };
}

/** A price for a time goes before the others. */
function termsOfXml(profile: ImportProfile): RecordTerms {
  const { prices, sale } = profile;
  return prices && sale ? { ...profile, prices: { ...prices, firstTier: SALE_TIER } } : profile;
}

function notATable({ id }: AnyProfile): FileFault {
  const message = `The profile "${id}" reads tables, and the file is XML`;
  return { code: "unexpected_root", line: null, message };
}

async function* readRecords(file: FileBytes, encoding: Encoding, reading: {
  readonly compiled: CompiledProfile;
  readonly evaluator: RecordEvaluator;
  readonly setting: FileSetting;
  readonly firstIndex: number;
}): AsyncGenerator<FileEvent> {
  const { compiled, evaluator, setting } = reading;
  const hash = createHash("sha256");
  let index = reading.firstIndex;
  let records: EvaluatedRecord[] = [];
  let bytes = 0;
  let isWanting = false;
  // A profile without a path to them has said so before.
  let hasPrices = !hasPricePath(compiled.profile);
  const sink = new RecordReader(compiled, {
    record: (raw) => {
      const record = evaluator.evaluate(raw, index++);
      records.push(record);
      isWanting ||= record.patch?.isDeleted !== true;
      hasPrices ||= raw.hasAmount;
    },
    group() {},
    member() {},
  });
  for await (const step of parseChunks(file, encoding, new XmlReader(sink, setting.xml))) {
    if ("fault" in step) return yield { kind: "fault", fault: step.fault };
    hash.update(step.chunk);
    bytes += step.chunk.length;
    if (index > setting.itemsMax) return yield { kind: "fault", fault: tooManyItems(setting) };
    yield { kind: "records", bytes: step.chunk.length, records };
    records = [];
  }
  sink.end();
  if (index > setting.itemsMax) return yield { kind: "fault", fault: tooManyItems(setting) };
  if (records.length > 0) yield { kind: "records", bytes: 0, records };
  if (isWanting && !hasPrices) yield { kind: "warning", ...NO_PRICES };
  const info = {
    name: file.name,
    bytes,
    encoding: encoding.label,
    sha256: hash.digest("hex"),
    items: sink.items,
    profile: compiled.profile.id,
  };
  yield { kind: "done", info };
  yield* refusedPrices(evaluator, setting);
}

/** The fault of a file that was read to its end and has a column of prices that nothing came of. */
export function* refusedPrices(
  { prices }: RecordEvaluator,
  { allowsNoPrices }: Pick<FileSetting, "allowsNoPrices">,
): Generator<FileEvent> {
  const fault = allowsNoPrices ? null : prices.fault();
  if (fault !== null) yield { kind: "fault", fault };
}

/** Of an upload that holds more than it may. */
export function tooManyItems({ itemsMax }: Pick<FileSetting, "itemsMax">): FileFault {
  return { code: "too_large", line: null, message: `The upload has more than ${itemsMax} items` };
}

/**
 * The encoding of a file, or why it cannot be read. Where a wrong byte could show up late, the whole
 * file is decoded once before it is read, so that no record is ever told in the wrong letters.
 */
async function* detectEncoding(
  file: FileBytes,
): AsyncGenerator<FileEvent, Encoding | FileFault> {
  const decided = decideEncoding(await headOf(file, ENCODING_HEAD_BYTES), file.charset);
  if ("unknown" in decided) {
    const value = decided.unknown;
    const message = `The encoding "${value.slice(0, 80)}" is not known`;
    return { code: "unknown_encoding", line: 1, message, value };
  }
  const { encoding } = decided;
  if (!encoding.canFail || (yield* isSound(file, encoding))) return encoding;
  const message = `The file is not ${encoding.label} throughout`;
  return fallbackEncoding(encoding) ?? { code: "malformed_xml", line: null, message };
}

async function* isSound(file: FileBytes, encoding: Encoding): AsyncGenerator<FileEvent, boolean> {
  const check = new StrictCheck(encoding);
  for await (const chunk of file.chunks()) {
    if (!check.accepts(chunk)) return false;
    yield { kind: "progress", bytes: chunk.length };
  }
  return check.accepts(null);
}

const ITEMS_MAX = 100;
const BYTES_MAX = 1_048_576;
/** A hostile file may have any number of names. */
const NAMES_MAX = 1_000;
const VALUE_CHARS_MAX = 64;

/** Their paths from the item, names as the file writes them, in the order in which they come. */
async function unreadPrices(
  file: FileBytes,
  encoding: Encoding,
  compiled: CompiledProfile,
  limits: XmlLimits,
): Promise<string[]> {
  const values = new UnreadValues(compiled);
  const reader = new XmlReader(values, limits);
  const decoder = new ChunkDecoder(encoding);
  let bytes = 0;
  for await (const chunk of file.chunks()) {
    bytes += chunk.length;
    // A fault comes up again when the records are read.
    const fault = reader.write(decoder.text(chunk));
    if (fault !== null || values.items > ITEMS_MAX || bytes >= BYTES_MAX) break;
  }
  return values.pricesLike();
}

interface Leaf {
  readonly path: string;
  text: string;
}

/** Gathers the values of items that no path of the profile leads to. */
class UnreadValues implements XmlSink {
  items = 0;
  readonly #compiled: CompiledProfile;
  readonly #values = new Map<string, string[]>();
  readonly #nodes: PathNode[];
  /** Of the open elements within the item. */
  readonly #names: string[] = [];
  /** How deep the item is; 0 outside of items. */
  #itemDepth = 0;
  /** The innermost open element, as long as it holds no other one and its text is not read. */
  #leaf: Leaf | null = null;

  constructor(compiled: CompiledProfile) {
    this.#compiled = compiled;
    this.#nodes = [compiled.file.root];
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const found = (this.#nodes.at(-1) ?? this.#compiled.file.root).child(name, attributes);
    const isItem = (found.starts & STARTS.item) > 0;
    const node = isItem ? this.#compiled.item.root : found;
    this.#nodes.push(node);
    if (isItem) {
      this.items += 1;
      this.#itemDepth = this.#nodes.length;
    }
    if (this.#itemDepth === 0) return;
    if (!isItem) this.#names.push(name);
    const path = this.#names.join("/");
    this.#leaf = node.text.length > 0 || isItem ? null : { path, text: "" };
    for (const written in attributes) {
      const isRead = node.attributes.some((one) => one.name === comparedName(written));
      if (!isRead) this.#note([...this.#names, `@${written}`].join("/"), attributes[written] ?? "");
    }
  }

  text(piece: string): void {
    const leaf = this.#leaf;
    if (leaf !== null && leaf.text.length <= VALUE_CHARS_MAX) leaf.text += piece;
  }

  close(): void {
    if (this.#leaf !== null) this.#note(this.#leaf.path, this.#leaf.text);
    this.#leaf = null;
    if (this.#nodes.length === this.#itemDepth) this.#itemDepth = 0;
    this.#names.pop();
    this.#nodes.pop();
  }

  pricesLike(): string[] {
    return [...this.#values].filter(([path, values]) =>
      looksLikePrice(comparedName(path.slice(path.lastIndexOf("/") + 1).replace(/^@/, "")), values)
    ).map(([path]) => path);
  }

  #note(path: string, written: string): void {
    const value = written.trim();
    if (value === "" || this.items > ITEMS_MAX) return;
    const known = this.#values.get(path);
    if (known !== undefined) {
      // An element may stand any number of times in an item.
      if (known.length < ITEMS_MAX) known.push(value.slice(0, VALUE_CHARS_MAX + 1));
    } else if (this.#values.size < NAMES_MAX) this.#values.set(path, [value]);
  }
}
