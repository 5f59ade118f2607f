/**
 * Checks the selectors and paths of an extractor. Runs in the sandbox, so only parsers are
 * imported.
 */
import { jsonPathError, selectorError } from "../engine/extraction/page/written_paths.ts";

export interface ExtractorPrograms {
  readonly priceSelector: string | null;
  readonly stockSelector: string | null;
  readonly jsonPath: string | null;
}

export interface ExtractorError {
  readonly part: keyof ExtractorPrograms;
  readonly message: string;
}

export function extractorErrors(extractor: ExtractorPrograms): ExtractorError[] {
  const checks = {
    priceSelector: selectorError,
    stockSelector: selectorError,
    jsonPath: jsonPathError,
  } as const;
  return (["priceSelector", "stockSelector", "jsonPath"] as const).flatMap((part) => {
    const text = extractor[part];
    const message = text === null ? null : checks[part](text);
    return message === null ? [] : [{ part, message }];
  });
}
