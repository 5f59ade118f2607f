/** Reads an XML file of an upload, and checks and converts its records. */
import {
  decideEncoding,
  type Encoding,
  ENCODING_HEAD_BYTES,
  fallbackEncoding,
  StrictCheck,
} from "../../base/bytes.ts";
import { type XmlLimits, XmlReader, type XmlSink } from "../../engine/xml/reader.ts";
import type { ArchiveLimits, UnpackedCounter } from "../files/archive.ts";
import {
  encodingGuessed,
  type FileBytes,
  FileError,
  type FileFault,
  fileWarning,
  type Finding,
  headOf,
  isWebPage,
  parseChunks,
  type ReadEvent,
  refuseForeignXml,
  type RootElement,
  unknownEncoding,
  webPageError,
} from "../files/source_file.ts";
import type { TableLayout } from "../files/text_table.ts";
import { type AnyProfile, isOfXml, type TableProfile } from "../profiles/table_profile.ts";
import { comparedName, type ImportProfile, type RecordTerms } from "../profiles/xml_profile.ts";
import { RecordEvaluator } from "../records/evaluate_record.ts";
import type { EvaluatedRecord } from "../records/record_patch.ts";
import { looksLikePrice } from "../files/columns.ts";
import { partRules, PathNode, PathReader, XmlRecords } from "../records/xml_records.ts";
import { SALE_TIER } from "../records/price_rows.ts";
import { type RecordSetting, skuOf } from "../records/field_values.ts";
import { z } from "@hono/zod-openapi";
import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";

export const FileInfo = z.object({
  name: z.string().describe("Name as sent, or in its archive"),
  bytes: z.int(),
  encoding: z.string().describe("Name of the encoding in the WHATWG Encoding Standard"),
  sha256: z.string(),
  items: z.int().describe("Number of records in the file"),
  profile: z.string().describe("The import profile that read it"),
}).meta({ id: "ImportFile" });
export type FileInfo = Readonly<z.infer<typeof FileInfo>>;

export interface KnownTable {
  readonly layout: TableLayout;
  readonly profile: TableProfile;
  readonly isSuggested: boolean;
}

export interface KnownXml {
  readonly encoding: string;
  readonly root: string;
  readonly itemPath: string;
  readonly profile: string;
}

export type FileEvent =
  | ReadEvent
  | { readonly kind: "table"; readonly table: KnownTable }
  | { readonly kind: "xml"; readonly xml: KnownXml }
  | {
    readonly kind: "records";
    readonly file: string;
    readonly bytes: number;
    readonly records: readonly EvaluatedRecord[];
  }
  | { readonly kind: "file"; readonly info: FileInfo };

export type FileReading = AsyncGenerator<FileEvent>;

/** `refused` is the last event of an invalid upload: no record of the upload may be applied. */
export type UploadEvent = FileEvent | { readonly kind: "refused"; readonly finding: Finding };

export interface UploadRun {
  readonly setting: UploadSetting;
  readonly unpacked: UnpackedCounter;
  file: string;
  files: number;
  items: number;
}

export interface FileSetting extends Omit<RecordSetting, "profile" | "file" | "categories"> {
  readonly profile: AnyProfile | null;
  readonly profiles: readonly AnyProfile[];
  readonly xml: XmlLimits;
  readonly itemsMax: number;
  readonly allowsNoPrices: boolean;
}

export interface UploadSetting extends FileSetting, ArchiveLimits {}

export function checkItems({ items, setting: { itemsMax } }: UploadRun): void {
  if (items <= itemsMax) return;
  throw new FileError("too_large", `The upload has more than ${itemsMax} items`);
}

export function countFile(run: UploadRun): void {
  run.files += 1;
  const { filesMax } = run.setting;
  if (run.files <= filesMax) return;
  throw new FileError("too_large", `The upload holds more than ${filesMax} files`);
}

/** Some programs save HTML as `list.xls`, so broken XML with such a name may be a web page. */
const WORKBOOK_NAME = /\.(?:xlsx?|html?)$/i;

