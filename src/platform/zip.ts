/** Configures the ZIP library once for all readers and writers. */
import { configure } from "@zip.js/zip.js";

/** Number of packed bytes inflated in one step, to up to a thousand times as many bytes. */
const PACKED_CHUNK_BYTES = 4_096;

/** With a low maximum, open entries that nobody reads would block all others. */
const ENTRIES_AT_ONCE = 1_000_000;

configure({ chunkSize: PACKED_CHUNK_BYTES, maxWorkers: ENTRIES_AT_ONCE });
