/** The parts of an upload in one blob: their bytes one after the other, then this list of them. */
import { z } from "zod";
import type { OpenBlob } from "../../platform/store/spool.ts";
import type { UploadPart } from "./read_upload.ts";

const Manifest = z.array(
  z.tuple([z.string(), z.string().nullable(), z.int(), z.int(), z.boolean().default(false)]),
);

/** A part as it was received; `offset` and `bytes` say where it lies in the blob. */
export interface ReceivedPart {
  readonly name: string;
  readonly charset: string | null;
  readonly offset: number;
  readonly bytes: number;
  /** Its type says so. */
  readonly isXml: boolean;
}

export function encodeManifest(parts: readonly ReceivedPart[]): Uint8Array {
  const rows = parts.map(({ name, charset, offset, bytes, isXml }) => [
    name,
    charset,
    offset,
    bytes,
    isXml,
  ]);
  return new TextEncoder().encode(JSON.stringify(rows));
}

/** The parts of a spooled upload, each to be read from any place. */
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
