import type { UploadSetting } from "./read_upload.ts";

/** The bounds of uploads (docs/decisions/imports.md, "Limits"), as the process is configured. */
export interface UploadLimits extends
  Pick<
    UploadSetting,
    "xml" | "itemsMax" | "filesMax" | "ratioMax" | "unpackedBytesMax"
  > {
  readonly bodyBytesMax: number;
  /** What the uploads of a workspace may take together: arriving, waiting, at work, kept. */
  readonly spoolBytesMax: number;
}
