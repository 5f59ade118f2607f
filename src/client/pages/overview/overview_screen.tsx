/**
 * Shows the next task, our market position, the age of the data, and changes of offers. A new
 * workspace shows the set-up instead, until a proposal is decided. If an enabled rule only raises
 * alerts, the set-up ends once a price is observed.
 */
import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { DAY_MS, MINUTE_MS } from "../../../base/time.ts";
import type { Overview } from "../../../market/overview/read_overview.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { longDay, momentText } from "../../formats/day.ts";
import { Card, Loading, Pending, useTitle } from "../../parts/page.tsx";
import { useFilter } from "../../parts/filter.tsx";
import { DataCard, heldOf, IndexCard, useCategories } from "./data_card.tsx";
import { onDemand } from "../../parts/on_demand.tsx";
import { PositionCard } from "./position_card.tsx";
import { Icon } from "../../parts/controls.tsx";
import { useHeldImport } from "../../parts/import/import_state.tsx";
import { useExpiring } from "../../parts/shared_queries.ts";
import { ReadAgain } from "../../parts/shop/read_again.tsx";
import { useFreshness } from "../../parts/shop/shop_check.tsx";
import { addressOf, get, where, type Wire } from "../../api/call.ts";
import { sumOf } from "../../../base/collections.ts";
import { Delta, DeltaPct, effectText } from "../../parts/price_figures.tsx";
import { ShopBadge } from "../../parts/shops.tsx";
import type { Proposal } from "../../parts/decision/decision.tsx";
import { type Column, column, SimpleTable } from "../../parts/table/table.tsx";

const FirstHour = onDemand(async () => ({
  start: (await import("./first_hour.tsx")).FirstHour,
}))("start");

const WATCH_MS = 30_000;
const START_WATCH_MS = 5_000;

export function OverviewScreen() {
  const { words } = useApp();
  const found = useDocument(get("/api/overview"), {
    everyMs: (overview) => overview?.start.isOver ? WATCH_MS : START_WATCH_MS,
  });
  const overview = found.data;
  useTitle(words.overview.title);
  if (!overview) {
    return (
      <div class="page">
        <h1>{words.overview.title}</h1>
        <Pending of={found} />
      </div>
    );
  }
  return overview.start.isOver ? <Morning overview={overview} /> : <FirstHour />;
}

function Morning({ overview }: { overview: Overview }) {
  const { words: { overview: texts }, show } = useApp();
  const me = useDocument(get("/api/auth/me"));
  const filter = useFilter(["since"]);
  const lastVisitAt = me.data?.lastVisitAt ?? null;
  const spans = SPANS.filter((each) => each !== "visit" || lastVisitAt !== null);
  const span = spans.find((each) => each === filter.values.since) ?? spans[0] ?? "1";
  const [nowMs] = useState(() => Date.now());
  const since = sinceOf(span, lastVisitAt, nowMs);
  const sinceText = momentText(show, since, nowMs);
  return (
    <div class="page wide morning">
      <header class="page-head row flow">
        <div class="page-title flow gap-12 rows-4">
          <h1>{texts.greeting(me.data?.name?.trim().split(/\s+/)[0] ?? "")}</h1>
          <span class="soft">{longDay(show, nowMs, nowMs)}</span>
        </div>
        <label class="since end row nowrap gap-8" hidden={!me.data}>
          <span class="sr-only">{texts.since(sinceText)}</span>
          <select
            value={span}
            onChange={({ currentTarget: { value } }) =>
              filter.set("since", value === "visit" ? "" : value)}
          >
            {spans.map((each) => (
              <option key={each} value={each}>
                {each === "visit"
                  ? texts.sinceVisit(momentText(show, lastVisitAt, nowMs))
                  : texts.spans[each]}
              </option>
            ))}
          </select>
        </label>
      </header>
      <NextStep overview={overview} />
      <div class="panels wide-left columns gap-12">
        <PositionCard />
        <DataCard overview={overview} />
      </div>
      <div class="panels columns gap-12">
        <IndexCard />
        {me.data
          ? <MovesCard since={since} sinceText={sinceText} />
          : (
            <Card title={texts.moves.title}>
              <Pending of={me} />
            </Card>
          )}
      </div>
      <EffectCard />
    </div>
  );
}

const KEPT_DAYS = 30;

const SPANS = ["visit", "1", "3", "7", "30"] as const;
type Span = (typeof SPANS)[number];

/**
 * Returns the start of the shown period, rounded to the minute so that requests share a cached
 * answer. `visit` starts at the person's last visit; without one, a day ago. The period is at most
 * `KEPT_DAYS` long, because the service keeps no older price moves.
 */
