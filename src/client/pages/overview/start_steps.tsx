import type { ComponentChildren } from "preact";
import type { Overview } from "../../../market/overview/read_overview.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/queries.ts";
import { momentText } from "../../formats/moment.ts";
import { Icon } from "../../parts/controls.tsx";
import { PausedSources } from "../../parts/import/source_guards.tsx";
import { dayOf, endOfDay } from "../../formats/day.ts";

const WATCH_MS = 5_000;

interface Step {
  readonly title: string;
  readonly text: string;
  readonly count: number;
  readonly unit: string;
  readonly isDone: boolean;
  /** Null for who may not do it. */
  readonly action: StepLink | null;
  /** Another way to the same. */
  readonly other?: StepLink | undefined;
}

interface StepLink {
  readonly href: string;
  readonly text: string;
}

/** From nothing to the first proposal: four steps, the next one in front, each with what is there by now. */
export function StartSteps({ overview }: { overview: Overview }) {
  const { words } = useApp();
  const texts = words.overview.start;
  const steps = useSteps(overview);
  const left = steps.filter(({ isDone }) => !isDone).length;
  const next = steps.findIndex(({ isDone }) => !isDone);
  const later = [
    [words.overview.position.title, texts.laterPosition],
    [words.overview.moves.title, texts.laterMoves],
    [words.overview.effect.title, texts.laterEffect],
  ];
  return (
    <div class="page morning">
      <header class="page-head">
        <div class="page-title">
          <h1>{words.overview.welcome}</h1>
          <span class="soft">{left === 0 ? texts.ready : texts.stepsLeft(left)}</span>
        </div>
      </header>
      <PausedSources />
      <ol class="start-steps">
        {steps.map((step, at) => (
          <StartStep key={step.title} step={step} number={at + 1} isNext={at === next} />
        ))}
      </ol>
      <h2>{texts.later}</h2>
      <div class="start-later">
        {later.map(([title, text]) => <Later key={title} title={title}>{text}</Later>)}
      </div>
    </div>
  );
}

interface StartStepProps {
  readonly step: Step;
  readonly number: number;
  readonly isNext: boolean;
}

function StartStep({ step, number, isNext }: StartStepProps) {
  const { words, show } = useApp();
  const texts = words.overview.start;
  const { title, text, count, unit, isDone, action, other } = step;
  return (
    <li
      class={isNext ? "next" : isDone ? "done" : undefined}
      aria-current={isNext ? "step" : undefined}
    >
      <span class="start-mark">
        {isDone ? <Icon name="check" /> : <span aria-hidden="true">{number}</span>}
        <span class="sr-only">{isDone ? texts.done : texts.step(number)}</span>
      </span>
      <div>
        <h2>{title}</h2>
        <p>{text} {other && <a href={other.href}>{other.text}</a>}</p>
      </div>
      <p class="start-count">
        <strong>{show.number(count)}</strong>
        <small>{unit}</small>
      </p>
      {action && <a class={isNext ? "button main" : "button"} href={action.href}>{action.text}</a>}
    </li>
  );
}

/** An empty place with the shape of what comes. */
function Later({ title, children }: { title: string | undefined; children: ComponentChildren }) {
  return (
    <section>
      <h3>{title}</h3>
      <div class="start-shape" aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
      <p>{children}</p>
    </section>
  );
}

