/** Streams the body of a request into the store, so that no file is held in memory. */
import { decoder, encoder } from "../../base/bytes.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import type { AppContext } from "../../platform/http/http.ts";
import { readBlocks } from "../../platform/http/body.ts";
import type { Context } from "../../platform/store/context.ts";
import { spoolBlob, type SpoolRoom, UNBOUNDED_ROOM } from "../../platform/store/spool.ts";
import type { OpenBlob } from "../../platform/store/spool_store.ts";
import type { UploadLimits, UploadPart } from "./read_upload.ts";
import { z } from "zod";
import { Buffer } from "node:buffer";

/** For each file: its name, charset, offset and length, and whether its content must be XML. */
const Manifest = z.array(
  z.tuple([z.string(), z.string().nullable(), z.int(), z.int(), z.boolean().default(false)]),
);

type ReceivedPart = z.infer<typeof Manifest>[number];

export async function readParts(blob: OpenBlob, manifestAt: number): Promise<UploadPart[]> {
  const bytes = await blob.read(manifestAt, blob.size - manifestAt);
  const rows = Manifest.parse(JSON.parse(decoder.decode(bytes)));
  return rows.map(([name, charset, offset, size, isXml]) => ({
    name,
    charset,
    isXml,
    source: {
      size,
      read: (from: number, length: number) =>
        blob.read(offset + from, Math.max(0, Math.min(length, size - from))),
    },
  }));
}

export type ReceivedUpload = Awaited<ReturnType<typeof receive>>;

/**
 * Throws `payload_too_large` if the body, or all uploads of the workspace, are too large. Throws
 * `request_timeout` if the body stalls or breaks off. Throws `unsupported_media_type` for an
 * unknown type or encoding. Throws `validation_failed` for a malformed form or one without a file.
 */
export async function receiveUpload(
  { req: { raw: request }, var: { ctx, gate } }: AppContext,
  limits: Pick<UploadLimits, "bodyBytesMax" | "spoolBytesMax">,
  fieldNames: readonly string[] = [],
): Promise<ReceivedUpload> {
  const { headers } = request;
  const type = uploadType(headers.get("Content-Type") ?? undefined);
  requireKnownCoding(headers.get("Content-Encoding"), type);
  const chunks = readBlocks(request, limits.bodyBytesMax, gate.bodyPace);
  const events = type.boundary === null
    ? eventsOf([{ name: fileNameOf(headers) || "upload", chunks }], type)
    : readMultipart(type.boundary, chunks, fieldNames);
  const declared = Number(headers.get("Content-Length") ?? 0);
  const room = {
    bytesMax: limits.spoolBytesMax,
    expectedBytes: declared <= limits.bodyBytesMax ? declared : 0,
    silentMs: gate.bodyPace.windowMs,
  };
  return await receive(ctx, events, room, fieldNames);
}

export interface LocalFile {
  /** The name may change during a download, so read the name only after the last chunk. */
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export async function receiveFiles(
  ctx: Context,
  files: readonly LocalFile[],
  spoolRoom: SpoolRoom = UNBOUNDED_ROOM,
): Promise<ReceivedUpload> {
  return await receive(ctx, eventsOf(files), spoolRoom);
}

type PartType = Pick<UploadPart, "charset" | "isXml">;

type UploadEvent =
  | { readonly kind: "file"; readonly file: Pick<LocalFile, "name"> } & PartType
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "field"; readonly name: string; readonly text: string };

async function* eventsOf(
  files: readonly LocalFile[],
  type: PartType = { charset: null, isXml: false },
): AsyncGenerator<UploadEvent> {
  for (const file of files) {
    yield { kind: "file", file, ...type };
    for await (const bytes of file.chunks) yield { kind: "bytes", bytes };
  }
}

/**
 * The stored blob has the bytes of all files, followed by the manifest. `sha256` is the hash of
 * the whole blob, so the boundaries of a multipart form do not affect the hash.
 */
