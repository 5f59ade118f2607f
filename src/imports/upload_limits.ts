import type { UploadSetting } from "./upload/read_upload.ts";

/** The bounds of uploads (decisions §7, "Limits"), as the process is configured. */
export interface UploadLimits extends
  Pick<
    UploadSetting,
    "xml" | "itemsMax" | "filesMax" | "ratioMax" | "unpackedBytesMax"
  > {
  readonly bodyBytesMax: number;
}
