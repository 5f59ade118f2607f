import { z } from "zod";
import { type ActionType, severityField } from "../action.ts";

const fields = z.strictObject({
  type: z.literal("alert_inapp"),
  severity: severityField,
}).meta({ id: "AlertInApp" });

export const alertInApp = {
  value: "alert_inapp",
  label: "Alert in the app",
  description: "Shows an alert in the app",
  fields,
} as const satisfies ActionType;
