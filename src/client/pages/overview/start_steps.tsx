import type { ComponentChildren } from "preact";
import type { Overview } from "../../../market/overview/read_overview.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/use_document.ts";
import { momentText } from "../../formats/moment.ts";
import { Icon } from "../../parts/icon.tsx";
import { PausedSources } from "../../parts/import/paused_sources.tsx";

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
