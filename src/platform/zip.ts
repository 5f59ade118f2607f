/** Configures the ZIP library once for all readers and writers. */
import { configure } from "@zip.js/zip.js";

const PACKED_CHUNK_BYTES = 4_096;

/**
 * The number of entries that are read at once has practically no limit, because unread entries must
 * not block other entries.
 */
const ENTRIES_AT_ONCE = 1_000_000;

configure({ chunkSize: PACKED_CHUNK_BYTES, maxWorkers: ENTRIES_AT_ONCE });