async function receive(
  ctx: Context,
  events: AsyncIterable<UploadEvent>,
  room: SpoolRoom,
  fieldNames: readonly string[] = [],
) {
  const fields = new Map<string, string>();
  const begun: (Extract<UploadEvent, { kind: "file" }> & { readonly offset: number })[] = [];
  let manifest: readonly ReceivedPart[] = [];
  let offset = 0;
  async function* blob(): AsyncGenerator<Uint8Array> {
    for await (const event of events) {
      if (event.kind === "file") begun.push({ ...event, offset });
      else if (event.kind === "bytes") {
        offset += event.bytes.length;
        yield event.bytes;
      } else if (fieldNames.includes(event.name)) fields.set(event.name, event.text);
      else {
        const message = "Is not a file: send options as query parameters";
        throw refuseFields([{ path: event.name, message }]);
      }
    }
    if (begun.length === 0) {
      const message = "The form has no file (curl: -F file=@file.xml)";
      throw refuseFields([{ path: "file", message }]);
    }
    manifest = begun.map(({ file, charset, offset: from, isXml }, at) => {
      const name = file.name.replace(/\p{Cc}/gu, "\ufffd").toWellFormed().slice(0, 255);
      return [name, charset, from, (begun[at + 1]?.offset ?? offset) - from, isXml];
    });
    yield encoder.encode(JSON.stringify(manifest));
  }
  const { blobId, sha256 } = await spoolBlob(ctx, blob(), room);
  const names = manifest.slice(0, 3).map(([name]) => name);
  const more = manifest.length - names.length;
  const label = names.join(", ") + (more > 0 ? ` +${more}` : "");
  return { blobId, manifestAt: offset, sha256: sha256 ?? "", label, fields };
}

const PARAMETER = /;\s*([^\s;=]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;

/** `lines` is a binary string: each character stands for one byte. */
function readPartHead(lines: string, fieldNames: readonly string[]) {
  const unfolded = lines.replace(/\r\n[ \t]/g, " ").split("\r\n");
  const valueOf = (name: string) => {
    const line = unfolded.find((one) => one.toLowerCase().startsWith(name)) ?? "";
    return utf8Of(line.slice(name.length)).trim();
  };
  const disposition = valueOf("content-disposition:");
  if (!/^form-data\s*(;|$)/i.test(disposition)) return null;
  const parameters = parametersOf(disposition);
  const type = valueOf("content-type:");
  const field = parameters.get("name") ?? "";
  const fileName = fileNameIn(parameters);
  const isFile = !fieldNames.includes(field) && (fileName !== "" || FILE_TYPE.test(type));
  if (!isFile) return { field, file: null };
  const name = fileName || field || "file";
  return { field, file: { file: { name }, charset: charsetOf(type), isXml: isXmlType(type) } };
}

export function fileNameOf(headers: Headers): string {
  return fileNameIn(parametersOf(utf8Of(headers.get("Content-Disposition") ?? "")));
}

function parametersOf(disposition: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of disposition.matchAll(PARAMETER)) {
    const text = quoted === undefined ? plain.trim() : quoted.replace(/\\(["\\])/g, "$1");
    parameters.set(name.toLowerCase(), text);
  }
  return parameters;
}

function fileNameIn(parameters: ReadonlyMap<string, string>): string {
  const path = extendedText(parameters.get("filename*")) ?? parameters.get("filename") ?? "";
  return path.split(/[/\\]/).at(-1) ?? "";
}

function utf8Of(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Decodes a text such as `UTF-8''K%C3%A4se.xml` (RFC 5987). */
function extendedText(text: string | undefined): string | null {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(text ?? "")?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null; // The caller falls back to the plain name.
  }
}

const PARTS_MAX = 1_000;
const FILE_TYPE =
  /^(?:application\/(?:xml|zip|octet-stream|json|(?:x-)?ndjson|(?:x-)?gzip|vnd\.)|text\/(?:xml|csv|tab-))/i;

export async function* readMultipart(
  boundary: string,
  chunks: AsyncIterable<Uint8Array>,
  fieldNames: readonly string[],
): AsyncGenerator<UploadEvent> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  let rest = Buffer.from("\r\n");
  let state: "before" | "head" | "body" | "behind" = "before";
  let parts = 0;
  let head: ReturnType<typeof readPartHead> = null;
  let text = Buffer.from("");
  for await (const chunk of chunks) {
    if (state === "behind") continue;
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      if (state === "head") {
        const end = rest.indexOf("\r\n\r\n");
        if (rest.indexOf("--") === 0) state = "behind";
        else if (end < 0 && rest.length > 16_384) throw malformed("a head is too long");
        if (state === "behind" || end < 0) break;
        if (++parts > PARTS_MAX) throw malformed(`it has more than ${PARTS_MAX} parts`);
        head = readPartHead(rest.subarray(0, end).toString("latin1"), fieldNames);
        if (head?.file) yield { kind: "file", ...head.file };
        text = Buffer.from("");
        rest = rest.subarray(end + 4);
        state = "body";
      }
      const found = rest.indexOf(delimiter);
      const upTo = found < 0 ? Math.max(0, rest.length - delimiter.length + 1) : found;
      const bytes = rest.subarray(0, upTo);
      if (state === "body" && !head?.file) text = Buffer.concat([text, bytes]).subarray(0, 262_144);
      else if (state === "body" && upTo > 0) yield { kind: "bytes", bytes };
      rest = rest.subarray(found < 0 ? upTo : upTo + delimiter.length);
      if (found < 0) break;
      if (head && !head.file) yield { kind: "field", name: head.field, text: text.toString() };
      state = "head";
    }
  }
  if (state !== "behind") throw malformed("it ends before its last boundary");
}

function malformed(reason: string): Failure {
  return new Failure("validation_failed", `The multipart body cannot be read: ${reason}`);
}

const XML = ["application/xml", "text/xml"];
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
const HEADER_CHARACTERS_MAX = 1_024;
/** A boundary has at most 70 characters (RFC 2046 §5.1.1). */
const BOUNDARY_CHARACTERS_MAX = 70;
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^;\s]+))/i;

