import type { FindingCode } from "../findings/finding.ts";
import type { EvaluatedRecord } from "../records/record_patch.ts";

/** A file that was read to its end. */
export interface FileInfo {
  readonly name: string;
  readonly bytes: number;
  /** As the WHATWG Encoding Standard names it. */
  readonly encoding: string;
  /** 64 lower-case hex characters. */
  readonly sha256: string;
  readonly items: number;
  /** Id of the profile that it was read with. */
  readonly profile: string;
}

/** Why a file, and with it the whole upload, is refused. */
export interface FileFault {
  readonly code: FindingCode;
  readonly line: number | null;
  readonly message: string;
  readonly value?: string;
}

/**
 * What happens while a file is read. `progress` tells of bytes that were looked through; `done` or
 * `fault` is the last event.
 */
export type FileEvent =
  | { readonly kind: "progress"; readonly bytes: number }
  | { readonly kind: "records"; readonly bytes: number; readonly records: EvaluatedRecord[] }
  | { readonly kind: "guess"; readonly message: string }
  | { readonly kind: "done"; readonly info: FileInfo }
  | { readonly kind: "fault"; readonly fault: FileFault };
