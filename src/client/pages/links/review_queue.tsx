/**
 * The review queue shows suggested links pair by pair: a list, and next to it the current pair with
 * the evidence. Doubtful pairs come first, because sure ones can be accepted all at once with one
 * button. A decision takes one key or one click: the pair leaves the list and the next one gets the
 * focus before the service answers. More pairs are loaded before the list ends. The list is never
 * read again by itself, so pairs do not move while a person decides. Decided pairs are shown in the
 * same way and can be reopened.
 */
import { type ComponentChildren, Fragment, type Ref } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { listenerOf, useApp, useList } from "../../app/app.ts";
import { useKeys } from "../../app/use_keys.ts";
import { Badge, Button, type Tone } from "../../parts/controls.tsx";
import { EmptyState, More, Pending } from "../../parts/page.tsx";
import { ShopBadge, useShopColours } from "../../parts/shops.tsx";
import { type Action, type Suggestion, useDeciding } from "./use_deciding.ts";
import { whole } from "../../../base/fraction.ts";
import { ourGapPct, sharePct } from "../../../base/percent.ts";
import { identityReasonText, verdictText } from "../../../engine/wording/identity_words.ts";
import {
  brandOnPage,
  type ComparedRow,
  mpnOnPage,
  positionOf,
  STANDING_MARKS,
} from "../../parts/identity/row_marks.ts";
import { useSuggestionCounts } from "../../parts/reads.ts";
import { SafeLink } from "../../parts/safe_link.tsx";
import { Unbroken } from "../../parts/unbroken.tsx";
import type { Verdict } from "../../../engine/matching/identity_codes.ts";
import { get, where } from "../../api/call.ts";

type ReviewStatus = "open" | "accepted" | "rejected";

interface QueueProps {
  readonly status: ReviewStatus;
  /** Only of this shop; empty for all. */
  readonly competitorId: string;
}

const LOADED = 100;
/** More pairs are loaded when fewer than this many are left. */
const AHEAD = 10;

export function ReviewQueue(props: QueueProps) {
  const { words: { review: texts }, show } = useApp();
  const colours = useShopColours();
  const queue = useQueue(props);
  const { list, rows, current } = queue;
  const piles = [
    [texts.doubtful, rows.filter((one) => !isSure(one))],
    [texts.sure, rows.filter(isSure)],
  ] as const;
  if (list.isPending || list.error) return <Pending of={list} />;
  if (!current) {
    return props.status === "open"
      ? (
        <EmptyState icon="check" title={texts.emptyTitle} text={texts.emptyText}>
          <a class="button plain" href="/links/coverage">{texts.coverage}</a>
        </EmptyState>
      )
      : <EmptyState icon="check" title={texts.noneDecided} text={texts.noneDecidedText} />;
  }
  const place = show.number(rows.indexOf(current) + 1);
  return (
    <div class="review">
      <section class="panel review-list" aria-label={texts.list}>
        <div class="pair-piles">
          {piles.map(([title, own]) =>
            own.length > 0 && (
              <Fragment key={title}>
                {queue.isOpen && <h2>{title}</h2>}
                <ul class="ruled">
                  {own.map((one) => (
                    <Item
                      key={one.id}
                      suggestion={one}
                      colour={colours.get(one.competitor.id)}
                      isCurrent={one === current}
                      isVerdictSaid={queue.isOpen && one.verdict !== "different"}
                      onPick={() => queue.pick(one.id)}
                    />
                  ))}
                </ul>
              </Fragment>
            )
          )}
          <More of={list} text={texts.more} />
        </div>
        <footer>
          <Button kind="quiet" icon="left" label={texts.previous} onClick={() => queue.go(-1)} />
          <span class="soft small">
            {queue.doubtful === null
              ? texts.place(place, queue.all)
              : texts.placeOfOpen(place, queue.all, show.number(queue.doubtful))}
          </span>
          <Button kind="quiet" icon="next" label={texts.next} onClick={() => queue.go(1)} />
        </footer>
      </section>
      <PairCard suggestion={current} colour={colours.get(current.competitor.id)} focus={queue.card}>
        <Decisions queue={queue} current={current} />
      </PairCard>
    </div>
  );
}

const isSure = ({ verdict }: Suggestion) => verdict === "same";