export function sinceOf(span: Span, lastVisitAt: string | null, nowMs: number): string {
  const visitMs = lastVisitAt === null ? nowMs - DAY_MS : Date.parse(lastVisitAt);
  const wantedMs = span === "visit" ? visitMs : nowMs - Number(span) * DAY_MS;
  const sinceMs = Math.max(wantedMs, nowMs - KEPT_DAYS * DAY_MS + MINUTE_MS);
  return new Date(Math.floor(sinceMs / MINUTE_MS) * MINUTE_MS).toISOString();
}

interface NextStepAction {
  readonly text: string;
  readonly note: string | null;
  readonly action: ComponentChildren;
  readonly isCalm?: boolean;
}

function NextStep({ overview }: { overview: Overview }) {
  const { words } = useApp();
  const step = useNextStep(overview);
  if (step === null) {
    return (
      <div class="next-step row gap-14 rows-10" aria-busy="true">
        <Loading label={words.loading} />
      </div>
    );
  }
  const { text, note, action, isCalm } = step;
  return (
    <div class="next-step row gap-14 rows-10">
      <Icon name={isCalm ? "check" : "right"} />
      <p>
        <strong>{isCalm ? text : `${words.overview.next} ${text}`}</strong> {note}
      </p>
      {action}
    </div>
  );
}

/** Returns null until all data are loaded, so that no wrong task appears first. */
function useNextStep(overview: Overview): NextStepAction | null {
  const { words, show, may } = useApp();
  const texts = words.overview.nextSteps;
  const decide = may("manager") ? texts.decide : texts.look;
  const expiring = useExpiring(1);
  const held = heldOf(overview);
  const hold = useHeldImport(held?.jobId ?? null);
  const shops = useFreshness();
  if (hold === undefined || expiring.isPending || shops.isPending) return null;
  const step = (text: string, note: string | null, href: string, action: string) => ({
    text,
    note,
    action: <a class="button main" href={href}>{action}</a>,
  });
  const ending = expiring.data?.total ?? 0;
  if (ending > 0) {
    const href = "/proposals?expires=today";
    return step(texts.expiring(ending), texts.expiringNote, href, decide(ending));
  }
  if (held && hold?.until) {
    const { kept, look } = words.imports.job.hold;
    return step(texts.held(hold.why), `${kept(hold.until)}.`, `/imports/${held.jobId}`, look);
  }
  const { erp, proposals: { open, isCut } } = overview;
  if (erp.isLate) {
    const hours = show.number(erp.expectedHours);
    return step(texts.late(hours), texts.lateNote, "/imports", texts.toImports);
  }
  const down = shops.data?.items.find(({ downSince }) => downSince !== null);
  if (down) {
    const { competitorId: id, displayName, downSince } = down;
    return {
      text: `${words.repairs.down(displayName, momentText(show, downSince))}.`,
      note: texts.failingNote,
      action: <ReadAgain shop={{ id, displayName }} kind="main" />,
    };
  }
  if (open > 0) {
    const count = isCut ? words.overview.moves.atLeast(open) : show.number(open);
    return step(texts.open(count), null, "/proposals?status=open", decide(count));
  }
  return {
    text: texts.none,
    note: texts.noneNote,
    action: <a class="button" href="/products">{texts.toMarket}</a>,
    isCalm: true,
  };
}

const SHOWN_MAX = 6;
const SHOWN_MIN = 3;
const MOVE_PX = 48;
const CATEGORY_PX = 29;

function MovesCard({ since, sinceText }: { since: string; sinceText: string }) {
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

function EffectCard() {
  const { words: { overview: { effect: texts } }, show, may } = useApp();
  const columns = useEffectColumns();
  const found = useDocument(
    get("/api/proposals", where({ status: "open", later: "false", sort: "effect", limit: 6 })),
  );
  const { data } = found;
  return (
    <Card
      title={texts.title}
      note={data && texts.open(show.number(data.total))}
      beside={<a href="/proposals?status=open">{may("manager") ? texts.all : texts.look}</a>}
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
    column("now", words.fields.current, wide).money((
      { currentCents, currency },
    ) => [currentCents, currency]),
    column("proposed", words.fields.proposed, 96).number(({ proposedCents, currency }) => (
      <strong>{show.money(proposedCents, currency)}</strong>
    )),
    column("change", words.fields.change, 96).number(({ currentCents, proposedCents }) => (
      <Delta fromCents={currentCents} toCents={proposedCents} />
    )),
    column("margin", words.fields.marginAfter, wide).share(({ marginAfterPct }) => marginAfterPct),
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
