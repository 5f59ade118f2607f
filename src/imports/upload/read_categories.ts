import { Buffer } from "node:buffer";
import type { Encoding } from "../../engine/xml/encoding.ts";
import { type XmlFault, type XmlLimits, XmlReader } from "../../engine/xml/reader.ts";
import type { CompiledProfile } from "../records/compiled_profile.ts";
import { skuOf } from "../records/field_values.ts";
import { RecordReader } from "../records/record_reader.ts";
import type { FileBytes } from "../files/byte_source.ts";
import type { FileEvent } from "./file_event.ts";
import { parseChunks } from "../files/parse_chunks.ts";

/** A category has no longer name. */
const NAME_CHARS_MAX = 200;

/**
 * Category names by SKU. They may stand after the products that they are of, so this takes a reading
 * of the file of its own; of several categories of a product the first counts.
 */
export async function* readCategories(
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
