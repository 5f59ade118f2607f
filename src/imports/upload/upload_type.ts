/** Parses the Content-Type of an upload. */
import { Failure, refuseFields } from "../../base/failure.ts";

/** The Content-Type of an upload; `charset` is its own, or null. */
export type UploadType =
  | { readonly kind: "raw"; readonly charset: string | null; readonly isXml: boolean }
  | { readonly kind: "multipart"; readonly boundary: string };

const XML = ["application/xml", "text/xml"];
/** Kinds of files that are told by their content, whatever they are called. */
const RAW = [
  ...XML,
  "application/zip",
  "application/gzip",
  "application/x-gzip",
  "text/csv",
  "text/tab-separated-values",
  "text/plain",
  "application/json",
  "application/x-ndjson",
  "application/ndjson",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.ms-excel",
  "application/octet-stream",
];
const CURL_DEFAULT = "application/x-www-form-urlencoded";

/** No client writes a longer type; what is longer is not even read. */
const HEADER_CHARACTERS_MAX = 1_024;
/** RFC 2046 §5.1.1; the parser searches all of a body for it. */
const BOUNDARY_CHARACTERS_MAX = 70;
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^;\s]+))/i;

/**
 * Refuses with `unsupported_media_type`, in words that help users of curl
 * (docs/decisions/imports.md, "Bodies"), with `validation_failed` a form whose boundary is missing
 * or longer than 70 characters.
 */
export function uploadType(header: string | undefined): UploadType {
  if ((header ?? "").length > HEADER_CHARACTERS_MAX) {
    throw misfitType(`Must have at most ${HEADER_CHARACTERS_MAX} characters`);
  }
  const type = header?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (RAW.includes(type)) {
    return { kind: "raw", charset: charsetOf(header ?? ""), isXml: isXmlType(type) };
  }
  if (type === "multipart/form-data") {
    return { kind: "multipart", boundary: boundaryOf(header ?? "") };
  }
  throw new Failure("unsupported_media_type", `${misfit(type)}: ${HINT}`, {
    accepted: [...RAW, "multipart/form-data"],
  });
}

/**
 * A body that was packed on its way is a file in gzip, which its content says as well. Refuses with
 * `unsupported_media_type` what is packed otherwise, and a packed form.
 */
export function requireKnownCoding(header: string | null, { kind }: UploadType): void {
  const coding = header?.trim().toLowerCase() ?? "";
  if (coding === "" || coding === "identity") return;
  const isGzip = coding === "gzip" || coding === "x-gzip";
  if (isGzip && kind === "raw") return;
  const what = isGzip ? "A form in gzip is not taken here" : `"${coding.slice(0, 100)}" is not`;
  const message = isGzip
    ? `${what}: pack the files in it instead`
    : `The Content-Encoding ${what} taken here: send "gzip", or the file as it is`;
  throw new Failure("unsupported_media_type", message, { accepted: ["gzip", "identity"] });
}

/** Whether a media type says that its content is XML. */
export function isXmlType(type: string): boolean {
  return XML.includes(type.split(";")[0]?.trim().toLowerCase() ?? "");
}

const HINT = 'send XML with the header "Content-Type: application/xml" (curl: -H ' +
  '"Content-Type: application/xml" --data-binary @file.xml), CSV with "text/csv", a workbook or ' +
  'an archive with "application/octet-stream", or files as multipart/form-data (curl: -F file=@file.xml)';

function misfit(type: string): string {
  if (type === "") return "The Content-Type is missing";
  const shown = type.slice(0, 100);
  return type === CURL_DEFAULT
    ? `"${shown}" is what curl sends by itself and is not taken here`
    : `The Content-Type "${shown}" is not taken here`;
}

function boundaryOf(header: string): string {
  const [, quoted, plain] = BOUNDARY.exec(header) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw misfitType("Names no boundary");
  if (boundary.length > BOUNDARY_CHARACTERS_MAX) {
    throw misfitType(`Has a boundary of more than ${BOUNDARY_CHARACTERS_MAX} characters`);
  }
  return boundary;
}

function misfitType(message: string): Failure {
  return refuseFields([{ path: "Content-Type", message }]);
}

/** The charset of a media type, as it is written; null when it names none. */
export function charsetOf(type: string): string | null {
  return /;\s*charset\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(type)?.slice(1).find(Boolean) ?? null;
}
