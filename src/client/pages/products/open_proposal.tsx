/**
 * Sections of a product's page: the open proposal, what the enabled rules would decide now, and the
 * product's data.
 */
import { saidText } from "../../../engine/wording/reason_text.ts";
import { byId, byPath, get } from "../../api/call.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { earlyTomorrow } from "../../formats/day.ts";
import { Badge, Button, SafeLink, type Tone } from "../../parts/controls.tsx";
import {
  decidedText,
  EndsBadge,
  type Explained,
  isOutOfScope,
  PriceStep,
  type Proposal,
  returnedText,
  takenBackText,
} from "../../parts/decision/decision.tsx";
import { decideInBulk, type Decision } from "../../parts/decision/decide_in_bulk.ts";
import { Explanation, FloorLift, PriceOwner } from "../../parts/decision/explanation.tsx";
import { effectAsOf, effectLabel, effectText } from "../../parts/price_figures.tsx";
import { EmptyState, Fact, Pending, Section } from "../../parts/page.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import type { OneProduct, Product } from "./one_product.tsx";
import { positionAt, useProduct } from "./product_context.tsx";
import { useState } from "preact/hooks";
import { column, SimpleTable } from "../../parts/table/table.tsx";
import type { ComponentChild, ComponentChildren } from "preact";
import { fieldColumns } from "./market_columns.tsx";

export function useOpenProposal({ market }: OneProduct) {
  const id = market?.proposal?.id ?? null;
  const found = useDocument(id === null ? null : get("/api/proposals/{id}", byId(id)));
  const { data } = found;
  return { proposal: data?.status === "open" ? data : null, found, isThere: id !== null };
}

interface OpenProposalProps {
  readonly open: ReturnType<typeof useOpenProposal>;
  readonly decide: ReturnType<typeof useDeciding>;
  onOther(): void;
}

export function useDeciding(proposal: Proposal | null) {
  const { words, show } = useApp();
  const { act } = useProduct().doing;
  const [reason, setReason] = useState("");
  if (proposal === null) return null;
  const texts = words.openProposal;
  const price = show.money(proposal.proposedCents, proposal.currency);
  const reasoned = reason.trim() === "" ? {} : { reason: reason.trim() };
  const heldUntil = putOffUntil(proposal);
  const until = heldUntil ?? earlyTomorrow(show.timeZone, new Date());
  const isPutOff = texts.putOff(show.dateTime(until));
  const decide = async (
    decision: Decision,
    undo: Decision,
    done: string,
    undone = words.frame.undone,
  ) => {
    const isDone = await act({
      run: (call) => decideInBulk(call, decision, [proposal]),
      told: (result) => decidedText({ words, show }, done, result),
      undo: (decided) =>
        decided.done.length === 0 ? null : async (call) => {
          const result = await decideInBulk(call, undo, [proposal]);
          const reopened = result.done.flatMap((one) => one.reopened ?? []);
          return takenBackText({ words, show }, undone, reopened);
        },
    });
    if (isDone) setReason("");
  };
  const takenBack = { action: "rollback", reason: words.frame.undone } as const;
  const putOff = { action: "later", until } as const;
  const bringBack = { action: "later", until: null } as const;
  return {
    reason,
    onReason: setReason,
    approve: () =>
      void decide({ action: "approve", ...reasoned }, takenBack, words.priceEdit.saved(price)),
    reject: () =>
      void decide({ action: "reject", ...reasoned }, { action: "reopen" }, texts.rejected),
    later: () =>
      void (heldUntil === null
        ? decide(putOff, bringBack, isPutOff)
        : decide(bringBack, putOff, words.frame.undone, isPutOff)),
  };
}

function putOffUntil({ heldUntil }: Proposal): string | null {
  return heldUntil && Date.parse(heldUntil) > Date.now() ? heldUntil : null;
}

export function OpenProposal(props: OpenProposalProps) {
  const { open: { proposal, found, isThere } } = props;
  const { words: { openProposal: texts, proposals }, show } = useApp();
  if (!isThere) return null;
  return (
    <div class="open-proposal">
      <Section
        isCard
        title={texts.title}
        actions={proposal &&
          (putOffUntil(proposal) === null
            ? <EndsBadge proposal={proposal} />
            : <Badge tone="warn">{proposals.heldUntil(show.dateTime(putOffUntil(proposal)))}
            </Badge>)}
      >
        {found.error || proposal === null
          ? <Pending of={found} />
          : <ProposalBody {...props} proposal={proposal} />}
      </Section>
    </div>
  );
}

