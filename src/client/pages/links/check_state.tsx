import type { Wire } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { Badge, type Tone } from "../../parts/controls.tsx";

type Check = Pick<Wire<"LinkCheck">, "status">;

const TONES: Readonly<Record<Check["status"], Tone>> = {
  queued: "busy",
  running: "busy",
  succeeded: "good",
  failed: "bad",
  cancelled: "plain",
};

export function isInFlight({ status }: Check): boolean {
  return status === "queued" || status === "running";
}

export function CheckState({ check }: { check: Check }) {
  const { words } = useApp();
  return <Badge tone={TONES[check.status]}>{words.links.states[check.status]}</Badge>;
}
