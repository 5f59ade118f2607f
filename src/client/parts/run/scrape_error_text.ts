import type { Words } from "../../words/words.ts";
import { labelIn } from "../../words/label.ts";

/** The meaning of a scraping error code; an unknown one is shown as it is. */
export function scrapeErrorText({ runs }: Words, code: string | null): string {
  return code === null ? "" : labelIn(runs.errors, code);
}