export async function* readFile(file: FileBytes, run: UploadRun): FileReading {
  countFile(run);
  const { setting } = run;
  const encoding = yield* detectEncoding(file);
  if (encoding.guess !== null) yield encodingGuessed(file, encoding.guess);

  const parse: Parse = (sink) => parseChunks(file, encoding, new XmlReader(sink, setting.xml));
  const { profile, root } = await profileOf(file, encoding, parse, setting);
  const { itemPath, id } = profile;
  yield { kind: "xml", xml: { encoding: encoding.label, root, itemPath, profile: id } };
  const categories = yield* readCategories(parse, profile, setting.itemsMax);
  const terms = { profile: termsOfXml(profile), file: file.name, categories };
  const evaluator = new RecordEvaluator({ ...setting, ...terms });
  if (!hasPricePath(profile)) yield fileWarning(file.name, NO_PRICES);
  const read = yield* readRecords(file.name, parse, { profile, evaluator, run });
  const info = { name: file.name, ...read, profile: id, encoding: encoding.label };
  yield { kind: "file", info };
  if (!setting.allowsNoPrices) evaluator.prices.check();
}

type Parse = (sink: XmlSink) => AsyncGenerator<Uint8Array>;

function hasPricePath({ prices, sale }: ImportProfile): boolean {
  return prices !== null || sale !== null;
}

const NO_PRICES: FileFault = {
  code: "no_price_column",
  line: null,
  message: "The file has no element with our price, so our prices stay as they are",
};

async function rootElement(parse: Parse): Promise<RootElement | FileError> {
  const roots: RootElement[] = [];
  const sink = {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      if (roots.length === 0) roots.push({ name, namespace: namespaceOf(name, attributes) });
    },
    text() {},
    close() {},
  };
  try {
    for await (const _chunk of parse(sink)) if (roots[0]) break;
  } catch (error) {
    if (error instanceof FileError) return roots[0] ?? error;
    throw error;
  }
  return roots[0] ?? new FileError("malformed_xml", "There is no root element", { line: 1 });
}

function pickProfile(
  { name, namespace }: RootElement,
  profiles: readonly ImportProfile[],
): ImportProfile | null {
  const fits = profiles.filter(({ detect }) =>
    isRootOf(name, detect) && (detect.namespace === null || detect.namespace === namespace)
  );
  return fits.find(({ detect }) => detect.root !== "*") ?? fits[0] ?? null;
}

function isRootOf(name: string, detect: ImportProfile["detect"]): boolean {
  const wanted = comparedName(name);
  return detect.root === "*" ||
    detect.root.split("|").some((root) => comparedName(root) === wanted);
}

function namespaceOf(name: string, attributes: Readonly<Record<string, string>>): string | null {
  const colon = name.indexOf(":");
  const declaration = colon === -1 ? "xmlns" : `xmlns:${name.slice(0, colon)}`;
  return attributes[declaration] || null;
}

async function profileOf(file: FileBytes, encoding: Encoding, parse: Parse, setting: FileSetting) {
  const root = await rootElement(parse);
  const isBroken = root instanceof FileError;
  const isHtml = !isBroken && root.name.toLowerCase() === "html";
  const mayBePage = isBroken || WORKBOOK_NAME.test(file.name);
  if (isHtml || mayBePage && await isWebPage(file, encoding)) throw webPageError();
  if (isBroken) throw root;
  const picked = setting.profile ?? pickProfile(root, setting.profiles.filter(isOfXml));
  const profile = picked !== null && isOfXml(picked) ? picked : null;
  if (profile === null || profile.detect.root === "*") refuseForeignXml(root);
  if (profile && isRootOf(root.name, profile.detect)) return { profile, root: root.name };
  const message = `No import profile reads items from the root element "${root.name.slice(0, 80)}"`;
  throw new FileError("unexpected_root", message);
}

function termsOfXml(profile: ImportProfile): RecordTerms {
  const { prices, sale } = profile;
  return prices && sale ? { ...profile, prices: { ...prices, firstTier: SALE_TIER } } : profile;
}

