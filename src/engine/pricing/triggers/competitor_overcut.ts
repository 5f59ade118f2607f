import { defineCompetitorTrigger } from "../competitor_trigger.ts";

export const competitorOvercut = defineCompetitorTrigger({
  value: "competitor_overcut",
  label: "Competitors are dearer",
  side: "above",
  deltaPctMax: 1_000,
});
