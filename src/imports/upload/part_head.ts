import { Buffer } from "node:buffer";
import { charsetOf } from "./upload_type.ts";

/** What the headers of a part of a form say; a text that is not there is empty. */
export interface PartHead {
  readonly field: string;
  /** Without the folders before it. */
  readonly fileName: string;
  readonly type: string;
  /** Of the type; null when it names none. */
  readonly charset: string | null;
}

const PARAMETER = /;\s*([^\s;=]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;

/** Null for a part that is none of a form. `lines` are values by lower-case name, each byte a character. */
export function readPartHead(lines: object): PartHead | null {
  const disposition = valueOf(lines, "content-disposition");
  if (!/^form-data\s*(;|$)/i.test(disposition)) return null;
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of disposition.matchAll(PARAMETER)) {
    const text = quoted === undefined ? plain.trim() : quoted.replace(/\\(["\\])/g, "$1");
    parameters.set(name.toLowerCase(), text);
  }
  const type = valueOf(lines, "content-type");
  const path = extendedText(parameters.get("filename*")) ?? parameters.get("filename") ?? "";
  const fileName = path.split(/[/\\]/).at(-1) ?? "";
  return { field: parameters.get("name") ?? "", fileName, type, charset: charsetOf(type) };
}

function valueOf(lines: object, name: string): string {
  const values: unknown = Object.entries(lines).find(([key]) => key === name)?.[1];
  const value: unknown = Array.isArray(values) ? values[0] : undefined;
  return typeof value === "string" ? Buffer.from(value, "latin1").toString("utf8") : "";
}

/** `UTF-8''K%C3%A4se.xml` (RFC 5987); null for what is none. */
function extendedText(text: string | undefined): string | null {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(text ?? "")?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null; // Broken percent signs: the plain name beside it is taken.
  }
}
