import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import type { Proposal } from "../../parts/decision/decision.ts";
import type { Decisions } from "./use_decisions.ts";

interface ProposalActionsProps {
  readonly proposal: Proposal;
  readonly decisions: Decisions;
  onDone?(): void;
}

/** What can still be done with the proposal by who may do it. */
export function ProposalActions({ proposal, decisions, onDone }: ProposalActionsProps) {
  const { words, show, questions, may } = useApp();
  const texts = words.proposals;
  const act = (action: (proposals: readonly Proposal[]) => void) => () => {
    action([proposal]);
    onDone?.();
  };
  const rollBack = async () => {
    const isSure = await questions.ask({
      title: texts.rollBackSure,
      text: texts.rollBackText(show.money(proposal.currentCents, proposal.currency)),
      yes: texts.rollBack,
    });
    if (isSure) act(decisions.rollBack)();
  };
  if (!may("manager")) return null;
  if (proposal.status === "applied") {
    return (
      <Button isBusy={decisions.isBusy} onClick={() => void rollBack()}>{texts.rollBack}</Button>
    );
  }
  if (proposal.status !== "open") return null;
  return (
    <>
      <Button onClick={act(decisions.reject)}>{texts.reject}</Button>
      <Button kind="main" icon="check" onClick={act(decisions.approve)}>{texts.approve}</Button>
    </>
  );
}
