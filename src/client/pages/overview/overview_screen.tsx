/**
 * The overview ("Morning") names the next task, and shows our market position, the age of the data,
 * and changes of offers. Until the first decision on a proposal, a new workspace shows the set-up
 * instead of these data. If an enabled rule only raises alerts, the set-up ends with the first
 * observed price.
 */
import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { DAY_MS, MINUTE_MS } from "../../../base/time.ts";
import type { Overview } from "../../../market/overview/read_overview.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { longDay, momentText } from "../../formats/day.ts";
import { Card, Loading, Pending, useTitle } from "../../parts/page.tsx";
import { useFilter } from "../../parts/filter.tsx";
import { DataCard, heldOf } from "./data_card.tsx";
import { IndexCard } from "./index_card.tsx";
import { EffectCard, MovesCard } from "./moves_card.tsx";
import { onDemand } from "../../parts/on_demand.tsx";
import { PositionCard } from "./position_card.tsx";
import { Icon } from "../../parts/controls.tsx";
import { useHeldImport } from "../../parts/import/source_guards.tsx";
import { useExpiring } from "../../parts/shared_queries.ts";
import { ReadAgain } from "../../parts/shop/read_again.tsx";
import { useFreshness } from "../../parts/shop/shop_state.ts";
import { get } from "../../api/call.ts";

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
      <div class="panels wide-left">
        <PositionCard />
        <DataCard overview={overview} />
      </div>
      <div class="panels">
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
 * Returns the start of the shown period, rounded down to the minute so that equal requests share a
 * cached answer. If `span` is `visit` and the person has no earlier visit, the period is one day.
 * The service keeps price moves for `KEPT_DAYS`, so no period is longer.
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

/** Returns null until all data are loaded, so that the shown task does not change suddenly. */
function useNextStep(overview: Overview): NextStepAction | null {
  const { words, show } = useApp();
  const texts = words.overview.nextSteps;
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
    return step(texts.expiring(ending), texts.expiringNote, href, texts.decide(ending));
  }
  if (held && hold?.until) {
    const { kept } = words.imports.job.hold;
    return step(
      texts.held(hold.why),
      `${kept(hold.until)}.`,
      `/imports/${held.jobId}`,
      texts.toHeld,
    );
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
    return step(texts.open(count), null, "/proposals?status=open", texts.decide(count));
  }
  return {
    text: texts.none,
    note: texts.noneNote,
    action: <a class="button" href="/products">{texts.toMarket}</a>,
    isCalm: true,
  };
}
