/**
 * All action types: the one place where a new one is registered. The values are public and only
 * grow (docs/decisions/http.md).
 */
import { z } from "zod";
import { alertEmail } from "./actions/alert_email.ts";
import { alertInApp } from "./actions/alert_inapp.ts";
import { autoApplyIfSafe } from "./actions/auto_apply_if_safe.ts";
import { proposePrice } from "./actions/propose_price.ts";

export const ACTION_TYPES = [alertInApp, alertEmail, proposePrice, autoApplyIfSafe] as const;

const [first, ...others] = ACTION_TYPES;

export const Action = z.discriminatedUnion("type", [
  first.fields,
  ...others.map(({ fields }) => fields),
], {
  error: ({ code }) =>
    code === "invalid_union"
      ? `Must be one of ${ACTION_TYPES.map(({ value }) => value).join(", ")}`
      : undefined,
}).meta({ id: "Action" });

export type Action = z.output<typeof Action>;
export type AlertAction = Extract<Action, { type: "alert_inapp" | "alert_email" }>;

/** The action that says how the price is made: that of `propose_price` where both do. */
export function priceSourceOf(actions: readonly Action[]) {
  return findAction(actions, "propose_price") ?? findAction(actions, "auto_apply_if_safe");
}

export function findAction<T extends Action["type"]>(actions: readonly Action[], type: T) {
  return actions.find((action): action is Extract<Action, { type: T }> => action.type === type);
}
