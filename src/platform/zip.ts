/** Configures the ZIP library once for all readers and writers. */
import { configure } from "@zip.js/zip.js";

/** Bytes inflated at once, all in memory several times over; a bomb grows a thousandfold. */
export const PACKED_CHUNK_BYTES = 4_096;

/**
 * Entries at once. By default it is the number of cores, for threads that are not used here; then
 * an unread entry would block all others.
 */
const ENTRIES_AT_ONCE = 1_000_000;

configure({ chunkSize: PACKED_CHUNK_BYTES, maxWorkers: ENTRIES_AT_ONCE });
