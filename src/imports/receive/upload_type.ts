import { Failure } from "../../base/failure.ts";

/** What a Content-Type says of an upload; `charset` is its own, or null. */
export type UploadType =
  | { readonly kind: "raw"; readonly charset: string | null }
  | { readonly kind: "multipart" };

const RAW = ["application/xml", "text/xml", "application/zip"];
const CURL_DEFAULT = "application/x-www-form-urlencoded";

/** Refuses with `unsupported_media_type`, in words that help whoever uses curl (decisions §7, "Bodies"). */
export function uploadType(header: string | undefined): UploadType {
  const type = header?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (RAW.includes(type)) return { kind: "raw", charset: charsetOf(header ?? "") };
  if (type === "multipart/form-data") return { kind: "multipart" };
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

/** The charset of a media type, as it is written; null when it names none. */
export function charsetOf(type: string): string | null {
  return /;\s*charset\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(type)?.slice(1).find(Boolean) ?? null;
}
