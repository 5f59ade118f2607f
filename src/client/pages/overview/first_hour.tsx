/**
 * Guides through the set-up: import products, link pages of shops, see the first compared price,
 * and enable a first rule. A step is done once the stored data contain its result. The rule
 * templates are simulated, and the one with the best result is recommended.
 */
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useCallback, useState } from "preact/hooks";
import type { Overview } from "../../../market/overview/read_overview.ts";
import { useApp, useChange, useDocument } from "../../app/app.ts";
import { momentText } from "../../formats/day.ts";
import { Button, Icon, LinkButton } from "../../parts/controls.tsx";
import { DropField, usePageFiles } from "../../parts/import/file_preview.tsx";
import { PausedSources } from "../../parts/import/import_sources.tsx";
import { ShopSearch } from "./shop_search.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { RangeBar } from "../../parts/price_figures.tsx";
import { useAnnouncement } from "../../parts/hooks.ts";
import { COMPARED } from "../../paths.ts";
import {
  FIRST_RULE_NAMES,
  firstProposals,
  type FirstRule,
  firstRuleBody,
} from "../../parts/rule_parts.tsx";
import { isUnderWay, useMarketSummary } from "../../parts/shared_queries.ts";
import { byId, type Call, get, where } from "../../api/call.ts";
import { keepPreviousData, useQuery } from "@tanstack/preact-query";

const WATCH_MS = 3_000;

export function FirstHour() {
  const overview = useDocument(get("/api/overview")).data;
  return overview ? <Steps overview={overview} /> : null;
}

function Steps({ overview }: { overview: Overview }) {
  const { words, may } = useApp();
  const texts = words.start;
  const { start, proposals: { open } } = overview;
  const summary = useMarketSummary({}, WATCH_MS).data?.items[0];
  const unlinked = summary?.states.no_links ?? start.products;
  const linked = (summary?.products ?? start.products) - unlinked;
  const compared = summary?.compared ?? 0;
  const done = [start.products > 0, linked > 0, compared > 0, start.rules > 0];
  const left = done.filter((isDone) => !isDone).length;
  const next = done.indexOf(false);
  const step = (at: number) => ({ number: at + 1, isDone: done[at] === true, isNext: at === next });
  return (
    <div class="page wide morning">
      <header class="page-head row flow">
        <div class="page-title flow gap-12 rows-4">
          <h1>{words.overview.welcome}</h1>
          <span class="soft">
            {left > 0 ? texts.stepsLeft(left) : open > 0 ? texts.waiting : texts.ready}
          </span>
        </div>
        {may("owner") && <a class="end strong" href="/settings/people">{texts.invite}</a>}
      </header>
      <PausedSources />
      <ol class="first-steps stack gap-10">
        <ProductsStep overview={overview} {...step(0)} />
        <FirstStep
          {...step(1)}
          title={texts.shops}
          text={start.shops > 0
            ? texts.shopsText
            : start.products > 0
            ? texts.shopsNone
            : texts.shopsEarly}
        >
          <ShopSearch isNext={next === 1} linked={linked} hasProducts={start.products > 0} />
        </FirstStep>
        <FirstStep {...step(2)} title={texts.price} text={compared > 0 ? null : texts.priceText}>
          {compared > 0 && <FirstPrice compared={compared} />}
        </FirstStep>
        <FirstStep
          {...step(3)}
          title={texts.rule}
          text={compared > 0 ? texts.ruleText : texts.ruleEarly}
        >
          <FirstRules compared={compared} isNext={next === 3} rules={start.rules} open={open} />
        </FirstStep>
      </ol>
      <p class="soft">
        <strong>{texts.byItself}</strong> {texts.byItselfText}
      </p>
    </div>
  );
}

interface StepProps {
  readonly number: number;
  readonly isDone: boolean;
  readonly isNext: boolean;
}

interface FirstStepProps extends StepProps {
  readonly title: string;
  readonly text: ComponentChildren;
  readonly beside?: ComponentChildren;
  readonly children?: ComponentChildren;
}

function FirstStep({ number, isDone, isNext, title, text, beside, children }: FirstStepProps) {
  const texts = useApp().words.start;
  return (
    <li
      class={`framed ${isNext ? "next" : isDone ? "done" : ""}`}
      aria-current={isNext ? "step" : undefined}
    >
      <span class="step-mark">
        {isDone ? <Icon name="check" /> : <span aria-hidden="true">{number}</span>}
        <span class="sr-only">{isDone ? texts.done : texts.step(number)}</span>
      </span>
      <header class="flow gap-10 rows-2">
        <h2>{title}</h2>
        {text && <p class="soft">{text}</p>}
        {beside && <span class="end row gap-14">{beside}</span>}
      </header>
      {children && <div class="step-body stack gap-12">{children}</div>}
    </li>
  );
}

