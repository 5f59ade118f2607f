import type { App } from "../../app/app.ts";
import type { Reopened } from "./decision.ts";

export function takenBackText(
  app: Pick<App, "words" | "show">,
  done: string,
  reopened: readonly Reopened[],
): string {
  const rest = reopenedText(app, reopened);
  return rest === "" ? done : `${done}. ${rest}`;
}

/** Empty if no acceptance was undone. */
function reopenedText(
  { words, show }: Pick<App, "words" | "show">,
  all: readonly Reopened[],
): string {
  const texts = words.proposals.reopened;
  const [only, ...others] = all;
  if (only === undefined) return "";
  const closed = all.filter(({ outcome }) => outcome === "closed");
  const codes = new Set(closed.flatMap(({ closedBy }) => closedBy ?? []));
  const why = [...codes].map((code) => reasonText(words, code)).join("; ");
  if (others.length === 0) {
    if (closed.length > 0) return texts.closed(why);
    return only.outcome === "open"
      ? texts.open
      : texts.otherPrice(show.money(only.proposedCents, only.currency));
  }
  const open = all.length - closed.length;
  const moved = all.filter(({ outcome }) => outcome === "other_price").length;
  return [
    open > 0 && texts.manyOpen(open, show.number(open), moved > 0 ? show.number(moved) : null),
    closed.length > 0 && texts.manyClosed(show.number(closed.length), why),
  ].filter(Boolean).join(" ");
}

function reasonText({ terms }: App["words"], code: string): string {
  return terms.closeReasons[code] ?? terms.guards[code] ?? code;
}
