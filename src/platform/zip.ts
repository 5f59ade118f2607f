/** Configures the ZIP library once for all readers and writers. */
import { configure } from "@zip.js/zip.js";

/**
 * Packed bytes that are inflated in one go: what comes out of them is in memory at once, several times
 * over. Well packed XML grows fourteenfold, a bomb a thousandfold.
 */
export const PACKED_CHUNK_BYTES = 4_096;

/**
 * Entries that may be packed or unpacked at the same time. The library's default is the number of cores,
 * meant for threads, which are not used here: with it, an entry that is not read would block all others.
 */
const ENTRIES_AT_ONCE = 1_000_000;

configure({ chunkSize: PACKED_CHUNK_BYTES, maxWorkers: ENTRIES_AT_ONCE });