function ProductsStep(
  { overview: { start: { products }, erp: { last } }, ...step }: StepProps & { overview: Overview },
) {
  const { words: { start: texts, imports, frame }, show, may, handedFiles } = useApp();
  const { route } = useLocation();
  const mayImport = may("manager");
  const take = useCallback((files: readonly File[]) => {
    if (!mayImport || files.length === 0) return;
    handedFiles.value = files;
    route("/imports/new");
  }, [mayImport]);
  const isOver = usePageFiles(imports.new.pasted, take);
  if (products === 0) {
    return (
      <FirstStep {...step} title={texts.products} text={texts.productsText}>
        {mayImport && <DropField files={[]} isOver={isOver} onFiles={take} />}
        {mayImport && <TypedProducts onFile={(file) => take([file])} />}
      </FirstStep>
    );
  }
  const at = last && momentText(show, last.finishedAt ?? last.createdAt);
  const findings = last === null ? 0 : last.errorCount + last.warningCount;
  return (
    <FirstStep
      {...step}
      title={texts.products}
      text={
        <>
          <a href="/products">{frame.products(products)}</a>{" "}
          {last && at ? texts.from(last.label, at) : texts.byHand}
        </>
      }
      beside={
        <>
          {last && findings > 0 && <a href={`/imports/${last.jobId}`}>{texts.findings(findings)}
          </a>}
          {mayImport && <a href="/imports/new">{texts.otherFile}</a>}
        </>
      }
    />
  );
}

function TypedProducts({ onFile }: { onFile(file: File): void }) {
  const { words: { start: { typed: texts }, products }, may } = useApp();
  const [text, setText] = useState<string | null>(null);
  const hand = (name: string, lines: string) =>
    onFile(new File([`${texts.header}\n${lines}\n`], name, { type: "text/csv" }));
  return (
    <div class="typed-products stack gap-8">
      <p>
        <strong>{texts.title}</strong>{" "}
        <LinkButton onClick={() => setText(text === null ? "" : null)}>{texts.byHand}</LinkButton>
        {" · "}
        <LinkButton onClick={() => hand(texts.exampleName, texts.example)}>
          {texts.examples}
        </LinkButton>
        {may("owner") && (
          <>
            {" · "}
            <a href="/settings/keys">{products.cards.key}</a>
          </>
        )}
      </p>
      {text !== null && (
        <>
          <TextField
            name="lines"
            label={texts.label}
            hint={texts.hint}
            placeholder={texts.example}
            value={text}
            onValue={setText}
            lines={5}
          />
          <Button isDisabled={text.trim() === ""} onClick={() => hand(texts.fileName, text.trim())}>
            {texts.take}
          </Button>
        </>
      )}
    </div>
  );
}

function FirstPrice({ compared }: { compared: number }) {
  const { words: { start: texts }, show } = useApp();
  const { data } = useDocument(
    get(
      "/api/products",
      where({ rankMin: 1, sort: "gapPct", order: "asc", limit: 1, offers: true }),
    ),
    { everyMs: 10_000 },
  );
  const product = data?.items[0];
  const market = product?.market ?? null;
  const ours = market?.comparedCents ?? product?.ourPriceCents ?? null;
  const isShown = product !== undefined && market !== null && ours !== null;
  const money = (cents: number | null) => show.money(cents, product?.currency);
  const offers = (product?.competitorOffers ?? []).filter(({ counts, unitCents }) =>
    counts && unitCents !== null
  );
  const meaning = market?.gapCents === 0
    ? texts.equal(money(ours))
    : (market?.gapCents ?? 0) < 0
    ? texts.cheaper(money(ours))
    : texts.dearer(money(ours));
  const rival = market && texts.asks(market.cheapestCompetitor ?? "", money(market.cheapestCents));
  const said = useAnnouncement(isShown ? `${product.title}: ${meaning} ${rival}` : "");
  return (
    <>
      <p class="sr-only" role="status">{said}</p>
      {isShown && (
        <div class="first-price columns">
          <p class="stack gap-2">
            <a href={`/products/${product.id}`}>{product.title}</a>
            <strong>{meaning}</strong>
            <span>{rival} {(market.gapCents ?? 0) < 0 && texts.headroom}</span>
          </p>
          <span class="first-range">
            <RangeBar
              ticks={offers.map((offer) => ({
                key: offer.competitorProductId,
                cents: offer.unitCents ?? 0,
                shopId: offer.competitorId,
              }))}
              ourCents={ours}
              spoken={`${meaning} ${rival}`}
            />
          </span>
          <a class="button" href={COMPARED}>{texts.toCompared(compared)}</a>
        </div>
      )}
    </>
  );
}

