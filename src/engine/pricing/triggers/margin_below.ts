import { defineMarginTrigger } from "../margin_trigger.ts";

export const marginBelow = defineMarginTrigger({
  value: "margin_below",
  label: "Our margin is too small",
  side: "below",
});
