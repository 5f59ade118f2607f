import type { ImportDeps } from "../../imports/apply/span.ts";
import type { Config } from "./config.ts";

export function importDeps(
  config: Config,
  wake: ImportDeps["wake"],
  answerMs = 10_000,
): ImportDeps {
  return {
    wake,
    answerMs,
    allowed: config.SCRAPE_ALLOW_PRIVATE,
    limits: {
      bodyBytesMax: config.IMPORT_MAX_BODY_BYTES,
      spoolBytesMax: config.IMPORT_MAX_SPOOL_BYTES ??
        2 * config.IMPORT_MAX_BODY_BYTES + 1024 * 1024,
      unpackedBytesMax: config.IMPORT_MAX_UNPACKED_BYTES,
      ratioMax: config.IMPORT_MAX_RATIO,
      filesMax: config.IMPORT_MAX_FILES,
      itemsMax: config.IMPORT_MAX_ITEMS,
      xml: { depthMax: config.IMPORT_MAX_DEPTH, textCharsMax: config.IMPORT_MAX_TEXT_CHARS },
    },
  };
}
