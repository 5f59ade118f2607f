import type { Alert } from "../../messages/alerts/alert.ts";
import { useApp } from "../app/app.ts";
import { Badge, type Tone } from "./badge.tsx";

const TONES: Readonly<Record<Alert["severity"], Tone>> = {
  info: "plain",
  low: "plain",
  medium: "warn",
  high: "bad",
  critical: "bad",
};

export function SeverityBadge({ severity }: Pick<Alert, "severity">) {
  const { words } = useApp();
  return <Badge tone={TONES[severity]}>{words.alerts.severities[severity]}</Badge>;
}
