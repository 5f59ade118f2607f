import {
  decideEncoding,
  type Encoding,
  ENCODING_HEAD_BYTES,
  fallbackEncoding,
  StrictCheck,
} from "../../engine/xml/encoding.ts";
import { type FileBytes, headOf } from "../files/byte_source.ts";
import type { FileFault } from "../files/file_fault.ts";
import type { FileEvent } from "./file_event.ts";

/**
 * The encoding of a file, or why it cannot be read. Where a wrong byte could show up late, the whole
 * file is decoded once before it is read, so that no record is ever told in the wrong letters.
 */
export async function* detectEncoding(
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
