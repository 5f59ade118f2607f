/**
 * The repairs screen lists all pages without a price, one row per shop and cause, the largest
 * groups first. During an outage, all rows of a shop show the same advice.
 */
import { useLocation } from "preact-iso";
import type { Wire } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { daysBetween, momentText } from "../../formats/day.ts";
import { Button } from "../../parts/controls.tsx";
import { EmptyState, PageHead, Pending } from "../../parts/page.tsx";
import {
  adviceOf,
  nextText,
  useFreshness,
  useOutages,
  useRepairs,
} from "../../parts/shop/shop_state.ts";
import { WayOut } from "../../parts/shop/read_again.tsx";
import { ShopBadge, useShopColours } from "../../parts/shops.tsx";

export function RepairsScreen() {
  const { words, show } = useApp();
  const texts = words.repairs;
  const list = useRepairs();
  const { first, rows } = list;
  const { columns } = texts;
  return (
    <div class="page wide">
      <PageHead
        title={texts.title}
        back={{ href: "/competitors", text: words.frame.shopsPlace }}
        beside={first && first.pages > 0 && (
          <span class="soft">
            {show.number(first.pages)} {texts.inShops(show.number(first.shops))}
          </span>
        )}
      />
      {list.error !== null || list.isPending
        ? <Pending of={list} />
        : rows.length === 0
        ? (
          <EmptyState icon="check" title={texts.emptyTitle} text={texts.emptyText}>
            <a class="button" href="/competitors">{texts.toShops}</a>
          </EmptyState>
        )
        : (
          <section class="panel shops row-cards">
            <table class="table" aria-label={texts.title}>
              <thead>
                <tr>
                  <th scope="col">{columns.shop}</th>
                  <th scope="col">{columns.cause}</th>
                  <th scope="col" class="number">{columns.pages}</th>
                  <th scope="col">{columns.since}</th>
                  <th scope="col" class="act">{words.shops.columns.todo}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((group) => (
                  <Row key={`${group.competitorId} ${group.cause}`} group={group} />
                ))}
              </tbody>
            </table>
            <footer class="soft small">{texts.repair.note}</footer>
          </section>
        )}
      {list.hasMore && (
        <p>
          <Button isBusy={list.isLoadingMore} onClick={list.more}>{words.table.more}</Button>
        </p>
      )}
    </div>
  );
}

function Row({ group }: { readonly group: Wire<"RepairGroup"> }) {
  const { words, show } = useApp();
  const texts = words.repairs;
  const { route } = useLocation();
  const colours = useShopColours();
  const outages = useOutages();
  const { competitorId, competitor, domain, cause, pages } = group;
  const href = `/competitors/${competitorId}?cause=${cause}`;
  const nowMs = Date.now();
  const sinceAt = outages.get(competitorId) ?? group.since;
  const isToday = daysBetween(sinceAt, nowMs, show.timeZone) === 0;
  const { nextAt } = useFreshness().data?.items
    .find((one) => one.competitorId === competitorId) ?? {};
  return (
    <tr
      class="opens"
      onClick={({ target }) => {
        const isOwn = target instanceof Element && target.closest("a, button") !== null;
        if (!isOwn) route(href);
      }}
    >
      <th scope="row">
        <span class="shop-name">
          <ShopBadge name={competitor} colour={colours.get(competitorId)} />
          <span>
            <a href={href}>{competitor}</a>
            <small>{domain}</small>
          </span>
        </span>
      </th>
      <td class="wraps">
        <strong>{texts.causes[cause]}</strong>
        <small>
          {adviceOf(words, cause, outages.has(competitorId))}
        </small>
      </td>
      <td class="number" data-label={texts.columns.pages}>{show.number(pages)}</td>
      <td data-label={texts.columns.since}>
        {isToday && `${texts.days.today} `}
        {momentText(show, sinceAt, nowMs)}
        {nextAt && cause !== "robots" && (
          <small>{texts.shop.next}: {nextText(words, show, nextAt)}</small>
        )}
      </td>
      <td class="act">
        <WayOut group={group} />
      </td>
    </tr>
  );
}
