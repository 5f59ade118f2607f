/**
 * A person decides which pages of shops show our products. Accepting all suggestions with the
 * verdict `same` needs a confirmation, because only some of them are visible. Suggestions reload
 * only after a decision, so they do not move while a person reads them.
 */
import { get, where, type Wire } from "../../api/call.ts";
import { useApp, useChange, useList } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import {
  EmptyState,
  ErrorNote,
  More,
  PageHead,
  Pending,
  Section,
  Unbroken,
} from "../../parts/page.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { LinkTabs } from "./coverage_screen.tsx";
import { useAcceptSure } from "../../parts/identity.tsx";
import { useSuggestionCounts } from "../../parts/shared_queries.ts";
import { type Column, column, ListTable } from "../../parts/table/table.tsx";
import { useKeys } from "../../parts/hooks.ts";
import { useFilter } from "../../parts/filter.tsx";
import { CheckState } from "./check_screen.tsx";
import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import { Fragment } from "preact";
import { ShopBadge } from "../../parts/shops.tsx";
import { type Action, PairCard, type Suggestion, useDeciding, VerdictBadge } from "./pair_card.tsx";

type Check = Wire<"LinkCheck">;

const STATUSES = ["accepted", "rejected"] as const;

export function LinksScreen() {
  const { words: { links: texts, review }, may } = useApp();
  const { values: { status, competitorId } } = useFilter(["status", "competitorId"]);
  const shown = STATUSES.find((one) => one === status) ?? "open";
  const counts = useSuggestionCounts();
  return (
    <div class="page wide">
      <PageHead
        title={texts.title}
        beside={counts !== null && (
          <span class="soft">
            {review.waiting(counts.open, counts.open - counts.same, counts.same)}
            {counts.searching > 0 && ` · ${review.searching(counts.searching)}`}
          </span>
        )}
      >
        {may("manager") && shown === "open" && <AcceptSure count={counts?.same ?? 0} />}
      </PageHead>
      <LinkTabs current={shown} />
      <ReviewQueue key={`${shown} ${competitorId}`} status={shown} competitorId={competitorId} />
      {shown === "open" && (
        <>
          {may("manager") && <PasteSection />}
          <Section title={texts.checks} note={texts.checksNote} isCard>
            <Checks />
          </Section>
        </>
      )}
    </div>
  );
}

function AcceptSure({ count }: { count: number }) {
  const { words: { review: texts, links } } = useApp();
  const sure = useAcceptSure();
  if (sure.done !== null) {
    return (
      <>
        <span role="status">{texts.going(sure.done, count)}</span>
        <Button onClick={sure.stop}>{links.cancel}</Button>
      </>
    );
  }
  if (count === 0) return null;
  const question = {
    title: texts.sureTitle(count),
    text: texts.sureText,
    yes: texts.sureYes(count),
  };
  return <Button question={question} onClick={sure.accept}>{texts.acceptSure(count)}</Button>;
}

function PasteSection() {
  const { words: { links: texts } } = useApp();
  const { route } = useLocation();
  const [text, setText] = useState("");
  const count = countLines(text);
  const start = useChange({
    ask: (api, body: string) => api.POST("/api/link-checks", { body: { text: body } }),
    onDone: ({ jobId }) => route(`/links/${jobId}`),
    showsError: true,
  });
  return (
    <Section title={texts.paste} note={texts.pasteNote} isCard>
      <div class="paste-lines stack gap-12">
        <TextField
          name="lines"
          label={texts.field}
          hint={texts.fieldHint}
          placeholder="SKU-1;https://shop.example/p/1"
          lines={8}
          value={text}
          onValue={setText}
        />
        {start.error && <ErrorNote error={start.error} />}
        <p class="flow gap-8">
          <Button
            kind="main"
            isBusy={start.isPending}
            isDisabled={count === 0}
            onClick={() => start.mutate(text)}
          >
            {count === 0 ? texts.startNone : texts.start(count)}
          </Button>
        </p>
      </div>
    </Section>
  );
}

