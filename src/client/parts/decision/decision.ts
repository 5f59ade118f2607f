/** Types of the service's documents about decisions, and functions that read a trace. */
import { marginPct } from "../../../base/percent.ts";
import type { Wire } from "../../api/call.ts";

export type Simulated = Wire<"SimulatedDecision">;
export type Explained = Wire<"ExplainedDecision">;
export type Simulation = Wire<"Simulation">;
/** Old proposals may lack a trace. */
export type Proposal = Wire<"Proposal">;
export type Reopened = Wire<"ReopenedProposal">;
export type Trace = Wire<"Trace">;

/** In percent; null if the cost or the VAT rate is missing. */
export function shownMarginPct({ inputs }: Trace, cents: number | null): number | null {
  return marginPct(cents, inputs);
}

export function isOutOfScope({ trigger }: Trace): boolean {
  return trigger.said.code === "out_of_scope";
}

/** The guards that object to the price itself, or only to applying it. */
export function objectionsOf({ guards }: Trace, forbids: "price" | "apply") {
  return guards.filter((asked) => asked.facts !== null && asked.forbids === forbids);
}