async function* readRecords(
  name: string,
  parse: Parse,
  { profile, evaluator, run }: {
    readonly profile: ImportProfile;
    readonly evaluator: RecordEvaluator;
    readonly run: UploadRun;
  },
): AsyncGenerator<FileEvent, Pick<FileInfo, "bytes" | "sha256" | "items">> {
  const hash = createHash("sha256");
  let records: EvaluatedRecord[] = [];
  let bytes = 0;
  let isWanting = false;
  let hasPrices = !hasPricePath(profile);
  const reader = new XmlRecords(profile, (raw) => {
    const record = evaluator.evaluate(raw, run.items++);
    records.push(record);
    isWanting ||= record.patch?.isDeleted !== true;
    hasPrices ||= raw.hasAmount;
  });
  const unread = new UnreadValues();
  const sink = new PathReader(reader.paths, (path, text) => unread.note(path, text));
  for await (const chunk of parse(sink)) {
    hash.update(chunk);
    bytes += chunk.length;
    checkItems(run);
    if (sink.unread !== null && (reader.items > ITEMS_MAX || unread.isFull)) {
      sink.unread = null;
      yield* unread.warnings(name);
    }
    yield { kind: "records", file: name, bytes: chunk.length, records };
    records = [];
  }
  reader.end();
  checkItems(run);
  if (records.length > 0) yield { kind: "records", file: name, bytes: 0, records };
  if (sink.unread !== null) yield* unread.warnings(name);
  if (isWanting && !hasPrices) yield fileWarning(name, NO_PRICES);
  return { bytes, sha256: hash.digest("hex"), items: reader.items };
}

/** The first invalid byte may come late in the file, so the whole file is checked first. */
async function* detectEncoding(file: FileBytes): AsyncGenerator<ReadEvent, Encoding> {
  const decided = decideEncoding(await headOf(file, ENCODING_HEAD_BYTES), file.charset);
  if ("unknown" in decided) throw unknownEncoding(decided.unknown);
  const { encoding } = decided;
  if (!encoding.canFail || (yield* isSound(file, encoding))) return encoding;
  const fallback = fallbackEncoding(encoding);
  if (fallback) return fallback;
  const message = `The file contains bytes that are not ${encoding.label}`;
  throw new FileError("malformed_xml", message);
}

async function* isSound(
  file: FileBytes,
  encoding: Encoding,
): AsyncGenerator<ReadEvent, boolean> {
  const check = new StrictCheck(encoding);
  for await (const chunk of file.chunks()) {
    if (!check.accepts(chunk)) return false;
    yield { kind: "progress", bytes: chunk.length };
  }
  return check.accepts(null);
}

const ITEMS_MAX = 100;
const UNREAD_CHARS_MAX = 1_048_576;
const VALUE_CHARS_MAX = 64;

class UnreadValues {
  readonly #values = new Map<string, string[]>();
  #chars = 0;

  get isFull(): boolean {
    return this.#chars > UNREAD_CHARS_MAX;
  }

  note(path: string, text: string): void {
    if (this.isFull) return;
    // A slice keeps the whole text in memory, so the length of the whole text is counted.
    this.#chars += path.length + text.length;
    const values = this.#values.getOrInsertComputed(path, () => []);
    values.push(text.slice(0, VALUE_CHARS_MAX + 1));
  }

  *warnings(file: string) {
    const paths = [...this.#values].filter(([path, values]) =>
      looksLikePrice(comparedName(path.slice(path.lastIndexOf("/") + 1).replace(/^@/, "")), values)
    ).map(([path]) => path);
    if (paths.length === 0) return;
    const message = `${paths.length} elements or attributes look like prices, but are not read`;
    const value = paths.join(", ");
    yield fileWarning(file, { code: "columns_ignored", line: null, message, value });
  }
}

/** If a product has several categories, the first category is used. */
async function* readCategories(
  parse: Parse,
  { groups: paths, fields: { sku: { transform } } }: ImportProfile,
  itemsMax: number,
): AsyncGenerator<ReadEvent, ReadonlyMap<string, string> | null> {
  if (!paths) return null;
  const names = new Map<string, string>();
  const groups = new Map<string, string>();
  const sink = new PathReader(PathNode.rootOf([
    ...partRules(paths.path, ["id", "name"], paths, (group) => {
      const [id, name] = [group.text("id"), group.text("name")];
      if (!id || !name) return;
      if (name.length <= 200 && names.size < itemsMax && !names.has(id)) {
        names.set(copied(id), copied(name));
      }
    }),
    ...partRules(paths.memberPath, ["memberSku", "memberGroup"], paths, (member) => {
      const [written, group] = [member.text("memberSku"), member.text("memberGroup")];
      if (!written || !group) return;
      const sku = skuOf(written, transform);
      if (groups.size < itemsMax && !groups.has(sku)) groups.set(copied(sku), copied(group));
    }),
  ]));
  for await (const chunk of parse(sink)) {
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
