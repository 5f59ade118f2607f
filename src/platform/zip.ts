/** Configures the ZIP library once for all readers and writers. */
import { configure } from "@zip.js/zip.js";

/** Number of packed bytes inflated in one step. The result may be a thousand times as large. */
const PACKED_CHUNK_BYTES = 4_096;

/**
 * Maximum number of open entries. The default, the number of cores, is too low: open entries that
 * are not read would block all others.
 */
const ENTRIES_AT_ONCE = 1_000_000;

configure({ chunkSize: PACKED_CHUNK_BYTES, maxWorkers: ENTRIES_AT_ONCE });
