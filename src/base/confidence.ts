/**
 * From this confidence on a rule may act on a price by itself, and nobody has to look at it: one structured
 * method or an explicit extractor (docs/decisions/rules.md, docs/decisions/scraping.md).
 */
export const HIGH_CONFIDENCE = 0.9;
