import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { useKeys } from "../../app/use_keys.ts";
import { useList } from "../../app/use_list.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { EmptyState } from "../../parts/empty_state.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Loading } from "../../parts/progress.tsx";
import { ShopBadge } from "../../parts/shop_badge.tsx";
import { useShopColours } from "../../parts/use_shops.ts";
import { PairCard } from "./pair_card.tsx";
import { type Action, type Suggestion, useDeciding } from "./use_deciding.ts";
import { VERDICT_TONES } from "./verdict_tones.ts";

type ReviewStatus = "open" | "accepted" | "rejected";

interface QueueProps {
  readonly status: ReviewStatus;
  /** Of this shop alone; empty for all. */
  readonly competitorId: string;
}

const LOADED = 50;
/** So few are left that more are asked for. */
const AHEAD = 10;

/** Pair by pair: what is suggested, both sides of the current one, and what is said of it. */
export function ReviewQueue({ status, competitorId }: QueueProps) {
  const { words, may } = useApp();
  const texts = words.review;
  const [currentId, setCurrentId] = useState<string | null>(null);
  const deciding = useDeciding(setCurrentId);
  const colours = useShopColours();
  const card = useRef<HTMLElement>(null);
  const list = useList<Suggestion, object>({
    key: ["suggestions", "list", status, competitorId],
    limit: LOADED,
    read: (api, page) =>
      api.GET("/api/match-suggestions", {
        params: { query: { ...page, status, ...(competitorId && { competitorId }) } },
      }),
    isStill: true,
  });
  const rows = list.rows.filter(({ id }) => !deciding.hidden.has(id));
  const found = rows.findIndex(({ id }) => id === currentId);
  const at = Math.max(0, found);
  const current = rows[at] ?? null;
  useEffect(() => {
    if (rows.length - at < AHEAD) list.more();
  }, [rows.length, at, list.hasMore]);
  const go = (step: number) => {
    const next = rows[(at + step + rows.length) % rows.length];
    if (next) setCurrentId(next.id);
  };
  const isOpen = status === "open";
  const mayDecide = may("manager");
  const decide = (action: Action) => {
    if (!current || !isOpen || !mayDecide) return;
    setCurrentId((rows[at + 1] ?? rows[at - 1])?.id ?? null);
    deciding.decide(action, current);
    card.current?.focus({ preventScroll: true });
  };
  const skip = () => {
    go(1);
    card.current?.focus({ preventScroll: true });
  };
  useKeys({
    j: () => go(1),
    k: () => go(-1),
    y: () => decide("accept"),
    n: () => decide("reject"),
    v: () => decide("variant"),
    " ": skip,
    u: () => mayDecide && deciding.undo(),
  });
  if (list.isPending) return <Loading label={words.loading} />;
  if (list.error) return <ErrorNote error={list.error} onAgain={list.again} />;
  if (!current) {
    return isOpen
      ? (
        <EmptyState icon="check" title={texts.emptyTitle} text={texts.emptyText}>
          <a class="button plain" href="/links/coverage">{texts.coverage}</a>
        </EmptyState>
      )
      : <EmptyState icon="check" title={texts.noneDecided} text={texts.emptyText} />;
  }
  return (
    <div class="review">
      <section class="panel review-list" aria-label={texts.list}>
        <ul>
          {rows.map((one) => (
            <Item
              key={one.id}
              suggestion={one}
              colour={colours.get(one.competitor.id)}
              isCurrent={one === current}
              onPick={() => setCurrentId(one.id)}
            />
          ))}
        </ul>
        {list.hasMore && (
          <Button kind="quiet" isBusy={list.isLoadingMore} onClick={list.more}>{texts.more}</Button>
        )}
      </section>
      <PairCard suggestion={current} colour={colours.get(current.competitor.id)} focus={card}>
        {!mayDecide ? null : isOpen
          ? (
            <>
              <Button kind="main" onClick={() => decide("accept")}>
                {words.product.identity.isSame}
                <Key name="y" />
              </Button>
              <Button onClick={() => decide("variant")}>
                {texts.variant}
                <Key name="v" />
              </Button>
              <Button kind="danger" onClick={() => decide("reject")}>
                {words.product.identity.isWrong}
                <Key name="n" />
              </Button>
              <Button kind="quiet" onClick={skip}>
                {texts.skip}
                <Key name={texts.space} />
              </Button>
            </>
          )
          : <Button icon="undo" onClick={() => deciding.reopen(current)}>{texts.takeBack}</Button>}
      </PairCard>
    </div>
  );
}

function Key({ name }: { name: string }) {
  const { usesKeys } = useApp();
  return usesKeys.value ? <kbd aria-hidden="true">{name}</kbd> : null;
}

interface ItemProps {
  readonly suggestion: Suggestion;
  readonly colour: number | undefined;
  readonly isCurrent: boolean;
  onPick(): void;
}

function Item({ suggestion, colour, isCurrent, onPick }: ItemProps) {
  const { words } = useApp();
  const row = useRef<HTMLButtonElement>(null);
  const { product, competitor, verdict } = suggestion;
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <li>
      <button type="button" ref={row} aria-current={isCurrent || undefined} onClick={onPick}>
        <ShopBadge name={competitor.displayName} colour={colour} />
        <strong>{product.sku}</strong>
        <Badge tone={VERDICT_TONES[verdict]}>{words.review.tones[verdict]}</Badge>
        <small title={product.title}>{product.title}</small>
      </button>
    </li>
  );
}