/** The pairs and the current one, with the keys for moving between pairs and deciding. */
function useQueue({ status, competitorId }: QueueProps) {
  const { may, show } = useApp();
  const [currentId, pick] = useState<string | null>(null);
  const deciding = useDeciding(pick);
  const card = useRef<HTMLElement>(null);
  const list = useList<Suggestion, object>(
    (page) =>
      get(
        "/api/match-suggestions",
        where({ ...page, status, ...(competitorId && { competitorId }) }),
      ),
    { limit: LOADED, isStill: true },
  );
  const rows = list.rows.filter(({ id }) => !deciding.hidden.has(id))
    .toSorted((a, b) => Number(isSure(a)) - Number(isSure(b)));
  const at = Math.max(0, rows.findIndex(({ id }) => id === currentId));
  const current = rows[at] ?? null;
  useEffect(() => {
    if (rows.length - at < AHEAD) list.more();
  }, [rows.length, at, list.hasMore]);
  const go = (step: number) => {
    const next = rows[(at + step + rows.length) % rows.length];
    if (next) pick(next.id);
  };
  const isOpen = status === "open";
  const mayDecide = may("manager");
  const decide = (action: Action) => {
    if (!current || !isOpen || !mayDecide) return;
    pick((rows[at + 1] ?? rows[at - 1])?.id ?? null);
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
  const counts = useSuggestionCounts();
  const loaded = `${show.number(rows.length)}${list.hasMore ? "+" : ""}`;
  const isAll = isOpen && competitorId === "" && counts !== null;
  const all = isAll ? show.number(counts.open) : loaded;
  const doubtful = isAll ? counts.open - counts.same : null;
  return {
    list,
    rows,
    all,
    doubtful,
    current,
    pick,
    go,
    card,
    isOpen,
    mayDecide,
    decide,
    skip,
    deciding,
  };
}

interface DecisionsProps {
  readonly queue: ReturnType<typeof useQueue>;
  readonly current: Suggestion;
}

function Decisions(
  { queue: { isOpen, mayDecide, decide, skip, deciding }, current }: DecisionsProps,
) {
  const { words } = useApp();
  const { review: texts, product: { identity } } = words;
  if (!mayDecide) return null;
  if (!isOpen) {
    return <Button icon="undo" onClick={() => deciding.reopen(current)}>{texts.takeBack}</Button>;
  }
  return (
    <>
      <Button kind="main" onClick={() => decide("accept")}>
        {identity.isSame}
        <Key name="y" />
      </Button>
      <Button onClick={() => decide("variant")}>
        {texts.variant}
        <Key name="v" />
      </Button>
      <Button kind="caution" onClick={() => decide("reject")}>
        {identity.isWrong}
        <Key name="n" />
      </Button>
      <Button kind="quiet" onClick={skip}>
        {texts.skip}
        <Key name={texts.space} />
      </Button>
    </>
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
  /** True if the heading says the verdict. */
  readonly isVerdictSaid: boolean;
  onPick(): void;
}

function Item({ suggestion, colour, isCurrent, isVerdictSaid, onPick }: ItemProps) {
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
        {!isVerdictSaid && (
          <Badge tone={VERDICT_TONES[verdict]}>{words.review.tones[verdict]}</Badge>
        )}
        <small title={product.title}>
          <Unbroken text={product.title} />
        </small>
      </button>
    </li>
  );
}

interface PairCardProps {
  readonly suggestion: Suggestion;
  readonly colour: number | undefined;
  /** Gets the focus after a decision, so that keys and screen readers continue at the next pair. */
  readonly focus: Ref<HTMLElement>;
  readonly children: ComponentChildren;
}

const REASON_MARKS = { for: "✓", against: "≠", doubt: "≈" } as const;
const REASON_TONES = { for: "good", against: "bad", doubt: "warn" } as const;

function PairCard({ suggestion, colour, focus, children }: PairCardProps) {
  const { words, show } = useApp();
  const texts = words.review;
  const titleId = useId();
  const { product, competitor, page, verdict, score } = suggestion;
  const sides = words.product.identity;
  return (
    <section class="panel pair-card" aria-labelledby={titleId} tabIndex={-1} ref={focus}>
      <div class="pair-sides">
        <div>
          <span class="soft small">{sides.ours}</span>
          <h2 id={titleId}>
            <a href={`/products/${product.id}`}>
              <Unbroken text={product.sku} />
            </a>{" "}
            <Unbroken text={product.title} />
          </h2>
        </div>
        <p class="pair-verdict">
          <Badge tone={VERDICT_TONES[verdict]}>{texts.tones[verdict]}</Badge>
          <span class="soft small">
            {sharePct(score, 0) === 100
              ? texts.sameTitle
              : texts.score(show.number(sharePct(score, 0)))}
          </span>
        </p>
        <div>
          <span class="soft small">
            <ShopBadge name={competitor.displayName} colour={colour} /> {competitor.displayName}
          </span>
          <h2>
            <Unbroken text={page.title ?? page.url} />
          </h2>
          <SafeLink url={page.url}>{texts.toPage}</SafeLink>
        </div>
      </div>
      <PairRows suggestion={suggestion} />
      <PairReasons suggestion={suggestion} />
      <footer class="pair-actions">{children}</footer>
    </section>
  );
}

type PairProps = Pick<PairCardProps, "suggestion">;

function PairRows({ suggestion: { product, page, reasons, packFactor } }: PairProps) {
  const { words, show } = useApp();
  const { pack, pieces } = words.review;
  const { identity, notKnown, conditions } = words.product;
  const row = (
    label: string,
    name: ComparedRow | null,
    ours: ComponentChildren,
    theirs: ComponentChildren,
  ) => <Row label={label} row={name} reasons={reasons} ours={ours} theirs={theirs} />;
  return (
    <table class="pair-rows" aria-label={identity.sides}>
      <tbody>
        {row(
          words.fields.brand,
          "brand",
          product.brand,
          brandOnPage(page, product.brand, identity),
        )}
        {row(words.fields.ean, "gtin", product.gtin, page.gtin)}
        {row(words.fields.mpn, "mpn", product.mpn, mpnOnPage(page, reasons, identity))}
        {row(
          words.price,
          null,
          product.price === null ? null : show.money(product.price, product.currency),
          page.price === null ? null : (
            <>
              {show.money(page.price, page.currency)}{" "}
              {page.currency === product.currency && packFactor === null &&
                product.price !== null && (
                <small>
                  <OurGap pct={ourGapPct(product.price, whole(page.price))} />
                </small>
              )}
            </>
          ),
        )}
        {packFactor !== null &&
          row(pack, "pack", pieces(show.number(1)), pieces(show.number(packFactor)))}
        {page.condition !== null &&
          row(words.fields.condition, "condition", notKnown, conditions[page.condition])}
      </tbody>
    </table>
  );
}

function OurGap({ pct }: { pct: number | null }) {
  const { words: { review: { ours } }, show } = useApp();
  if (pct === null) return null;
  if (pct === 0) return <>{ours.equal}</>;
  return pct > 0
    ? <span class="dearer">{ours.dearer(show.share(pct))}</span>
    : <span class="cheaper">{ours.cheaper(show.share(-pct))}</span>;
}

function PairReasons({ suggestion: { product, page, verdict, reasons, rivals } }: PairProps) {
  const app = useApp();
  const { language } = listenerOf(app);
  const texts = app.words.review;
  const lacksGtin = verdict !== "same" && product.gtin !== null && page.gtin === null;
  return (
    <div class="pair-reasons stack fine gap-6">
      <strong>{verdictText(verdict, language)}</strong>
      <ul class="stack gap-4" aria-label={texts.reasons}>
        {reasons.map((reason) => (
          <li key={reason.code} class={REASON_TONES[reason.side]}>
            <span aria-hidden="true">{REASON_MARKS[reason.side]}</span>
            <span>
              <span class="sr-only">{`${texts.sides[reason.side]}: `}</span>
              {identityReasonText(reason, language)}
            </span>
          </li>
        ))}
        {lacksGtin && (
          <li class={REASON_TONES.doubt}>
            <span aria-hidden="true">{REASON_MARKS.doubt}</span>
            <span>
              <span class="sr-only">{`${texts.sides.doubt}: `}</span>
              {texts.noGtin}
            </span>
          </li>
        )}
      </ul>
      {rivals > 0 && <p class="soft small">{texts.rivals(app.show.number(rivals))}</p>}
    </div>
  );
}

interface RowProps {
  readonly label: string;
  /** Null if no reason is about this row. */
  readonly row: ComparedRow | null;
  readonly reasons: Suggestion["reasons"];
  readonly ours: ComponentChildren;
  readonly theirs: ComponentChildren;
}

function Row({ label, row, reasons, ours, theirs }: RowProps) {
  const { notKnown, notStated } = useApp().words.product;
  const stands = row && positionOf(row, reasons);
  return (
    <tr class={stands ?? undefined}>
      <td>{ours ?? <span class="soft">{notKnown}</span>}</td>
      <th scope="row">{label}</th>
      <td>
        {stands && <span class="mark">{STANDING_MARKS[stands]}</span>}
        {theirs ?? <span class="soft">{notStated}</span>}
      </td>
    </tr>
  );
}

const VERDICT_TONES: Readonly<Record<Verdict, Tone>> = {
  same: "good",
  probably: "warn",
  unknown: "warn",
  different: "bad",
};
