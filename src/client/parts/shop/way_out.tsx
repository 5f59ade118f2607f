/** The way out of each cause for which pages bring no price: alike on all screens. */
import type { Wire } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { type Cause, ReadAgain } from "./read_again.tsx";

/** Showing the price once helps. */
const TAUGHT: readonly Cause[] = ["nothing_found", "two_prices", "layout_changed", "variant_open"];
/** These pass by themselves, or only the shop can help. */
const WAITING: readonly Cause[] = ["no_answer", "blocked"];

type Group = Pick<Wire<"RepairGroup">, "competitorId" | "competitor" | "cause" | "pages">;

/** Leads to the place on the shop's page where the cause is mended, or reads the pages again. */
export function WayOut({ group }: { readonly group: Group }) {
  const { words: { arrivals: texts }, show, may } = useApp();
  const { competitorId: id, competitor, cause, pages } = group;
  if (WAITING.includes(cause)) {
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
