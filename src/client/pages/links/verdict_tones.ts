import type { Verdict } from "../../../engine/matching/identity_codes.ts";
import type { Tone } from "../../parts/controls.tsx";

export const VERDICT_TONES: Readonly<Record<Verdict, Tone>> = {
  same: "good",
  probably: "warn",
  unknown: "warn",
  different: "bad",
};
