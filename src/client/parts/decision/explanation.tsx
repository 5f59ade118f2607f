/** Explains a decision from its stored trace, with the figures from the time of the decision. */
import { Fact } from "../page.tsx";
import type { ComponentChildren } from "preact";
import { useApp } from "../../app/app.ts";
import { Badge, Icon } from "../controls.tsx";
import { aimLabels } from "../../../engine/wording/price_sentence.ts";
import { guardDetail, saidText } from "../../../engine/wording/reason_text.ts";
import { isOutOfScope, objectionsOf, shownMarginPct, type Trace } from "./decision.tsx";

interface ExplanationProps {
  readonly trace: Trace;
}

export function Explanation({ trace }: ExplanationProps) {
  const { audience } = useApp();
  if (isOutOfScope(trace)) {
    return <p class="why stack fine gap-12 soft">{saidText(audience, trace.trigger.said)}</p>;
  }
  return (
    <div class="why stack fine gap-12">
      <PricePath trace={trace} />
      <PriceOwner trace={trace} ruleId={trace.ruleId} />
      <div class="why-sides">
        <Ours trace={trace} />
        <MarketSide trace={trace} />
      </div>
    </div>
  );
}

export function FloorLift({ trace: { price, inputs } }: ExplanationProps) {
  const { words, show } = useApp();
  const floor = price?.floor;
  if (!floor?.lifts) return null;
  const lifted = show.money(floor.cents, inputs.currency);
  return <>{words.decision.floorLiftsTo(show.percent(floor.pct), lifted)}</>;
}

export function PriceOwner(
  { trace: { owner, behind = [], inputs }, ruleId = null }: ExplanationProps & {
    readonly ruleId?: string | null;
  },
) {
  const { words: { decision: { owner: texts }, terms }, show } = useApp();
  if (!owner && behind.length === 0) return null;
  const nameOf = (rule: { readonly ruleId: string; readonly name: string }) =>
    rule.ruleId === ruleId
      ? <strong>{rule.name}</strong>
      : <a href={`/rules/${rule.ruleId}`}>{rule.name}</a>;
  const holdText = (hold: string) =>
    hold === "schedule" ? texts.schedule : terms.guards[hold] ?? hold;
  const rows = [
    ...owner
      ? [{
        id: owner.ruleId,
        name: nameOf(owner),
        badge: <Badge tone="good">{texts.sets}</Badge>,
        note: owner.hold && texts.waits(holdText(owner.hold)),
      }]
      : [],
    ...behind.map(({ wouldBeCents, why, by, ...rule }) => {
      const price = show.money(wouldBeCents, inputs.currency);
      return {
        id: rule.ruleId,
        name: nameOf(rule),
        badge: <Badge>{texts.rests}</Badge>,
        note: why === "outranked" ? texts.outranked(price) : texts.takenBack(price, by.name),
      };
    }),
  ];
  return (
    <section class="price-owner">
      <h3>{texts.title}</h3>
      <ol class="stack gap-2">
        {rows.map(({ id, name, badge, note }) => (
          <li key={id}>
            <div>{name}{badge}</div>
            {note && <small>{note}</small>}
          </li>
        ))}
      </ol>
    </section>
  );
}

export function Ours({ trace }: { trace: Trace }) {
  const { words: { decision: texts, fields, position, products }, show } = useApp();
  const { inputs } = trace;
  const money = (cents: number | null) => show.money(cents, inputs.currency);
  const rows: readonly (readonly [string, string])[] = [
    [fields.current, money(inputs.ourPriceCents)],
    [fields.costPrice, money(inputs.costPriceCents)],
    [fields.margin, show.share(shownMarginPct(trace, inputs.ourPriceCents))],
    [
      texts.vat,
      `${show.percent(inputs.vatRatePct)}, ${inputs.pricesIncludeVat ? texts.gross : texts.net}`,
    ],
  ];
  const times: readonly (readonly [string, string | null])[] = [
    [texts.byPerson, inputs.setByPersonAt],
    [fields.lastFiredAt, inputs.lastFiredAt],
  ];
  return (
    <section class="why-side">
      <h3>{position.us} {inputs.priceLocked && <Badge tone="warn">{products.locked}</Badge>}</h3>
      <dl class="pairs">
        {rows.map(([label, value]) => <Fact key={label} label={label}>{value}</Fact>)}
        {times.filter(([, at]) => at !== null).map(([label, at]) => (
          <Fact key={label} label={label} title={show.dateTime(at)}>{show.ago(at)}</Fact>
        ))}
      </dl>
    </section>
  );
}

