/** Settings and events of reading an upload, and properties of its files. */
import { z } from "@hono/zod-openapi";
import type { XmlLimits } from "../../engine/xml/reader.ts";
import type { ArchiveLimits, UnpackedBytes } from "../files/archive.ts";
import type { FileFault, ReadEvent } from "../files/byte_source.ts";
import type { Finding } from "../files/finding.ts";
import type { TableLayout } from "../files/open_table.ts";
import type { TableProfile } from "../profiles/table_profile.ts";
import type { AnyProfile } from "../profiles/profile.ts";
import type { RecordSetting } from "../records/evaluate_record.ts";
import type { EvaluatedRecord } from "../records/record_patch.ts";

export const FileInfo = z.object({
  name: z.string().describe("Name as sent, or in its archive"),
  bytes: z.int(),
  encoding: z.string().describe("Name of the encoding in the WHATWG Encoding Standard"),
  sha256: z.string(),
  items: z.int().describe("Number of records in the file"),
  profile: z.string().describe("The import profile that read it"),
}).meta({ id: "ImportFile" });
export type FileInfo = Readonly<z.infer<typeof FileInfo>>;

export interface KnownTable {
  readonly layout: TableLayout;
  readonly profile: TableProfile;
  readonly isSuggested: boolean;
}

export interface KnownXml {
  readonly encoding: string;
  readonly root: string;
  readonly itemPath: string;
  readonly profile: string;
}

type FileEvent =
  | ReadEvent
  | { readonly kind: "table"; readonly table: KnownTable }
  | { readonly kind: "xml"; readonly xml: KnownXml }
  | {
    readonly kind: "records";
    readonly file: string;
    readonly bytes: number;
    readonly records: readonly EvaluatedRecord[];
  }
  | { readonly kind: "file"; readonly info: FileInfo };

/** Returns the error if the upload is refused. */
export type FileReading = AsyncGenerator<FileEvent, FileFault | null>;

/** `refused` is the last event of an invalid upload. Nothing of the upload may be applied. */
export type UploadEvent = FileEvent | { readonly kind: "refused"; readonly finding: Finding };

export interface UploadRun {
  readonly setting: UploadSetting;
  readonly unpacked: UnpackedBytes;
  files: number;
  items: number;
}

export interface FileSetting extends Omit<RecordSetting, "profile" | "file" | "categories"> {
  /** If null, the content of the file decides which of `profiles` is used. */
  readonly profile: AnyProfile | null;
  readonly profiles: readonly AnyProfile[];
  readonly xml: XmlLimits;
  readonly itemsMax: number;
  /** True accepts a file although a whole column of its prices is unusable. */
  readonly allowsNoPrices: boolean;
}

export interface UploadSetting extends FileSetting, ArchiveLimits {}

export function itemsFault({ items, setting: { itemsMax } }: UploadRun): FileFault | null {
  if (items <= itemsMax) return null;
  return { code: "too_large", line: null, message: `The upload has more than ${itemsMax} items` };
}
