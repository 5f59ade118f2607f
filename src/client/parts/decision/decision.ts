/** The service's decision about one product by one rule. */
import { marginPct } from "../../../base/percent.ts";
import type { Wire } from "../../api/call.ts";

export type Simulated = Wire<"SimulatedDecision">;
export type Explained = Wire<"ExplainedDecision">;
export type Simulation = Wire<"Simulation">;
/** A proposal; the trace of an old one may be missing. */
export type Proposal = Wire<"Proposal">;
/** The result for a proposal whose acceptance was undone. */
export type Reopened = Wire<"ReopenedProposal">;
export type Trace = Wire<"Trace">;

/** Returns the margin of a price in percent, for display; null if cost or VAT rate is missing. */
export function shownMarginPct({ inputs }: Trace, cents: number | null): number | null {
  return marginPct(cents, inputs);
}

/** True if the rule was not evaluated, because the product is outside its scope. */
export function isOutOfScope({ trigger }: Trace): boolean {
  return trigger.said.code === "out_of_scope";
}

/** Returns the guards that object to the price, or to applying it. */
export function objectionsOf({ guards }: Trace, forbids: "price" | "apply") {
  return guards.filter((asked) => asked.facts !== null && asked.forbids === forbids);
}