function MarketSide({ trace }: { trace: Trace }) {
  const { words: { decision: texts, fields, productPage, products, terms }, show } = useApp();
  const { references, leftOut, inputs, trigger } = trace;
  const money = (cents: number | null) => show.money(cents, inputs.currency);
  const isUsed = (matchId: string, isOfPrice: boolean) =>
    isOfPrice || (trace.price === null && trigger.comparedWith.includes(matchId));
  return (
    <section class="why-side">
      <h3>{products.title}</h3>
      {references.length === 0 && <p class="soft">{texts.noReferences}</p>}
      <dl class="pairs">
        {references.map((offer) => (
          <div key={offer.matchId} class={isUsed(offer.matchId, offer.isUsed) ? "used" : undefined}>
            <dt>
              {offer.competitor}
              <small>
                {fields.seen} {show.ago(offer.observedAt)}
                {isUsed(offer.matchId, offer.isUsed) && `, ${texts.used}`}
                {offer.lacksShipping && `, ${productPage.lacksShipping}`}
              </small>
            </dt>
            <dd>{money(offer.unitCents)}</dd>
          </div>
        ))}
        {leftOut.map((offer) => (
          <div key={offer.matchId} class="left-out">
            <dt>
              {offer.competitor}
              <small>{terms.leftOut[offer.why] ?? offer.why}</small>
            </dt>
            <dd>{show.money(offer.priceCents, offer.currency)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function PricePath({ trace }: ExplanationProps) {
  const { words: { decision: texts, terms, fields }, show, audience } = useApp();
  const { trigger, price, guards } = trace;
  const money = (cents: number) => show.money(cents, trace.inputs.currency);
  const from = price?.reference?.kind ?? "";
  const aimed = texts.aimed(aimLabels(audience.language)[from] ?? from);
  const against = objectionsOf(trace, "price");
  const heldBack = objectionsOf(trace, "apply");
  const passed = guards.length - against.length - heldBack.length;
  const told = [
    ...(price?.notes ?? [])
      .filter(({ code }) => code !== "margin_floor" || price?.formula === null)
      .map(({ code, facts }) => ({ guard: code, facts, isGood: true })),
    ...[...against, ...heldBack].map((one) => ({ ...one, isGood: false })),
  ];
  return (
    <section>
      <h3>{texts.path}</h3>
      <ol class="why-path">
        <Step isGood={trigger.fires}>{saidText(audience, trigger.said)}</Step>
        {price && (
          <Step isGood value={money(price.wishedCents)}>
            {price.formula === null
              ? aimed
              : texts.wished(terms.values[price.formula] ?? price.formula)}
            {price.targetMarginPct !== null && ` (${show.percent(price.targetMarginPct)})`}
          </Step>
        )}
        {price?.floor && (
          <Step isGood value={money(price.floor.cents)}>
            {price.floor.lifts
              ? texts.floorLifts(show.percent(price.floor.pct))
              : texts.floorMet(show.percent(price.floor.pct))}
          </Step>
        )}
        {price?.rounding && (
          <Step isGood value={money(price.proposedCents)}>
            {texts.rounded(terms.values[price.rounding.ending] ?? price.rounding.ending)}
          </Step>
        )}
        {told.map(({ guard, facts, isGood }) => {
          const detail = facts && guardDetail(audience, { code: guard, facts });
          return (
            <Step key={`${guard} ${isGood}`} isGood={isGood}>
              {terms.guards[guard] ?? guard}
              {detail && <small>{detail}</small>}
            </Step>
          );
        })}
        {passed > 0 && <Step isGood>{texts.passed(passed)}</Step>}
        {price && against.length === 0 && trigger.fires && (
          <Step isGood value={<strong>{money(price.proposedCents)}</strong>}>
            <strong>{fields.proposal}</strong>
          </Step>
        )}
        {trigger.fires && !price && guards.length === 0 && <Step isGood>{texts.noFormula}</Step>}
      </ol>
    </section>
  );
}

interface StepProps {
  readonly isGood: boolean;
  readonly value?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Step({ isGood, value, children }: StepProps) {
  return (
    <li class={isGood ? "good" : "bad"}>
      <Icon name={isGood ? "check" : "close"} />
      <span>{children}</span>
      {value !== undefined && <span class="step-value">{value}</span>}
    </li>
  );
}
