/** Budgets of automatic prices, counted in the commits that set the prices. */

import { dateIn } from "../../base/time.ts";
import type { Spent } from "../../engine/pricing/brake.ts";
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import type { LiveSurroundings } from "./situation_reader.ts";

/** A day on which prices were counted, as `2026-11-21`. */
interface SpentDay extends Spent {
  readonly date: string;
}

export const spentDays = defineTable<SpentDay, "date">({
  prefix: "bd",
  about: "how many prices rules have set by themselves on that day of the workspace's calendar; " +
    "counted while a budget asks for it, in the commits that set them",
  key: { date: "text" },
  keyOnly: ["date"],
  keep: {
    what: "counts of automatic prices per day, for budgets",
    days: 7,
    isOld: ({ date }, before) => date < before.toISOString().slice(0, 10),
    isInOrder: true,
  },
});

/** The amount that a day has spent, including the current commit. */
export class DayBudget {
  readonly #budgeted: ReadonlySet<string>;
  readonly #found: Found<SpentDay> | null;
  #day: SpentDay;

  constructor(date: string, budgeted: ReadonlySet<string>, found: Found<SpentDay> | null) {
    this.#budgeted = budgeted;
    this.#found = found;
    this.#day = found?.row ?? { date, all: 0, rules: {} };
  }

  get spent(): Spent {
    return this.#day;
  }

  note(ruleId: string): void {
    const { date, all, rules } = this.#day;
    const ofRule = this.#budgeted.has(ruleId) ? { [ruleId]: (rules[ruleId] ?? 0) + 1 } : {};
    this.#day = { date, all: all + 1, rules: { ...rules, ...ofRule } };
  }

  /** One check and one mutation; the commit fails when another has counted meanwhile. */
  save(write: Write, workspaceId: string): void {
    if (this.#day.all > (this.#found?.row.all ?? 0)) {
      spentDays.save(write, { workspaceId }, this.#found, this.#day);
    }
  }
}

/** The budget of today; null if neither the workspace nor a rule has one. */
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
  return new DayBudget(date, budgeted, await spentDays.find(workspace, { date }));
}
