import { createHash } from "node:crypto";
import type { Encoding } from "../../xml/encoding.ts";
import { type XmlLimits, XmlReader } from "../../xml/reader.ts";
import type { EvaluatedRecord } from "../records/record_patch.ts";
import type { ImportProfile } from "../profiles/profile.ts";
import { type CompiledProfile, compileProfile } from "../records/compiled_profile.ts";
import { RecordEvaluator, type RecordSetting } from "../records/evaluate_record.ts";
import { RecordReader } from "../records/record_reader.ts";
import type { FileBytes } from "./byte_source.ts";
import type { FileEvent, FileFault } from "./file_event.ts";
import { parseChunks } from "./parse_chunks.ts";
import { readCategories } from "./read_categories.ts";
import { isRootOf, pickProfile, rootElement } from "./root_element.ts";
import { detectEncoding } from "./detect_encoding.ts";

/** What the files of one upload are read with. */
export interface FileSetting extends Omit<RecordSetting, "profile" | "file" | "categories"> {
  /** The profile that the request names; null lets the root element pick one of `profiles`. */
  readonly profile: ImportProfile | null;
  readonly profiles: readonly ImportProfile[];
  readonly xml: XmlLimits;
  /** Records of the whole upload. */
  readonly itemsMax: number;
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

  const profile = await profileOf(file, encoding, setting);
  if ("code" in profile) return yield { kind: "fault", fault: profile };
  const compiled = compileProfile(profile);
  const categories = profile.groups
    ? yield* readCategories(file, encoding, compiled, setting)
    : null;
  if (categories && "code" in categories) return yield { kind: "fault", fault: categories };
  const evaluator = new RecordEvaluator({ ...setting, profile, file: file.name, categories });
  yield* readRecords(file, encoding, { compiled, evaluator, setting, firstIndex });
}

async function profileOf(
  file: FileBytes,
  encoding: Encoding,
  setting: FileSetting,
): Promise<ImportProfile | FileFault> {
  const root = await rootElement(file, encoding, setting.xml);
  if ("code" in root) return root;
  const profile = setting.profile ?? pickProfile(root, setting.profiles);
  if (profile && isRootOf(root.name, profile.detect)) return profile;
  const message = `No item can be in a root element "${root.name.slice(0, 80)}"`;
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
  const sink = new RecordReader(compiled, {
    record: (raw) => void records.push(evaluator.evaluate(raw, index++)),
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
  const info = {
    name: file.name,
    bytes,
    encoding: encoding.label,
    sha256: hash.digest("hex"),
    items: sink.items,
    profile: compiled.profile.id,
  };
  yield { kind: "done", info };
}

function tooManyItems({ itemsMax }: FileSetting): FileFault {
  return { code: "too_large", line: null, message: `The upload has more than ${itemsMax} items` };
}
