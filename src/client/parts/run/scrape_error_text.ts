import type { Words } from "../../words/words.ts";
import { labelIn } from "../../words/label.ts";

/** What an error code of scraping means for people; an unknown one is shown as it is. */
export function scrapeErrorText({ runs }: Words, code: string | null): string {
  return code === null ? "" : labelIn(runs.errors, code);
}
