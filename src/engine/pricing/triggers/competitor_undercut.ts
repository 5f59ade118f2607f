import { defineCompetitorTrigger } from "../competitor_trigger.ts";

export const competitorUndercut = defineCompetitorTrigger({
  value: "competitor_undercut",
  label: "A competitor is cheaper",
  side: "below",
  deltaPctMax: 100,
});
