/** The expected result of each hostile file of a collection. */
import { ok } from "node:assert/strict";
import type { SampleData } from "../sample_data.ts";

export interface Expectation {
  readonly file: string;
  /** False for files of megabytes, which are generated on demand. */
  readonly committed: boolean;
  readonly expect: "accepted" | "rejected";
  readonly alsoRight?: string;
  readonly items?: number;
  readonly itemsOneOf?: readonly number[];
  readonly first?: Readonly<Record<string, unknown>>;
  readonly warning?: boolean;
  readonly mustNotContain?: string;
}

export interface Outcome {
  readonly outcome: "accepted" | "rejected";
  readonly message: string | undefined;
  readonly told: unknown;
  readonly count: number;
}

export const EXPECTATIONS = "xml/hostile/expected.json";

export function expectationsOf(data: SampleData): readonly Expectation[] {
  return data.json<{ files: readonly Expectation[] }>(EXPECTATIONS).files;
}

/** Fails unless the file had the expected result; returns words for further checks. */
export function judgeOutcome(
  { file, expect, alsoRight, items, itemsOneOf, mustNotContain }: Expectation,
  { outcome, message, told, count }: Outcome,
): string {
  const why = `${file}: ${outcome} ${message ?? ""}`;
  ok([expect, alsoRight].includes(outcome), why);
  if (mustNotContain) ok(!JSON.stringify(told).includes(mustNotContain), `${why}: leaks`);
  if (outcome === "rejected") return why;
  const isCounted = expect === "accepted" && items !== undefined;
  if (isCounted) ok(count === items, `${why}: ${count} instead of ${items}`);
  if (itemsOneOf) ok(itemsOneOf.includes(count), `${why}: ${count}`);
  return why;
}