type UploadType = ReturnType<typeof uploadType>;

/** `boundary` is null if the whole body is one file. */
function uploadType(header: string | undefined) {
  if ((header ?? "").length > HEADER_CHARACTERS_MAX) {
    throw badType(`Must have at most ${HEADER_CHARACTERS_MAX} characters`);
  }
  const type = header?.split(";")[0]?.trim().toLowerCase() ?? "";
  const isForm = type === "multipart/form-data";
  if (isForm || RAW.includes(type)) {
    const boundary = isForm ? boundaryOf(header ?? "") : null;
    return { boundary, charset: charsetOf(header ?? ""), isXml: isXmlType(type) };
  }
  const message = `The Content-Type "${type.slice(0, 100)}" is not accepted here: ${HINT}`;
  const accepted = [...RAW, "multipart/form-data"];
  throw new Failure("unsupported_media_type", message, { accepted });
}

function requireKnownCoding(header: string | null, { boundary }: UploadType): void {
  const coding = header?.trim().toLowerCase() ?? "";
  if (coding === "" || coding === "identity") return;
  const isGzip = coding === "gzip" || coding === "x-gzip";
  if (isGzip && boundary === null) return;
  const message =
    `The Content-Encoding "${coding.slice(0, 100)}" is not accepted here: send "gzip" ` +
    "for one file, or a form whose files are packed";
  throw new Failure("unsupported_media_type", message, { accepted: ["gzip", "identity"] });
}

function isXmlType(type: string): boolean {
  return XML.includes(type.split(";")[0]?.trim().toLowerCase() ?? "");
}

const HINT = 'send XML with the header "Content-Type: application/xml" (curl: -H ' +
  '"Content-Type: application/xml" --data-binary @file.xml), CSV with "text/csv", a workbook or ' +
  'an archive with "application/octet-stream", or files as multipart/form-data (curl: -F file=@file.xml)';

function boundaryOf(header: string): string {
  const boundary = BOUNDARY.exec(header)?.slice(1).find(Boolean) ?? "";
  if (boundary !== "" && boundary.length <= BOUNDARY_CHARACTERS_MAX) return boundary;
  throw badType(`Must have a boundary of 1 to ${BOUNDARY_CHARACTERS_MAX} characters`);
}

function badType(message: string): Failure {
  return refuseFields([{ path: "Content-Type", message }]);
}

export function charsetOf(type: string): string | null {
  return /;\s*charset\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(type)?.slice(1).find(Boolean) ?? null;
}
