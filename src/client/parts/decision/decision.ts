/** What the service says of one rule and one product, with the trace in its own shape. */
import { marginPct } from "../../../base/margin.ts";
import type {
  ExplainedDecision,
  SimulatedDecision,
} from "../../../evaluation/decision_document.ts";
import type { Simulation as SimulationDocument } from "../../../evaluation/simulate_rule.ts";
import type { Trace } from "../../../pricing/trace.ts";
import type { Proposal as ProposalDocument } from "../../../proposals/proposal.ts";

type Traced<Document> = Omit<Document, "trace"> & { readonly trace: Trace };

export type Simulated = Traced<SimulatedDecision>;
export type Explained = Traced<ExplainedDecision>;
export type Simulation = Omit<SimulationDocument, "results"> & {
  readonly results: readonly Simulated[];
};

/** The trace of an old proposal may be gone. */
export type Proposal = Omit<ProposalDocument, "trace"> & { readonly trace: Trace | null };
export type { Trace };

/** Margin of a price in percent, to be looked at; null while cost or VAT rate is missing. */
export function shownMarginPct({ inputs }: Trace, cents: number | null): number | null {
  return marginPct(cents, inputs, 1);
}

/** True when the rule was not asked at all, because the product is none of its own. */
export function isOutOfScope({ trigger }: Trace): boolean {
  return trigger.said.code === "out_of_scope";
}

/** Guards that had something against the price, or against applying it. */
export function objectionsOf({ guards }: Trace, forbids: "price" | "apply") {
  return guards.filter((asked) => asked.facts !== null && asked.forbids === forbids);
}
