import { sumOf } from "../../../base/collections.ts";
import type { Wire } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { momentText } from "../../formats/moment.ts";
import { Card } from "../../parts/page.tsx";
import { adviceOf, useOutages } from "../../parts/shop/shop_state.ts";
import { WayOut } from "../../parts/shop/way_out.tsx";
import { ShopBadge, useShopColours } from "../../parts/shops.tsx";

type Group = Wire<"RepairGroup">;

/** Pages without a price by cause, over all shops, the most frequent cause first. */
export function FailuresCard({ groups }: { groups: readonly Group[] }) {
  const { words, show } = useApp();
  const texts = words.arrivals;
  const colours = useShopColours();
  const outages = useOutages();
  const sinceOf = ({ competitorId, since }: Group) =>
    momentText(show, outages.get(competitorId) ?? since, Date.now());
  const sum = (some: readonly Group[]) => sumOf(some, ({ pages }) => pages);
  const causes = [...Map.groupBy(groups, ({ cause }) => cause)]
    .sort(([, a], [, b]) => sum(b) - sum(a));
  return (
    <Card title={texts.why} note={groups.length > 0 && texts.pages(show.number(sum(groups)))}>
      {causes.length === 0 ? <p class="soft">{texts.whyNone}</p> : (
        <ul class="failures stack">
          {causes.map(([cause, own]) => {
            const [first] = own;
            const pages = show.number(sum(own));
            return (
              <li key={cause}>
                {first && (
                  <ShopBadge name={first.competitor} colour={colours.get(first.competitorId)} />
                )}
                <span>
                  <strong>{texts.pages(pages)}: {words.repairs.causes[cause]}</strong>
                  {own.length > 1 ? <>{" "}{texts.spread(show.number(own.length))}</> : first && (
                    <>
                      {" "}– {first.competitor}, {words.shops.since(sinceOf(first))}
                    </>
                  )}
                  <small>
                    {adviceOf(words, cause, outages.has(first?.competitorId ?? ""))}
                  </small>
                </span>
                {own.length === 1 && first
                  ? <WayOut group={first} />
                  : <a class="button" href="/competitors/repairs">{texts.look(pages)}</a>}
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
