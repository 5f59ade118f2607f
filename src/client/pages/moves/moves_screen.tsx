/**
 * Lists changes of competitors' offers (prices, stock, new offers) since a given time, the largest
 * first.
 */
import { useLocation } from "preact-iso";
import type { MoveKind } from "../../../shops/observations/move_store.ts";
import { get, PAGE_SIZE_MAX, where, type Wire } from "../../api/call.ts";
import { useApp, useDocument, wholeList } from "../../app/app.ts";
import { momentText } from "../../formats/day.ts";
import { ClearFilter, type Filter, FilterChoice, useFilter } from "../../parts/filter.tsx";
import { DeltaPct, GapPct } from "../../parts/price_figures.tsx";
import { EmptyState, filesOf, PageHead } from "../../parts/page.tsx";
import { ListedChip } from "../../parts/controls.tsx";
import { optionsOf } from "../../parts/options.tsx";
import { ShopBadge, useShops } from "../../parts/shops.tsx";
import { type Column, column } from "../../parts/table/table.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import type { Words } from "../../words/words.ts";

const FILTERS = ["since", "kind", "competitorId", "category", "hasCategory"] as const;
type MovesFilter = Filter<(typeof FILTERS)[number]>;

export function MovesScreen() {
  const { words } = useApp();
  const texts = words.moves;
  const { route } = useLocation();
  const filter = useMovesFilter();
  const { kind: asked, hasCategory, ...others } = filter.values;
  const kind = kindsOf(words).find((each) => each === asked) ?? null;
  const query = { ...others, kind, hasCategory: hasCategory && hasCategory === "true" };
  const found = useDocument(get("/api/market/moves", where({ ...query, limit: PAGE_SIZE_MAX })));
  const { data } = found;
  const rows = data?.items ?? [];
  const list = wholeList(found, rows);
  return (
    <>
      <PageHead
        title={texts.title}
        back={{ href: "/", text: words.overview.title }}
        beside={data && <MovesSummary moves={data} />}
      />
      <MovesBar filter={filter} counts={data?.counts ?? null} />
      {data && data.total > rows.length && <p class="soft">{texts.biggest(rows.length)}</p>}
      <DataTable
        label={texts.title}
        columns={useMoveColumns()}
        list={list}
        idOf={({ id }) => id}
        onOpen={({ productId }) => route(`/products/${productId}`)}
        density="pair"
        files={filesOf("/api/market/moves", query)}
        empty={<EmptyState icon="overview" title={texts.noneTitle} text={texts.noneText} />}
      />
    </>
  );
}

function useMovesFilter(): MovesFilter {
  const filter = useFilter(FILTERS);
  const { since: _, ...narrowing } = filter.values;
  return {
    ...filter,
    isAny: Object.values(narrowing).some((value) => value !== ""),
    clear: () => filter.setAll({ kind: "", competitorId: "", category: "", hasCategory: "" }),
  };
}

function kindsOf({ codes: { moveKinds } }: Words): MoveKind[] {
  return Object.keys(moveKinds).filter((name): name is MoveKind => name in moveKinds);
}

function MovesSummary(
  { moves: { total, products, since, isCut } }: { moves: Wire<"MarketMoves"> },
) {
  const { words: { moves: texts, overview, position, shops }, show } = useApp();
  const text = isCut ? overview.moves.atLeast(total) : show.number(total);
  const of = isCut ? overview.moves.atLeast(products) : show.number(products);
  return (
    <span class="soft">
      {texts.told(text, of)}
      {" · "}
      {shops.since(momentText(show, since))}
      {` · ${position.gapBase}`}
    </span>
  );
}

function MovesBar(
  { filter, counts }: { filter: MovesFilter; counts: Wire<"MarketMoves">["counts"] | null },
) {
  const { words } = useApp();
  const texts = words.moves;
  const shops = useShops() ?? [];
  const { kind, category, hasCategory } = filter.values;
  const ofCategory = category || (hasCategory === "false" ? texts.withoutCategory : "");
  return (
    <search class="filter-bar row flow gap-8">
      <FilterChoice
        label={words.fields.competitor}
        {...filter.at("competitorId")}
        options={optionsOf(shops)}
        none={words.all}
      />
      <ul class="flow gap-6" aria-label={texts.chips}>
        {ofCategory !== "" && (
          <ListedChip
            text={ofCategory}
            isOn
            drops
            onClick={() => filter.setAll({ category: "", hasCategory: "" })}
          />
        )}
        {kindsOf(words).map((each) => (
          <ListedChip
            key={each}
            text={words.codes.moveKinds[each]}
            count={counts?.[each]}
            isOn={kind === each}
            drops={kind === each}
            onClick={() => filter.set("kind", kind === each ? "" : each)}
          />
        ))}
      </ul>
      <ClearFilter filter={filter} />
    </search>
  );
}

function useMoveColumns(): readonly Column<Wire<"MarketMove">>[] {
  const { words: { moves: { columns }, codes, fields, auditLog, market }, show } = useApp();
  return [
    column("article", fields.productId, { width: 300, narrowWidth: 190 }).cell((move) => (
      <span class="pair">
        <a href={`/products/${move.productId}`} title={move.title}>{move.title}</a>
        <small>{move.sku}</small>
      </span>
    )),
    column("shop", fields.competitor, 200).cell(({ competitorId, competitor }) => (
      <span class="row gap-8" title={competitor}>
        <ShopBadge id={competitorId} name={competitor} />
        <span class="clip" aria-hidden="true">{competitor}</span>
      </span>
    )),
    column("kind", columns.kind, 160).cell(({ kind, isNowCheapest }) => (
      <span class="pair">
        <span>{codes.moveKinds[kind]}</span>
        {isNowCheapest && <small>{fields.isNowCheapest}</small>}
      </span>
    )),
    column("from", auditLog.before, 100).money((move) => [move.fromCents, move.currency]),
    column("to", fields.to, 100).number(({ toCents, currency }) => (
      <strong>{show.money(toCents, currency)}</strong>
    )),
    column("change", fields.change, 96).number(({ changePct }) =>
      changePct === null ? "–" : <DeltaPct pct={changePct} />
    ),
    column("gap", market.columns.gapPct, 96).number(({ roomPct }) =>
      roomPct === null ? "–" : <GapPct pct={0 - roomPct} />
    ),
    column("at", columns.at, 100).cell(({ at }) => (
      <span class="soft" title={show.dateTime(at)}>{momentText(show, at)}</span>
    )),
  ];
}
