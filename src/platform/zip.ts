/** Configures the ZIP library once for all readers and writers. */
import { configure } from "@zip.js/zip.js";

const PACKED_CHUNK_BYTES = 4_096;

/** Practically no limit: an entry that is opened but not read must not block other entries. */
const ENTRIES_AT_ONCE = 1_000_000;

configure({ chunkSize: PACKED_CHUNK_BYTES, maxWorkers: ENTRIES_AT_ONCE });
