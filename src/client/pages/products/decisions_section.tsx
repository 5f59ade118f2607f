/**
 * Two sections of a product's page: the decisions of the enabled rules about the product, and the
 * product's data. The service evaluates the rules when the page is opened, so the decisions are
 * based on current prices. A deleted product has no decisions.
 */
import { byId, byPath, get } from "../../api/call.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { saidText } from "../../../engine/wording/reason_text.ts";
import { Badge, SafeLink, type Tone } from "../../parts/controls.tsx";
import { type Explained, isOutOfScope, PriceStep } from "../../parts/decision/decision.tsx";
import { Explanation, PriceOwner } from "../../parts/decision/explanation.tsx";
import { EmptyState, Fact, Pending, Section } from "../../parts/page.tsx";
import type { Product } from "./product.ts";
import { column, SimpleTable } from "../../parts/table/table.tsx";
import type { ComponentChild, ComponentChildren } from "preact";
import { fieldColumns } from "./market_columns.tsx";

export function DecisionsSection({ product }: { product: Product }) {
  const { decision: texts, proposals } = useApp().words;
  const isActive = product.deletedAt === null;
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
            <ul class="plain-list">
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
  const texts = useApp().words.decision;
  const { outcome, wouldFire, cooldownActive, blocked } = decision;
  if (outcome === "rest" && wouldFire) {
    return (
      <Badge tone="warn">
        {texts.fires}, {blocked.length > 0 || !cooldownActive ? texts.blocked : texts.cooling}
      </Badge>
    );
  }
  return <Badge tone={TONES[outcome]}>{texts.outcomes[outcome]}</Badge>;
}

export function ProductData(
  { product, actions }: { readonly product: Product; readonly actions?: ComponentChildren },
) {
  const app = useApp();
  const { words: { products, product: texts, fields }, show } = app;
  const from = new Date().toISOString().slice(0, 10);
  const { data: sales } = useDocument(
    get("/api/products/{id}/sales", byPath({ id: product.id }, { from })),
  );
  const rows: readonly (readonly [string, ComponentChild])[] = [
    ...fieldColumns(app).map(({ title, cell }) => [title, cell(product)] as const),
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
  const { words: { product: { tierColumns }, fields, price }, show } = useApp();
  return (
    <>
      <h3>{fields.prices}</h3>
      <SimpleTable
        label={fields.prices}
        rows={product.prices}
        columns={[
          column("tier", fields.tier, 140).cell<Price>(({ tier }) => tier ?? tierColumns.none),
          column("price", price, 110).number<Price>((one) =>
            show.money(one.amountCents, one.currency)
          ),
          column("minQty", tierColumns.minQty, 90).number<Price>(({ minQty }) =>
            show.number(minQty)
          ),
          column("validFrom", tierColumns.validFrom, 120).cell<Price>(({ validFrom }) =>
            show.date(validFrom)
          ),
        ]}
      />
    </>
  );
}
