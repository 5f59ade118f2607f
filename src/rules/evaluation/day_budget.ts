/** Budgets of the prices that rules set by themselves, counted in the commits that set them. */

import { dateIn } from "../../base/time.ts";
import type { Spent } from "../../engine/pricing/brake.ts";
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { findSpent, type FoundSpent, saveSpent } from "./budget_store.ts";
import type { LiveSurroundings } from "./situation_reader.ts";

/** The amount that a day has spent, including the current commit. */
export class DayBudget {
  readonly #date: string;
  readonly #budgeted: ReadonlySet<string>;
  #found: FoundSpent;
  #isChanged = false;

  constructor(date: string, budgeted: ReadonlySet<string>, found: FoundSpent) {
    this.#date = date;
    this.#budgeted = budgeted;
    this.#found = found;
  }

  get spent(): Spent {
    return this.#found.spent;
  }

  /** One more price that this rule sets by itself. */
  note(ruleId: string): void {
    const { all, rules } = this.#found.spent;
    const ofRule = this.#budgeted.has(ruleId) ? { [ruleId]: (rules[ruleId] ?? 0) + 1 } : {};
    this.#found = { ...this.#found, spent: { all: all + 1, rules: { ...rules, ...ofRule } } };
    this.#isChanged = true;
  }

  /** One check and one mutation; the commit fails when another has counted meanwhile. */
  save(write: Write, workspaceId: string): void {
    if (this.#isChanged) saveSpent(write, workspaceId, this.#date, this.#found);
  }
}

/** The budget of today; null where neither the workspace nor a rule has one. */
export async function readBudget(
  workspace: WorkspaceStore & Pick<Context, "now">,
  rules: readonly CompiledRule[],
  { settings, timeZone }: LiveSurroundings,
): Promise<DayBudget | null> {
  const budgeted = new Set(
    rules.filter(({ budgetPerDay }) => budgetPerDay !== null).map(({ id }) => id),
  );
  if (budgeted.size === 0 && (settings.budgetPerDay ?? null) === null) return null;
  const date = dateIn(workspace.now(), timeZone);
  return new DayBudget(date, budgeted, await findSpent(workspace, date));
}
