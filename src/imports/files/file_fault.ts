import type { FindingCode } from "./finding.ts";

/** Why a file, and with it the whole upload, is refused. */
export interface FileFault {
  readonly code: FindingCode;
  readonly line: number | null;
  readonly message: string;
  readonly value?: string;
  /** The column or element that it is about. */
  readonly field?: string;
}

/** What a file tells before its first record: bytes that were looked through, and what was guessed. */
export type LookEvent =
  | { readonly kind: "progress"; readonly bytes: number }
  | { readonly kind: "guess"; readonly message: string };
