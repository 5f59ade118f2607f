import { defineMarginTrigger } from "../margin_trigger.ts";

export const marginAbove = defineMarginTrigger({
  value: "margin_above",
  label: "Our margin is larger than needed",
  side: "above",
});
