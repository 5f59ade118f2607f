import type { PriceGuard } from "../guard.ts";

export const autoApplyOff = {
  value: "auto_apply_off",
  label: "Switched off",
  description: "The workspace does not let rules change prices by themselves",
  why: ({ view }) =>
    view.market.situation.settings.autoApply ? null : "automatic changes are off in the settings",
} as const satisfies PriceGuard;
