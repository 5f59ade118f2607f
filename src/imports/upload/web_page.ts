/** Web pages that are called tables: what programs save as .xls and a spreadsheet opens all the same. */
import { ChunkDecoder, type Encoding } from "../../engine/xml/encoding.ts";
import { type FileBytes, headOf } from "../files/byte_source.ts";
import type { FileFault } from "../files/file_fault.ts";

const HEAD_BYTES = 1_024;
const BEGINNING =
  /^\s*<(?:!doctype\s+html|html|head|meta|title|style|body|div|center|table)(?=[\s>/])/i;
const XML_NAME = /\.xml$/i;

export const WEB_PAGE: FileFault = {
  code: "unknown_format",
  line: null,
  message: "The file is a web page that is called a table: save it as .xlsx or as CSV",
};

/** Whether what is no XML begins as a web page does; what is named `.xml` is meant to be XML. */
export async function isWebPage(file: FileBytes, encoding: Encoding): Promise<boolean> {
  if (XML_NAME.test(file.name)) return false;
  const head = await headOf(file, HEAD_BYTES);
  return BEGINNING.test(new ChunkDecoder(encoding).text(head));
}
