/** How many prices may be set without a person in a day (docs/decisions/rules.md). */

/** No day of a workspace has more. */
export const BUDGET_MAX = 1_000_000;

/** How many were set by themselves on the day of now. */
export interface Spent {
  readonly all: number;
  /** By the id of rules that have a budget. */
  readonly rules: Readonly<Record<string, number>>;
}

/** Which budget leaves no room for one more price. */
export interface Exhausted {
  readonly of: "rule" | "workspace";
  readonly most: number;
}
