/** For how many products a rule sets the price, and for how many it rests behind others: as of one time. */
import { defineTable } from "../platform/store/table.ts";
import type { RuleStanding } from "./rule.ts";
import { ruleTable } from "./rule_store.ts";

export interface StandingRow {
  readonly ruleId: string;
  readonly standing: RuleStanding;
}

export const standings = defineTable<StandingRow, "ruleId">({
  prefix: "rso",
  about: "how many products the rule owned, and stood behind others for, at a time; it goes with " +
    "its rule",
  key: { ruleId: "id" },
  keyOnly: ["ruleId"],
  check: async ({ ruleId }, workspace) =>
    await ruleTable.find(workspace, { id: ruleId })
      ? null
      : `Products are counted of rule ${ruleId}, which is not there`,
});

interface StandingPass {
  /** The version of the rules that were counted. */
  readonly version: string;
  readonly takenAtMs: number;
}

export const standingPasses = defineTable<StandingPass>({
  prefix: "rsop",
  about: "when the owners of prices were counted last, and by which version of the rules",
  key: {},
});
