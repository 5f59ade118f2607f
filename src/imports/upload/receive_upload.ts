/** Streams the body of a request into a blob, so that no file is held in memory. */
import { refuseFields } from "../../base/failure.ts";
import type { Authentication } from "../../platform/http/app_context.ts";
import { readBlocks } from "../../platform/http/body.ts";
import type { Context } from "../../platform/store/context.ts";
import { spoolBlob, type SpoolRoom, UNBOUNDED_ROOM } from "../../platform/store/spool.ts";
import type { OpenBlob } from "../../platform/store/spool_store.ts";
import { fileNameOf, readMultipart, requireKnownCoding, uploadType } from "./multipart.ts";
import type { UploadLimits, UploadPart } from "./read_upload.ts";
import { z } from "zod";

const Manifest = z.array(
  z.tuple([z.string(), z.string().nullable(), z.int(), z.int(), z.boolean().default(false)]),
);

interface ReceivedPart {
  readonly name: string;
  readonly charset: string | null;
  readonly offset: number;
  readonly bytes: number;
  readonly isXml: boolean;
}

function encodeManifest(parts: readonly ReceivedPart[]): Uint8Array {
  const rows = parts.map(({ name, charset, offset, bytes, isXml }) => [
    name,
    charset,
    offset,
    bytes,
    isXml,
  ]);
  return new TextEncoder().encode(JSON.stringify(rows));
}

export async function readParts(blob: OpenBlob, manifestAt: number): Promise<UploadPart[]> {
  const bytes = await blob.read(manifestAt, blob.size - manifestAt);
  const rows = Manifest.parse(JSON.parse(new TextDecoder().decode(bytes)));
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

export interface ReceivedUpload {
  readonly blobId: string;
  readonly manifestAt: number;
  /** Hash of all parts and their names, independent of the form's boundary. */
  readonly sha256: string;
  readonly label: string;
  /** Form fields other than files, if the caller asked for them. */
  readonly fields: ReadonlyMap<string, string>;
}

interface UploadSource {
  readonly request: Request;
  readonly limits: Pick<UploadLimits, "bodyBytesMax" | "spoolBytesMax">;
  readonly gate: Pick<Authentication, "bodyPace" | "thread">;
  readonly fieldNames: readonly string[];
}

/**
 * Throws the errors of `uploadType`; `payload_too_large` if the body is too large or the workspace
 * has too many uploads; `request_timeout` if the body stalls or breaks off; `validation_failed` for
 * a form without a file.
 */
export async function receiveUpload(ctx: Context, source: UploadSource): Promise<ReceivedUpload> {
  const { headers } = source.request;
  const type = uploadType(headers.get("Content-Type") ?? undefined);
  requireKnownCoding(headers.get("Content-Encoding"), type);
  const chunks = readBlocks(source.request, source.limits.bodyBytesMax, source.gate.bodyPace);
  const receiver = new Receiver(source.fieldNames);
  const parts = type.kind === "multipart"
    ? receiver.ofForm(type.boundary, chunks)
    : receiver.ofFiles([{ name: fileNameOf(headers) || "upload", chunks }], type);
  return receiver.received(await spoolBlob(ctx, parts, roomFor(ctx, source)));
}

function roomFor({ workspaceId }: Context, { request, limits, gate }: UploadSource): SpoolRoom {
  const declared = Number(request.headers.get("Content-Length") ?? 0);
  const expectedBytes = declared <= limits.bodyBytesMax ? declared : 0;
  return {
    bytesMax: limits.spoolBytesMax,
    expectedBytes,
    silentMs: gate.bodyPace.windowMs,
    inTurn: (commit) => gate.thread.step(workspaceId, commit),
  };
}

export interface LocalFile {
  /** May change until `chunks` ends, because a fetch takes the name from the response. */
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export async function receiveFiles(
  ctx: Context,
  files: readonly LocalFile[],
  spoolRoom: SpoolRoom = UNBOUNDED_ROOM,
): Promise<ReceivedUpload> {
  const receiver = new Receiver([]);
  return receiver.received(await spoolBlob(ctx, receiver.ofFiles(files, UNTYPED), spoolRoom));
}

type PartType = Pick<ReceivedPart, "charset" | "isXml">;

const UNTYPED: PartType = { charset: null, isXml: false };

class Receiver {
  manifestAt = 0;
  readonly fields = new Map<string, string>();
  readonly #fieldNames: readonly string[];
  readonly #parts: ReceivedPart[] = [];
  #begun:
    | Omit<ReceivedPart, "name" | "bytes"> & { readonly file: Pick<LocalFile, "name"> }
    | null = null;
  #offset = 0;

  constructor(fieldNames: readonly string[]) {
    this.#fieldNames = fieldNames;
  }

  get label(): string {
    const names = this.#parts.slice(0, 3).map(({ name }) => name);
    const more = this.#parts.length - names.length;
    return names.join(", ") + (more > 0 ? ` +${more}` : "");
  }

  received({ blobId, sha256 }: Awaited<ReturnType<typeof spoolBlob>>): ReceivedUpload {
    const { manifestAt, label, fields } = this;
    return { blobId, manifestAt, sha256: sha256 ?? "", label, fields };
  }

  async *ofFiles(files: readonly LocalFile[], type: PartType): AsyncGenerator<Uint8Array> {
    for (const file of files) {
      this.#begin(file, type);
      for await (const chunk of file.chunks) yield this.#passed(chunk);
    }
    yield this.#manifest();
  }

  async *ofForm(boundary: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const event of readMultipart(boundary, chunks, this.#fieldNames)) {
      if (event.kind === "field") this.#takeField(event.name, event.text);
      else if (event.kind === "file") this.#begin(event, event);
      else yield this.#passed(event.bytes);
    }
    if (this.#begun === null) {
      const message = "The form has no file (curl: -F file=@file.xml)";
      throw refuseFields([{ path: "file", message }]);
    }
    yield this.#manifest();
  }

  #begin(file: Pick<LocalFile, "name">, { charset, isXml }: PartType): void {
    this.#close();
    this.#begun = { file, charset, isXml, offset: this.#offset };
  }

  #passed(bytes: Uint8Array): Uint8Array {
    this.#offset += bytes.length;
    return bytes;
  }

  #close(): void {
    if (this.#begun === null) return;
    const { file, ...part } = this.#begun;
    const name = file.name.replace(/\p{Cc}/gu, "\ufffd").toWellFormed();
    const bytes = this.#offset - part.offset;
    this.#parts.push({ ...part, name: name.slice(0, 255), bytes });
  }

  #manifest(): Uint8Array {
    this.#close();
    this.manifestAt = this.#offset;
    return encodeManifest(this.#parts);
  }

  #takeField(name: string, text: string): void {
    if (!this.#fieldNames.includes(name)) {
      const message = "Is not a file: send options as query parameters";
      throw refuseFields([{ path: name, message }]);
    }
    this.fields.set(name, text);
  }
}
