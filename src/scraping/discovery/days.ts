/** Days are those of UTC, in the plan of visits as in sitemaps. */
export const DAY_MS = 86_400_000;
