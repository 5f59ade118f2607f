/** What is wrong with the selectors and paths that people store; plain functions. */
import { compile } from "css-select";
import { parse, type Selector } from "css-what";
import { misfitOfJsonPath } from "../extraction/page/json_path.ts";

/** The parts of an extractor that are programs of their own. */
export interface ExtractorPrograms {
  readonly priceSelector: string | null;
  readonly stockSelector: string | null;
  readonly jsonPath: string | null;
}

/** A part that cannot be used, and why; for people. */
export interface ExtractorMisfit {
  readonly part: keyof ExtractorPrograms;
  readonly message: string;
}

/** Every part of an extractor that cannot be used. */
export function misfitsOfExtractor(extractor: ExtractorPrograms): ExtractorMisfit[] {
  const checks = {
    priceSelector: misfitOfSelector,
    stockSelector: misfitOfSelector,
    jsonPath: misfitOfJsonPath,
  } as const;
  return (["priceSelector", "stockSelector", "jsonPath"] as const).flatMap((part) => {
    const text = extractor[part];
    const message = text === null ? null : checks[part](text);
    return message === null ? [] : [{ part, message }];
  });
}

/**
 * What is wrong with a selector, or null. `:has()` within `:has()` is refused as CSS does
 * (Selectors 4): it makes the work on one page quadratic and worse.
 */
export function misfitOfSelector(selector: string): string | null {
  try {
    if (nestsHas(parse(selector), 0)) return "Must not hold :has() within :has()";
    compile(selector);
    return null;
  } catch (error) {
    return `Is no CSS selector: ${error instanceof Error ? error.message : error}`;
  }
}

/** True when a selector holds a second `:has()` within a first one. */
function nestsHas(selectors: readonly (readonly Selector[])[], depth: number): boolean {
  if (depth > 1) return true;
  return selectors.flat().some((part) => {
    const isPseudo = part.type === "pseudo" && Array.isArray(part.data);
    if (!isPseudo || !Array.isArray(part.data)) return false;
    return nestsHas(part.data, part.name === "has" ? depth + 1 : depth);
  });
}
