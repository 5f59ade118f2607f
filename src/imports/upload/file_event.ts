/** Events while a file is read, and the facts known of it. */
import { z } from "@hono/zod-openapi";
import type { FileFault, LookEvent } from "../files/byte_source.ts";
import type { TableLook } from "../files/open_table.ts";
import type { TableProfile } from "../profiles/table_profile.ts";
import type { EvaluatedRecord } from "../records/record_patch.ts";

/** A file that was read to its end. */
export const FileInfo = z.object({
  name: z.string().meta({ description: "As it was sent, or as it is called in its archive" }),
  bytes: z.int(),
  encoding: z.string().meta({ description: "As the WHATWG Encoding Standard names it" }),
  /** 64 lower-case hex characters. */
  sha256: z.string(),
  items: z.int().meta({ description: "How many records it has" }),
  profile: z.string().meta({ description: "The import profile that read it" }),
}).meta({ id: "ImportFile" });

export type FileInfo = Readonly<z.infer<typeof FileInfo>>;

export interface KnownTable {
  readonly look: TableLook;
  readonly profile: TableProfile;
  readonly isSuggested: boolean;
}

export interface KnownXml {
  readonly encoding: string;
  readonly root: string;
  readonly itemPath: string;
  /** Id of the profile that it is read with. */
  readonly profile: string;
}

/**
 * Events while a file is read. `progress` tells of bytes that were looked through; `done` or
 * `fault` is the last event, and `fault` alone where both are told.
 */
export type FileEvent =
  | LookEvent
  | { readonly kind: "table"; readonly table: KnownTable }
  | { readonly kind: "xml"; readonly xml: KnownXml }
  /** Of the file, which is read on. */
  | (FileFault & { readonly kind: "warning" })
  | { readonly kind: "records"; readonly bytes: number; readonly records: EvaluatedRecord[] }
  | { readonly kind: "done"; readonly info: FileInfo }
  | { readonly kind: "fault"; readonly fault: FileFault };
