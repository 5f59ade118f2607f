import { useLocation } from "preact-iso";
import type { Wire } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { useList } from "../../app/queries.ts";
import { momentText } from "../../formats/moment.ts";
import { EmptyState, PageHead } from "../../parts/page.tsx";
import { ShopBadge, useShopColours } from "../../parts/shops.tsx";
import { type Column, column, numberColumn } from "../../parts/table/table.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";

type Group = Wire<"RepairGroup">;

/** Every page that brings no price, by shop and cause; a group leads to where it is mended. */
export function RepairsScreen() {
  const { words, show } = useApp();
  const texts = words.repairs;
  const { route } = useLocation();
  const list = useList<Group, { readonly pages: number; readonly shops: number }>({
    key: ["repairs"],
    read: (api, query) => api.GET("/api/repairs", { params: { query } }),
  });
  const { first } = list;
  return (
    <>
      <PageHead
        title={texts.title}
        back={{ href: "/competitors", text: words.frame.shopsPlace }}
        beside={first && first.pages > 0 && (
          <span class="soft">
            {texts.count(show.number(first.pages))} {texts.inShops(show.number(first.shops))}
          </span>
        )}
      />
      <DataTable
        label={texts.title}
        columns={useGroupColumns()}
        list={list}
        density="pair"
        idOf={({ competitorId, cause }) => `${competitorId} ${cause}`}
        onOpen={({ competitorId, cause }) => route(`/competitors/${competitorId}?cause=${cause}`)}
        empty={
          <EmptyState icon="check" title={texts.emptyTitle} text={texts.emptyText}>
            <a class="button" href="/competitors">{texts.toShops}</a>
          </EmptyState>
        }
      />
    </>
  );
}

function useGroupColumns(): readonly Column<Group>[] {
  const { words, show } = useApp();
  const texts = words.repairs;
  const colours = useShopColours();
  return [
    column(
      "shop",
      texts.columns.shop,
      { width: 420, narrowWidth: 300 },
      ({ competitorId, competitor, cause }) => (
        <span class="pair">
          <span>
            <ShopBadge name={competitor} colour={colours.get(competitorId)} /> {competitor}
          </span>
          <small>{texts.causes[cause]}</small>
        </span>
      ),
    ),
    numberColumn("pages", texts.columns.pages, 110, ({ pages }) => show.number(pages)),
    column("since", texts.columns.since, 170, ({ since }) => momentText(show, since, Date.now())),
    column(
      "todo",
      words.shops.columns.todo,
      { width: 150, narrowWidth: 130 },
      ({ competitorId, cause, pages }) => (
        <a class="button" href={`/competitors/${competitorId}?cause=${cause}`}>
          {words.arrivals.look(show.number(pages))}
        </a>
      ),
    ),
  ];
}
