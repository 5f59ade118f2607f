/** The solution for each cause of pages without a price. */
import type { Wire } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { type Cause, ReadAgain } from "./read_again.tsx";

/** Causes that a person solves by showing the price once. */
const TAUGHT: readonly Cause[] = ["nothing_found", "two_prices", "layout_changed", "variant_open"];
/** Causes that pass by themselves, or that only the shop can solve. */
const WAITING: readonly Cause[] = ["no_answer", "blocked"];

/** True if the cause is solved by fetching the pages again later. */
export function isWaiting(cause: Cause): boolean {
  return WAITING.includes(cause);
}

type Group = Pick<Wire<"RepairGroup">, "competitorId" | "competitor" | "cause" | "pages">;

export function WayOut({ group }: { readonly group: Group }) {
  const { words: { arrivals: texts }, show, may } = useApp();
  const { competitorId: id, competitor, cause, pages } = group;
  if (isWaiting(cause)) {
    return may("manager")
      ? <ReadAgain shop={{ id, displayName: competitor }} cause={cause} />
      : <span class="soft">{texts.nothing}</span>;
  }
  const isTaught = TAUGHT.includes(cause) && may("manager");
  return (
    <a class="button" href={`/competitors/${id}?cause=${cause}`}>
      {isTaught ? texts.teach : texts.look(show.number(pages))}
    </a>
  );
}
