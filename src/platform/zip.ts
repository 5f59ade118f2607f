/** Configures the ZIP library once for all readers and writers. */
import { configure } from "@zip.js/zip.js";

/**
 * Number of packed bytes that are inflated at once. The inflated bytes are all in memory, several
 * times over. Well packed XML grows fourteenfold, a ZIP bomb a thousandfold.
 */
export const PACKED_CHUNK_BYTES = 4_096;

/**
 * Number of entries that may be packed or unpacked at the same time. The library's default is the
 * number of cores, which is meant for threads. Threads are not used here, and with the default an
 * entry that is not read would block all others.
 */
const ENTRIES_AT_ONCE = 1_000_000;

configure({ chunkSize: PACKED_CHUNK_BYTES, maxWorkers: ENTRIES_AT_ONCE });
