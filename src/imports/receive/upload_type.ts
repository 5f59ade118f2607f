import { Failure, refuseFields } from "../../base/failure.ts";

/** What a Content-Type says of an upload; `charset` is its own, or null. */
export type UploadType =
  | { readonly kind: "raw"; readonly charset: string | null }
  | { readonly kind: "multipart"; readonly boundary: string };

const RAW = ["application/xml", "text/xml", "application/zip"];
const CURL_DEFAULT = "application/x-www-form-urlencoded";

/** No client writes a longer type; what is longer is not even read. */
const HEADER_CHARACTERS_MAX = 1_024;
/** RFC 2046 §5.1.1; the parser searches all of a body for it. */
const BOUNDARY_CHARACTERS_MAX = 70;
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^;\s]+))/i;

/**
 * Refuses with `unsupported_media_type`, in words that help whoever uses curl
 * (docs/decisions/imports.md, "Bodies"), with `validation_failed` a form whose boundary is missing
 * or longer than 70 characters.
 */
export function uploadType(header: string | undefined): UploadType {
  if ((header ?? "").length > HEADER_CHARACTERS_MAX) {
    throw misfitType(`Must have at most ${HEADER_CHARACTERS_MAX} characters`);
  }
  const type = header?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (RAW.includes(type)) return { kind: "raw", charset: charsetOf(header ?? "") };
  if (type === "multipart/form-data") {
    return { kind: "multipart", boundary: boundaryOf(header ?? "") };
  }
  throw new Failure("unsupported_media_type", `${misfit(type)}: ${HINT}`, {
    accepted: [...RAW, "multipart/form-data"],
  });
}

const HINT = 'send XML with the header "Content-Type: application/xml" (curl: -H ' +
  '"Content-Type: application/xml" --data-binary @file.xml), ZIP with "Content-Type: ' +
  'application/zip", or files as multipart/form-data (curl: -F file=@file.xml)';

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
