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

function useSteps(overview: Overview): Step[] {
  const { words, show } = useApp();
  const texts = words.overview.start;
  const { start } = overview;
  const found = useDocument({
    key: ["products", "summary"],
    read: (api) => api.GET("/api/market/summary"),
    everyMs: () => WATCH_MS,
  });
  const all = found.data?.items[0];
  const unlinked = all?.states.no_links ?? start.products;
  const linked = (all?.products ?? start.products) - unlinked;
  const forManager = useManagerLink();
  return [
    useProductStep(overview),
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

/** Null for who may change nothing. */
function useManagerLink() {
  const { may } = useApp();
  return (href: string, text: string) => may("manager") ? { href, text } : null;
}

function useProductStep({ start: { products }, erp: { last } }: Overview): Step {
  const { words, show, may } = useApp();
  const texts = words.overview.start;
  const step = { title: texts.products, count: products, unit: texts.products };
  const forManager = useManagerLink();
  if (products === 0) {
    return {
      ...step,
      text: texts.productsNone,
      isDone: false,
      action: forManager("/imports/new", texts.toImport),
      other: may("owner") ? { href: "/settings/keys", text: words.products.cards.key } : undefined,
    };
  }
  const at = last && momentText(show, last.finishedAt ?? last.createdAt, Date.now());
  return {
    ...step,
    text: last && at ? texts.productsFrom(last.label, at) : texts.productsBy,
    isDone: true,
    action: last && last.errorCount > 0
      ? { href: `/imports/${last.jobId}`, text: texts.toErrors }
      : { href: "/products", text: texts.toProducts },
  };
}

interface NextStepAction {
  readonly text: string;
  readonly note: string | null;
  readonly href: string;
  readonly action: string;
  readonly isCalm?: boolean;
}

/** The one thing that comes first. */
export function NextStep({ overview, nowMs }: { overview: Overview; nowMs: number }) {
  const { words } = useApp();
  const step = useNextStep(overview, nowMs);
  if (step === null) return <div class="next-step" aria-busy="true" />;
  const { text, note, href, action, isCalm } = step;
  return (
    <div class="next-step">
      <Icon name={isCalm ? "check" : "right"} />
      <p>
        <strong>{isCalm ? text : `${words.overview.next} ${text}`}</strong> {note}
      </p>
      <a class={isCalm ? "button" : "button main"} href={href}>{action}</a>
    </div>
  );
}

/**
 * What ends today, then what is missing, then what waits. Null while data is read that may change
 * it, so that the step does not change under the pointer.
 */
function useNextStep(overview: Overview, nowMs: number): NextStepAction | null {
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
  if (expiring.isPending || shops.isPending) return null;
  const step = (text: string, note: string | null, href: string, action: string) => ({
    text,
    note,
    href,
    action,
  });
  const ending = expiring.data?.total ?? 0;
  if (ending > 0) {
    const count = show.number(ending);
    const href = "/proposals?expires=today";
    return step(texts.expiring(count), texts.expiringNote, href, texts.decide(count));
  }
  const { erp, proposals: { open, isCut } } = overview;
  if (erp.isLate) {
    const hours = show.number(erp.expectedHours);
    return step(texts.late(hours), texts.lateNote, "/imports", texts.toImports);
  }
  const failing = shops.data?.items.find(({ fresh, failing }) => fresh === 0 && failing > 0);
  if (failing) {
    const href = `/competitors/${failing.competitorId}`;
    return step(texts.failing(failing.displayName), texts.failingNote, href, texts.toShops);
  }
  if (open > 0) {
    const count = isCut ? words.overview.moves.atLeast(show.number(open)) : show.number(open);
    return step(texts.open(count), null, "/proposals?status=open", texts.decide(count));
  }
  return { ...step(texts.none, texts.noneNote, "/products", texts.toMarket), isCalm: true };
}
