import type { App } from "../../app/app.ts";
import { shortDay } from "../../formats/moment.ts";
import type { Proposal } from "./decision.ts";

/** Says when an open proposal was rejected before. */
export function rejectedText(
  { words, show }: Pick<App, "words" | "show">,
  { rejectedBefore, status }: Proposal,
): string | null {
  if (!rejectedBefore || status !== "open") return null;
  return words.proposals.returned.rejected(shortDay(show, rejectedBefore.at));
}

/** Says when and why the proposal was rejected before, and why it has returned. */
export function returnedText(
  { words, show }: Pick<App, "words" | "show">,
  { rejectedBefore, status, currentCents, proposedCents, currency }: Proposal,
): string | null {
  if (!rejectedBefore || status !== "open") return null;
  const texts = words.proposals.returned;
  const { at, reason, ...before } = rejectedBefore;
  const why = before.currentCents !== currentCents
    ? texts.ourPrice(show.money(before.currentCents, currency))
    : before.proposedCents !== proposedCents
    ? texts.otherPrice(show.money(before.proposedCents, currency))
    : texts.same;
  return `${texts.because(shortDay(show, at), reason)} ${why}`;
}
