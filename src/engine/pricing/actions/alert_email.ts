import { z } from "zod";
import { type ActionType, severityField } from "../action.ts";
import { orDefault } from "../field.ts";

const RECIPIENTS_MAX = 20;

const fields = z.strictObject({
  type: z.literal("alert_email"),
  severity: severityField,
  to: orDefault(z.array(z.email().max(254)).max(RECIPIENTS_MAX), []).meta({
    title: "Recipients",
    description: "E-mail addresses; empty: owners and managers",
  }),
}).meta({ id: "AlertEmail" });

export const alertEmail = {
  value: "alert_email",
  label: "Alert by e-mail",
  description: "Sends an e-mail and shows the alert in the app",
  fields,
} as const satisfies ActionType;
