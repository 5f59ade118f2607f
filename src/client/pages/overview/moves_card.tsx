/**
 * Two cards of the overview: the changes of competitors' offers since a given time, and the open
 * proposals with the largest effect on profit. The first card shows one line per shop, and more
 * lines if the card of price indexes beside it is taller.
 */
import { sumOf } from "../../../base/collections.ts";
import { addressOf, get, where, type Wire } from "../../api/call.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { Card, Pending } from "../../parts/page.tsx";
import { useCategories } from "./index_card.tsx";
import { Delta, DeltaPct } from "../../parts/price_figures.tsx";
import { ShopBadge } from "../../parts/shops.tsx";
import type { Proposal } from "../../parts/decision/decision.tsx";
import { effectText } from "../../parts/effect_text.ts";
import { type Column, column, SimpleTable } from "../../parts/table/table.tsx";

const SHOWN_MAX = 6;
const SHOWN_MIN = 3;
const MOVE_PX = 48;
const CATEGORY_PX = 29;

export function MovesCard({ since, sinceText }: { since: string; sinceText: string }) {
  const { words: { overview: { moves: texts }, shops }, show } = useApp();
  const found = useDocument(
    get("/api/market/moves", where({ since, groupBy: "competitor,category", limit: 1 })),
  );
  const { data } = found;
  const groups = data?.groups ?? [];
  const byShop = ofEachShop(groups);
  const rows = useCategories().data?.length ?? 0;
  const fitting = Math.round((rows + 1) * CATEGORY_PX / MOVE_PX);
  const shown = byShop.slice(0, Math.min(SHOWN_MAX, Math.max(SHOWN_MIN, fitting)));
  const total = data?.total ?? 0;
  const rest = total - sumOf(shown, movesOfShop);
  const count = data?.isCut ? texts.atLeast(total) : show.number(total);
  const beside = total > 0 && <a href={addressOf("/moves", { since })}>{texts.all(count)}</a>;
  return (
    <Card title={texts.title} note={shops.since(sinceText)} beside={beside}>
      {!data
        ? <Pending of={found} />
        : groups.length === 0
        ? <p class="note info">{texts.none}</p>
        : (
          <>
            <ul class="moves ruled">
              {shown.map((group) => (
                <li key={group.competitorId}>
                  <ShopBadge name={group.competitor ?? ""} id={group.competitorId ?? ""} />
                  <MoveLine group={group} since={since} />
                </li>
              ))}
            </ul>
            <p class="soft small">
              {texts.order}
              {rest > 0 && ` · ${texts.rest(rest)}`}
            </p>
          </>
        )}
    </Card>
  );
}

type MoveGroup = Wire<"MarketMoveGroup">;

const movesOfShop = ({ competitorMoves = 0 }: MoveGroup) => competitorMoves;

function ofEachShop(groups: readonly MoveGroup[]): readonly MoveGroup[] {
  const shops = Map.groupBy(groups, ({ competitorId }) => competitorId).values();
  return [...shops].flatMap(([largest]) => largest ?? [])
    .toSorted((a, b) => movesOfShop(b) - movesOfShop(a));
}

function MoveLine({ group, since }: { group: MoveGroup; since: string }) {
  const { words: { overview: { moves: texts } }, show } = useApp();
  const { kind, competitor, competitorId, category = null, changePct, products, biggest } = group;
  const what = texts.groups[kind](products);
  const isOne = products === 1;
  const isPriced = kind === "down" || kind === "up";
  const note = noteOf();
  const moves = {
    since,
    kind,
    competitorId,
    ...(category === null ? { hasCategory: false } : { category }),
  };
  return (
    <>
      <a
        class="clip"
        href={isOne ? `/products/${biggest.productId}` : addressOf("/moves", moves)}
        title={isOne ? biggest.title : category ?? undefined}
      >
        <span class="sr-only">{competitor}:</span> {isOne
          ? `${biggest.sku} ${biggest.title}`
          : category === null
          ? what
          : texts.within(what, category)}
      </a>
      {isPriced && changePct !== null && (
        <span class="number strong">
          <DeltaPct pct={changePct} />
        </span>
      )}
      {isPriced && !isOne && changePct !== null && <small class="mean">{texts.mean}</small>}
      <small>
        {note}
        {movesOfShop(group) > group.moves && (
          <>
            {note !== "" && " · "}
            <a href={addressOf("/moves", { since, competitorId })}>
              {texts.ofShop(movesOfShop(group), competitor ?? "")}
            </a>
          </>
        )}
      </small>
    </>
  );

  function noteOf(): string {
    const { fromCents, toCents, currency } = biggest;
    if (isOne && isPriced) {
      return texts.step(show.money(fromCents, currency), show.money(toCents, currency));
    }
    if (isOne) return what;
    const { undercutUs, withRoom } = group;
    return [
      ...(undercutUs > 0 ? [texts.undercutUs(undercutUs)] : []),
      ...(withRoom > 0 ? [texts.withRoom(withRoom)] : []),
    ].join(" · ");
  }
}

export function EffectCard() {
  const { words: { overview: { effect: texts } }, show } = useApp();
  const columns = useEffectColumns();
  const found = useDocument(
    get("/api/proposals", where({ status: "open", later: "false", sort: "effect", limit: 6 })),
  );
  const { data } = found;
  return (
    <Card
      title={texts.title}
      note={data && texts.open(show.number(data.total))}
      beside={<a href="/proposals?status=open">{texts.all}</a>}
    >
      {data
        ? (
          <SimpleTable
            label={texts.title}
            columns={columns}
            rows={data.items}
            empty={<p class="note info">{texts.none}</p>}
          />
        )
        : <Pending of={found} />}
    </Card>
  );
}

function useEffectColumns(): readonly Column<Proposal>[] {
  const { words, show } = useApp();
  const texts = words.overview.effect;
  const { columns } = texts;
  const wide = { width: 96, isWide: true } as const;
  return [
    column("product", words.fields.productId, { width: 240, narrowWidth: 150 }).cell((proposal) => (
      <a href={`/products/${proposal.productId}`}>
        {proposal.sku} <span class="beside">{proposal.productTitle}</span>
      </a>
    )),
    column("now", words.fields.current, wide).number(({ currentCents, currency }) =>
      show.money(currentCents, currency)
    ),
    column("proposed", words.fields.proposed, 96).number(({ proposedCents, currency }) => (
      <strong>{show.money(proposedCents, currency)}</strong>
    )),
    column("change", words.fields.change, 96).number(({ currentCents, proposedCents }) => (
      <Delta fromCents={currentCents} toCents={proposedCents} />
    )),
    column("margin", words.fields.marginAfter, wide).number(({ marginAfterPct }) =>
      show.share(marginAfterPct)
    ),
    column("rank", columns.rankAfter, wide).number(({ marketAfter }) =>
      marketAfter?.rank ? texts.rank(marketAfter.rank, marketAfter.of) : "–"
    ),
    column("effect", words.fields.effect, 116).number((proposal) =>
      effectText(words, show, proposal)
    ),
    column("rule", words.fields.rule, { width: 170, isWide: true }).cell(({ ruleName }) =>
      ruleName
    ),
  ];
}
