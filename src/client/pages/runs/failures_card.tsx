import type { Wire } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { Card } from "../../parts/page.tsx";
import { ShopBadge, useShopColours } from "../../parts/shops.tsx";

type Group = Wire<"RepairGroup">;
type Cause = Group["cause"];

/** Showing the price once helps. */
const TAUGHT: readonly Cause[] = ["nothing_found", "two_prices", "layout_changed", "variant_open"];
/** These pass by themselves, or only the shop can help. */
const WAITING: readonly Cause[] = ["no_answer", "blocked"];

/** Pages without a price by cause over all shops, most pages first, each with its way out. */
export function FailuresCard({ groups }: { groups: readonly Group[] }) {
  const { words, show, may } = useApp();
  const texts = words.arrivals;
  const colours = useShopColours();
  const sum = (some: readonly Group[]) => some.reduce((all, { pages }) => all + pages, 0);
  const causes = [...Map.groupBy(groups, ({ cause }) => cause)]
    .sort(([, a], [, b]) => sum(b) - sum(a));
  return (
    <Card title={texts.why} note={groups.length > 0 && texts.pages(show.number(sum(groups)))}>
      {causes.length === 0 ? <p class="soft">{texts.whyNone}</p> : (
        <ul class="failures">
          {causes.map(([cause, own]) => {
            const [first] = own;
            const pages = show.number(sum(own));
            const href = own.length === 1
              ? `/competitors/${first?.competitorId}?cause=${cause}`
              : "/competitors/repairs";
            const way = TAUGHT.includes(cause) && may("manager") ? texts.teach : texts.look(pages);
            return (
              <li key={cause}>
                {first && (
                  <ShopBadge name={first.competitor} colour={colours.get(first.competitorId)} />
                )}
                <span>
                  <strong>{texts.pages(pages)}: {words.repairs.causes[cause]}</strong>
                  {own.length > 1
                    ? <>{" "}{texts.spread(show.number(own.length))}</>
                    : first && <>{" "}– {first.competitor}</>}
                  <small>{texts.remedies[cause]}</small>
                </span>
                {WAITING.includes(cause)
                  ? <span class="soft">{texts.nothing}</span>
                  : <a class="button" href={href}>{way}</a>}
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
