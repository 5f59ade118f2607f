/** Configures the ZIP library once for all readers and writers. */
import { configure } from "@zip.js/zip.js";

/**
 * Number of compressed bytes that are expanded at a time. One compressed byte may expand to a
 * thousand bytes.
 */
const PACKED_CHUNK_BYTES = 4_096;

/** Unread entries must not block other entries, so this limit is never reached. */
const ENTRIES_AT_ONCE = 1_000_000;

configure({ chunkSize: PACKED_CHUNK_BYTES, maxWorkers: ENTRIES_AT_ONCE });