function Checks() {
  const { words: { links: texts, fields }, show } = useApp();
  const list = useList<Check, object>((query) => get("/api/link-checks", where(query)), {
    limit: 20,
    everyMs: 5_000,
  });
  const count = (key: "sure" | "check" | "wrong") =>
    column(key, texts.columns[key], 80).number<Check>(({ counts }) => counts[key]);
  const columns: readonly Column<Check>[] = [
    column("at", texts.columns.at, 150).cell(({ id, createdAt }) => (
      <a href={`/links/${id}`}>{show.dateTime(createdAt)}</a>
    )),
    column("state", fields.status, 110).cell((check) => <CheckState check={check} />),
    column("lines", texts.columns.lines, 80).number(({ lines }) => lines),
    count("sure"),
    count("check"),
    count("wrong"),
    column("linked", texts.columns.linked, 100).number(({ linked }) => linked),
    column("by", texts.columns.by, 180).cell(({ createdBy }) => createdBy),
  ];
  return (
    <ListTable
      label={texts.checks}
      columns={columns}
      list={list}
      empty={<p class="soft">{texts.noChecks}</p>}
    />
  );
}

function countLines(text: string): number {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const hasHead = lines.length > 1 && lines[0]?.includes("/") === false;
  return hasHead ? lines.length - 1 : lines.length;
}

interface QueueProps {
  readonly status: "open" | "accepted" | "rejected";
  readonly competitorId: string;
}

const AHEAD = 10;

function ReviewQueue(props: QueueProps) {
  const texts = useApp().words.review;
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
  return (
    <div class="review">
      <section class="panel column framed review-list" aria-label={texts.open}>
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
                      isCurrent={one === current}
                      isVerdictHidden={queue.isOpen && one.verdict !== "different"}
                      onPick={() => queue.pick(one.id)}
                    />
                  ))}
                </ul>
              </Fragment>
            )
          )}
          <More of={list} />
        </div>
        <QueueFoot queue={queue} isWhole={queue.isOpen && props.competitorId === ""} />
      </section>
      <PairCard suggestion={current} focus={queue.card}>
        <Decisions queue={queue} current={current} />
      </PairCard>
    </div>
  );
}

const isSure = ({ verdict }: Suggestion) => verdict === "same";

function useQueue({ status, competitorId }: QueueProps) {
  const { may } = useApp();
  const [currentId, pick] = useState<string | null>(null);
  const deciding = useDeciding(pick);
  const card = useRef<HTMLElement>(null);
  const list = useList<Suggestion, object>(
    (page) => get("/api/match-suggestions", where({ ...page, status, competitorId })),
    { limit: 100, isStill: true },
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
  return { list, rows, at, current, pick, go, card, isOpen, mayDecide, decide, skip, deciding };
}

type Queue = ReturnType<typeof useQueue>;

function QueueFoot({ queue: { rows, at, list, go }, isWhole }: { queue: Queue; isWhole: boolean }) {
  const { words: { review: texts }, show } = useApp();
  const counts = useSuggestionCounts();
  const place = at + 1;
  return (
    <footer class="row spread gap-8">
      <Button kind="quiet" icon="left" label={texts.previous} onClick={() => go(-1)} />
      <span class="soft small">
        {isWhole && counts
          ? texts.placeOfOpen(place, counts.open, counts.open - counts.same)
          : texts.place(place, `${show.number(rows.length)}${list.hasMore ? "+" : ""}`)}
      </span>
      <Button kind="quiet" icon="next" label={texts.next} onClick={() => go(1)} />
    </footer>
  );
}

interface DecisionsProps {
  readonly queue: Queue;
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
  readonly isCurrent: boolean;
  readonly isVerdictHidden: boolean;
  onPick(): void;
}

function Item({ suggestion, isCurrent, isVerdictHidden, onPick }: ItemProps) {
  const row = useRef<HTMLButtonElement>(null);
  const { product, competitor, verdict } = suggestion;
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <li>
      <button
        type="button"
        class="choice fine"
        ref={row}
        aria-current={isCurrent || undefined}
        onClick={onPick}
      >
        <ShopBadge id={competitor.id} name={competitor.displayName} />
        <strong>{product.sku}</strong>
        {!isVerdictHidden && <VerdictBadge verdict={verdict} />}
        <small title={product.title}>
          <Unbroken text={product.title} />
        </small>
      </button>
    </li>
  );
}
