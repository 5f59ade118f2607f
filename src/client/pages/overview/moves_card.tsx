import { addressOf } from "../../api/call.ts";
import type { Wire } from "../../api/wire.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/use_document.ts";
import { Card } from "../../parts/card.tsx";
import { DeltaPct } from "../../parts/delta.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Loading } from "../../parts/progress.tsx";
import { ShopBadge } from "../../parts/shop_badge.tsx";
import { useShopColours } from "../../parts/use_shops.ts";

const SHOWN = 8;

/** Moves of competitors since a time, the largest first; each leads to its products. */
export function MovesCard({ since, sinceText }: { since: string; sinceText: string }) {
  const { words, show } = useApp();
  const texts = words.overview.moves;
  const colours = useShopColours();
  const found = useDocument({
    key: ["products", "moves", since],
    read: (api) =>
      api.GET("/api/market/moves", {
        params: { query: { since, groupBy: "competitor,category", limit: 1 } },
      }),
  });
  const { data } = found;
  const groups = data?.groups ?? [];
  const total = data?.total ?? 0;
  const count = data?.isCut ? texts.atLeast(show.number(total)) : show.number(total);
  const beside = total > 0 && <a href={addressOf("/moves", { since })}>{texts.all(count)}</a>;
  return (
    <Card title={texts.title} note={texts.since(sinceText)} beside={beside}>
      {!data
        ? found.error
          ? <ErrorNote error={found.error} onAgain={() => void found.refetch()} />
          : <Loading label={words.loading} />
        : groups.length === 0
        ? <p class="note info">{texts.none}</p>
        : (
          <ul class="moves">
            {groups.slice(0, SHOWN).map((group) => (
              <li key={`${group.competitorId} ${group.kind} ${group.category}`}>
                <ShopBadge
                  name={group.competitor ?? ""}
                  colour={colours.get(group.competitorId ?? "")}
                />
                <MoveLine group={group} since={since} />
              </li>
            ))}
          </ul>
        )}
    </Card>
  );
}

/** The moves of one shop in one category. */
function MoveLine({ group, since }: { group: Wire<"MarketMoveGroup">; since: string }) {
  const { words, show } = useApp();
  const texts = words.overview.moves;
  const { kind, competitor, competitorId, category = null, changePct, products, biggest } = group;
  const what = texts.groups[kind](products, show.number(products));
  const isOne = products === 1;
  const isPriced = kind === "down" || kind === "up";
  const moves = {
    since,
    kind,
    competitorId,
    ...(category === null ? { hasCategory: false } : { category }),
  };
  return (
    <>
      <a
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
      <small>{noteOf()}</small>
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
      ...(undercutUs > 0 ? [texts.undercutUs(show.number(undercutUs))] : []),
      ...(withRoom > 0 ? [texts.withRoom(show.number(withRoom))] : []),
    ].join(", ");
  }
}