type BodyProps = OpenProposalProps & { readonly proposal: Proposal };

function ProposalBody({ proposal, decide, onOther }: BodyProps) {
  const app = useApp();
  const { isBusy } = useProduct().doing;
  const { words: { openProposal: texts, fields, proposals }, show, audience } = app;
  const { trace, ruleId, ruleName } = proposal;
  return (
    <>
      <p class="price-step-large">
        <PriceStep {...proposal} />
      </p>
      <Outcome proposal={proposal} />
      <p class="breaks">
        {trace && saidText(audience, trace.trigger.said)} {trace && <FloorLift trace={trace} />}
        {" "}
        {returnedText(app, proposal)} <a href={`/rules/${ruleId}`}>{texts.byRule(ruleName)}</a>
      </p>
      {decide && (
        <div class="decide-here stack gap-12">
          <TextField
            name="decisionReason"
            label={texts.reason}
            value={decide.reason}
            onValue={decide.onReason}
          />
          <div class="button-row flow gap-6">
            <Button kind="main" isBusy={isBusy} onClick={decide.approve}>
              {proposals.approve} <kbd>a</kbd>
            </Button>
            <Button isDisabled={isBusy} onClick={decide.reject}>
              {proposals.reject} <kbd>r</kbd>
            </Button>
            <Button isDisabled={isBusy} onClick={onOther}>
              {fields.applied} <kbd>e</kbd>
            </Button>
            <Button isDisabled={isBusy} onClick={decide.later}>
              {putOffUntil(proposal) === null ? proposals.later : proposals.bringBack} <kbd>s</kbd>
            </Button>
          </div>
        </div>
      )}
      {trace && (
        <details class="verdict">
          <summary class="row flow">{texts.whole}</summary>
          <Explanation trace={trace} />
        </details>
      )}
      {!trace && <p class="soft">{proposals.noTrace}</p>}
      <span class="sr-only">{show.dateTime(proposal.expiresAt)}</span>
    </>
  );
}

function Outcome({ proposal }: Pick<BodyProps, "proposal">) {
  const { words, show } = useApp();
  const { rivals, comparedOf, marginAt } = useProduct();
  const { currentCents, proposedCents } = proposal;
  const margin = (cents: number) => show.share(marginAt(cents));
  const [before, after] = [currentCents, proposedCents].map((cents) =>
    positionAt(comparedOf(cents), rivals)
  );
  const asOf = effectAsOf(words, show, proposal);
  return (
    <dl class="then pairs stack fine gap-2">
      <Fact label={words.fields.margin}>
        {margin(currentCents)} → <strong>{margin(proposedCents)}</strong>
      </Fact>
      {after && (
        <Fact label={words.proposals.rankOf(after.of)}>
          {before ? show.number(before.rank) : "–"} → <strong>{show.number(after.rank)}</strong>
          {after.tied && <small>({words.position.same(after.tied.offer.competitor)})</small>}
        </Fact>
      )}
      <Fact label={effectLabel(words, proposal)}>
        {effectText(words, show, proposal)} {asOf && <small>({asOf})</small>}
      </Fact>
    </dl>
  );
}

export function DecisionsSection() {
  const { decision: texts, proposals } = useApp().words;
  const { product, isActive } = useProduct();
  const found = useDocument(
    isActive ? get("/api/products/{id}/decisions", byId(product.id)) : null,
  );
  if (!isActive) return null;
  return (
    <Section title={texts.title} note={texts.note}>
      {found.error || found.data === undefined
        ? <Pending of={found} />
        : found.data.items.length === 0
        ? (
          <EmptyState icon="rules" title={texts.emptyTitle} text={texts.emptyText}>
            <a class="button plain" href="/rules">{proposals.toRules}</a>
          </EmptyState>
        )
        : <Verdicts decisions={found.data.items} />}
    </Section>
  );
}

