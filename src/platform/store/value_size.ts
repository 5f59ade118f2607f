/**
 * The most bytes of a value in rows of which a workspace has many: so a row stays on its page of a store's
 * file (4,086 of 16,384 bytes with its key). A larger one lies on pages of its own, half empty, and every
 * search that passes it reads it as a whole, also for rows of other tables that lie beside it: the
 * market of a million products in values of 60,000 bytes made a product take 15 µs in place of 3, and one
 * that is not there 42 in place of 1.
 */
export const PAGE_VALUE_BYTES = 4_000;