const POLL_MS = 400;

interface Figures {
  readonly moves: number;
  readonly effectCents: number | null;
}

function FirstRules(props: { compared: number; isNext: boolean; rules: number; open: number }) {
  const { compared, isNext, rules, open } = props;
  const { words: { overview, start: texts }, toasts, may } = useApp();
  const { route } = useLocation();
  const figures = useFigures(may("manager") ? compared : 0);
  const best = compared > 0 ? bestOf(figures) : null;
  const enable = useChange({
    run: async (call, rule: FirstRule) => {
      const body = { ...firstRuleBody(rule, texts.rules[rule].name), enabled: true };
      const made = await call((api) => api.POST("/api/rules", { body }));
      const isMoving = (figures?.[rule].moves ?? 0) > 0;
      return { name: made.name, count: isMoving ? await firstProposals(call, made.id) : 0 };
    },
    touches: ["rules", "overview", "proposals"],
    onDone: ({ name, count }) => {
      toasts.tell(count > 0 ? texts.enabled(name, count) : texts.noted(name));
      if (count > 0) route("/proposals");
    },
  });
  if (rules > 0) {
    return (
      <p>
        {texts.rulesOn} <a href="/rules">{texts.toRules}</a>{" "}
        {open > 0 && <a class="button main" href="/proposals">{overview.nextSteps.look(open)}</a>}
      </p>
    );
  }
  return (
    <ul class="first-rules columns gap-10">
      {FIRST_RULE_NAMES.map((rule) => (
        <li key={rule} class={rule === best ? "best column gap-6" : "column gap-6"}>
          <h3 class="flow spread">
            {texts.rules[rule].name} {rule === best && <span>{texts.best}</span>}
          </h3>
          <p>{texts.rules[rule].text}</p>
          {compared > 0 && may("manager") && <FiguresText figures={figures?.[rule] ?? null} />}
          {may("manager") && (
            <p>
              <Button
                kind={isNext && rule === best ? "main" : "plain"}
                isBusy={enable.isPending && enable.variables === rule}
                onClick={() => enable.mutate(rule)}
              >
                {compared > 0 ? texts.enable : texts.note}
              </Button>{" "}
              <a href={`/rules/new?template=${rule}`}>{texts.change}</a>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function FiguresText({ figures }: { figures: Figures | null }) {
  const { words: { start: texts, proposals }, show, workspace } = useApp();
  if (figures === null) return <p class="soft" aria-busy="true">{texts.calculating}</p>;
  const { moves, effectCents } = figures;
  return (
    <p class="soft">
      {texts.today(moves)}
      {moves > 0 && effectCents !== null && (
        <>
          , <strong>{show.moneyChange(effectCents, workspace.value?.currency)}</strong>{" "}
          {proposals.in30Days}
        </>
      )}
    </p>
  );
}

/**
 * Returns the template with the best effect on profit, or null if no template changes a price.
 * Without sales figures, the first template that changes a price is the best.
 */
function bestOf(figures: RuleFigures | null): FirstRule | null {
  if (figures === null) return null;
  const moving = FIRST_RULE_NAMES.filter((rule) => figures[rule].moves > 0);
  return moving.toSorted((a, b) =>
    (figures[b].effectCents ?? 0) - (figures[a].effectCents ?? 0)
  )[0] ?? null;
}

type RuleFigures = Readonly<Record<FirstRule, Figures>>;

function useFigures(compared: number): RuleFigures | null {
  const { call, words } = useApp();
  const stage = compared === 0 ? 0 : Math.floor(Math.log2(compared)) + 1;
  const { data } = useQuery<RuleFigures>({
    queryKey: ["simulations", "first-rules", stage],
    staleTime: Infinity,
    enabled: stage > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const of = (rule: FirstRule) => simulate(call, rule, words.start.rules[rule].name, signal);
      const [room, lowest, middle] = await Promise.all([of("room"), of("lowest"), of("middle")]);
      return { room, lowest, middle };
    },
  });
  return data ?? null;
}

async function simulate(
  call: Call,
  rule: FirstRule,
  name: string,
  signal: AbortSignal,
): Promise<Figures> {
  const body = { rule: firstRuleBody(rule, name), ruleId: null };
  const { id } = await call((api) => api.POST("/api/simulations", { body }));
  for (;;) {
    const { status, result } = await call(get("/api/simulations/{id}", byId(id)), { signal });
    if (isUnderWay({ status })) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      continue;
    }
    const effect = result?.effect ?? null;
    return {
      moves: (result?.up ?? 0) + (result?.down ?? 0),
      effectCents: effect && effect.after30dCents - effect.before30dCents,
    };
  }
}
