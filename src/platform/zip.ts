/** Configures the ZIP library once for all readers and writers. */
import { configure } from "@zip.js/zip.js";

/**
 * Packed bytes that are inflated in one go: what comes out of them is in memory at once, several times
 * over. Well packed XML grows fourteenfold, a bomb a thousandfold.
 */
export const PACKED_CHUNK_BYTES = 4_096;

/**
 * Entries that may be packed or unpacked at a time. The library means threads and takes as many as there
 * are cores; here none are, and an entry that its reader leaves standing would keep all others waiting.
 */
const ENTRIES_AT_ONCE = 1_000_000;

configure({ chunkSize: PACKED_CHUNK_BYTES, maxWorkers: ENTRIES_AT_ONCE });
