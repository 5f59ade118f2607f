import type { Language } from "../../../base/language.ts";
import { alertWordsOf } from "../../../engine/wording/alert_text.ts";
import { isHoldCode } from "../../../imports/files/hold_codes.ts";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import type { Tone } from "../../parts/controls.tsx";

export type SourceState =
  | "paused"
  | "missed"
  | "held"
  | "failed"
  | "unguarded"
  | "punctual"
  | "applied"
  | "idle";

export const SOURCE_TONES: Readonly<Record<SourceState, Tone>> = {
  paused: "warn",
  missed: "bad",
  held: "warn",
  failed: "bad",
  unguarded: "warn",
  punctual: "good",
  applied: "good",
  idle: "plain",
};

export function stateOf(
  { pausedAt, missedAt, lastPull, hold, isDefault, lastImport, expected }: ImportSource,
): SourceState {
  if (pausedAt !== null) return "paused";
  const isPullLost = lastPull?.outcome === "failed" || lastPull?.outcome === "waiting";
  if (missedAt !== null || isPullLost) return "missed";
  if (lastImport?.status === "failed") {
    return isHoldCode(lastImport.errorCode) ? "held" : "failed";
  }
  if (hold === null && !isDefault) return "unguarded";
  if (lastImport === null) return "idle";
  return expected === null ? "applied" : "punctual";
}

export const ORDER: readonly SourceState[] = [
  "paused",
  "missed",
  "held",
  "failed",
  "unguarded",
  "punctual",
  "applied",
  "idle",
];

type LastPull = NonNullable<ImportSource["lastPull"]>;

/** Why the last fetch brought no file; the service's own words if the code is unknown. */
export function pullErrorText(
  { errorCode, message }: Pick<LastPull, "errorCode" | "message">,
  language: Language,
): string | null {
  return alertWordsOf(language).fetchErrors[errorCode ?? ""] ?? message;
}