function useSteps({ start, erp }: Overview): Step[] {
  const { words, show, may } = useApp();
  const texts = words.overview.start;
  const found = useDocument({
    key: ["products", "summary"],
    read: (api) => api.GET("/api/market/summary"),
    everyMs: () => WATCH_MS,
  });
  const all = found.data?.items[0];
  const unlinked = all?.states.no_links ?? start.products;
  const linked = (all?.products ?? start.products) - unlinked;
  const { last } = erp;
  const hasErrors = last !== null && last.errorCount > 0;
  const isManager = may("manager");
  const forManager = (href: string, text: string) => isManager ? { href, text } : null;
  return [
    {
      title: texts.products,
      text: start.products === 0
        ? texts.productsNone
        : last === null
        ? texts.productsBy
        : texts.productsFrom(
          last.label,
          momentText(show, last.finishedAt ?? last.createdAt, Date.now()),
        ),
      count: start.products,
      unit: texts.products,
      isDone: start.products > 0,
      action: start.products === 0
        ? forManager("/imports/new", texts.toImport)
        : hasErrors
        ? { href: `/imports/${last.jobId}`, text: texts.toErrors }
        : { href: "/products", text: texts.toProducts },
      other: start.products === 0 && may("owner")
        ? { href: "/settings/keys", text: words.products.cards.key }
        : undefined,
    },
    {
      title: texts.shops,
      text: start.shops === 0
        ? texts.shopsText
        : texts.shopsRead(show.number(start.readShops), show.number(start.shops)),
      count: start.readShops,
      unit: texts.shopsUnit,
      isDone: start.shops > 0,
      action: forManager("/competitors", start.shops === 0 ? texts.toShop : texts.toNextShop),
    },
    {
      title: texts.links,
      text: texts.linksText,
      count: linked,
      unit: texts.linksUnit(show.number(start.products)),
      isDone: linked > 0,
      action: start.products > 0
        ? { href: "/products?state=no_links", text: texts.toLinks(show.number(unlinked)) }
        : null,
    },
    {
      title: texts.rules,
      text: texts.rulesText,
      count: start.rules,
      unit: texts.rulesUnit,
      isDone: start.rules > 0,
      action: start.rules === 0
        ? forManager("/rules/new", texts.toRule)
        : { href: "/rules", text: texts.toRules },
    },
  ];
}

interface NextStepAction {
  readonly text: string;
  readonly note: string | null;
  readonly href: string;
  readonly action: string;
  readonly isCalm?: boolean;
}

/** The one thing that comes first: what ends today, then what is missing, then what waits. */
export function NextStep({ overview, nowMs }: { overview: Overview; nowMs: number }) {
  const { words, show } = useApp();
  const texts = words.overview.nextSteps;
  const { timeZone } = show;
  const today = endOfDay(dayOf(new Date(nowMs).toISOString(), timeZone), timeZone);
  const expiring = useDocument({
    key: ["proposals", "expiring", today],
    read: (api) =>
      api.GET("/api/proposals", {
        params: { query: { status: "open", expiresBefore: today, later: "false", limit: 1 } },
      }),
  });
  const shops = useDocument({
    key: ["overview", "shops"],
    read: (api) => api.GET("/api/overview/shops"),
  });
  // Data that may change the first step is awaited, so that the step does not change under the
  // pointer.
  if (expiring.isPending || shops.isPending) return <div class="next-step" aria-busy="true" />;
  const { text, note, href, action, isCalm } = stepOf();
  return (
    <div class="next-step">
      <Icon name={isCalm ? "check" : "right"} />
      <p>
        <strong>{isCalm ? text : `${words.overview.next} ${text}`}</strong> {note}
      </p>
      <a class={isCalm ? "button" : "button main"} href={href}>{action}</a>
    </div>
  );

  function stepOf(): NextStepAction {
    const ending = expiring.data?.total ?? 0;
    if (ending > 0) {
      const count = show.number(ending);
      return {
        text: texts.expiring(count),
        note: texts.expiringNote,
        href: "/proposals?expires=today",
        action: texts.decide(count),
      };
    }
    const { erp, proposals: { open, isCut } } = overview;
    if (erp.isLate) {
      return {
        text: texts.late(show.number(erp.expectedHours)),
        note: texts.lateNote,
        href: "/imports",
        action: texts.toImports,
      };
    }
    const failing = shops.data?.items.find(({ fresh, failing }) => fresh === 0 && failing > 0);
    if (failing) {
      return {
        text: texts.failing(failing.displayName),
        note: texts.failingNote,
        href: `/competitors/${failing.competitorId}`,
        action: texts.toShops,
      };
    }
    if (open > 0) {
      const count = isCut ? words.overview.moves.atLeast(show.number(open)) : show.number(open);
      return {
        text: texts.open(count),
        note: null,
        href: "/proposals?status=open",
        action: texts.decide(count),
      };
    }
    return {
      text: texts.none,
      note: texts.noneNote,
      href: "/products",
      action: texts.toMarket,
      isCalm: true,
    };
  }
}