function Verdicts({ decisions }: { decisions: readonly Explained[] }) {
  const { words } = useApp();
  const { touching = [], others = [] } = Object.groupBy(
    decisions,
    ({ trace }) => isOutOfScope(trace) ? "others" : "touching",
  );
  const [first] = touching;
  return (
    <ul class="verdicts framed ruled">
      {first && (
        <li>
          <PriceOwner trace={first.trace} />
        </li>
      )}
      {touching.map((decision) => (
        <li key={decision.ruleId}>
          <Verdict decision={decision} />
        </li>
      ))}
      {others.length > 0 && (
        <li>
          <details class="verdict">
            <summary class="row flow soft">{words.decision.notConcerned(others.length)}</summary>
            <ul class="plain-list stack gap-4">
              {others.map(({ ruleId, ruleName }) => (
                <li key={ruleId}>
                  <a href={`/rules/${ruleId}`}>{ruleName}</a>
                </li>
              ))}
            </ul>
          </details>
        </li>
      )}
    </ul>
  );
}

function Verdict({ decision }: { decision: Explained }) {
  const { words, audience } = useApp();
  const { guards } = words.terms;
  const { ruleId, ruleName, proposedCents, bindingGuard, wouldFire, trace } = decision;
  return (
    <details class="verdict">
      <summary class="row flow">
        <span class="verdict-name">{ruleName}</span>
        <OutcomeBadge decision={decision} />
        {proposedCents !== null && (
          <PriceStep
            currentCents={decision.currentCents}
            proposedCents={proposedCents}
            currency={trace.inputs.currency}
          />
        )}
        {!wouldFire && <small>{saidText(audience, trace.trigger.said)}</small>}
        {bindingGuard && <small>{guards[bindingGuard] ?? bindingGuard}</small>}
        <span class="verdict-why fine end">{words.decision.why}</span>
      </summary>
      <Explanation trace={trace} />
      <p>
        <a href={`/rules/${ruleId}`}>{words.proposals.openRule}</a>
      </p>
    </details>
  );
}

const TONES: Readonly<Record<Explained["outcome"], Tone>> = {
  rest: "plain",
  alert: "warn",
  propose: "busy",
  apply: "good",
};

function OutcomeBadge({ decision }: { decision: Explained }) {
  const { decision: texts, codes } = useApp().words;
  const { outcome, wouldFire, cooldownActive, blocked } = decision;
  if (outcome === "rest" && wouldFire) {
    return (
      <Badge tone="warn">
        {texts.fires}, {blocked.length > 0 || !cooldownActive ? texts.blocked : texts.cooling}
      </Badge>
    );
  }
  return <Badge tone={TONES[outcome]}>{codes.decisionOutcomes[outcome]}</Badge>;
}

export function ProductData({ actions }: { readonly actions?: ComponentChildren }) {
  const app = useApp();
  const { product } = useProduct();
  const { words: { products, product: texts, fields }, show } = app;
  const from = new Date().toISOString().slice(0, 10);
  const read = get("/api/products/{id}/sales", byPath({ id: product.id }, { from }));
  const { data: sales } = useDocument(read);
  const rows: readonly (readonly [string, ComponentChild])[] = [
    ...fieldColumns(app).map(({ title, cell }) => [title, cell(product, show)] as const),
    [fields.vatRatePct, show.percent(product.vatRatePct)],
    [fields.units30d, show.number(sales?.units30d ?? null)],
    ...Object.entries(product.attributes),
  ];
  const isKnown = (value: ComponentChild) => value !== null && value !== "" && value !== "–";
  return (
    <Section title={texts.data} actions={actions}>
      <dl class="facts framed">
        {rows.filter(([, value]) => isKnown(value)).map(([label, value]) => (
          <Fact key={label} label={label}>{value}</Fact>
        ))}
        {product.url && (
          <Fact label={products.form.url}>
            <SafeLink url={product.url} />
          </Fact>
        )}
      </dl>
      {product.prices.length > 0 && <Tiers product={product} />}
    </Section>
  );
}

type Price = Product["prices"][number];

function Tiers({ product }: { product: Product }) {
  const { words: { product: { tierColumns }, fields, price } } = useApp();
  return (
    <>
      <h3>{fields.prices}</h3>
      <SimpleTable
        label={fields.prices}
        rows={product.prices}
        columns={[
          column("tier", fields.tier, 140).cell<Price>(({ tier }) => tier ?? tierColumns.none),
          column("price", price, 110).money<Price>((one) => [one.amountCents, one.currency]),
          column("minQty", tierColumns.minQty, 90).number<Price>(({ minQty }) => minQty),
          column("validFrom", tierColumns.validFrom, 120).date<Price>(({ validFrom }) => validFrom),
        ]}
      />
    </>
  );
}
