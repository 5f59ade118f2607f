import { byId } from "../../api/call.ts";
import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { type Explained, isOutOfScope } from "../../parts/decision/decision.ts";
import { Explanation } from "../../parts/decision/explanation.tsx";
import { PriceStep } from "../../parts/decision/price_step.tsx";
import { EmptyState } from "../../parts/empty_state.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Loading } from "../../parts/progress.tsx";
import { Section } from "../../parts/section.tsx";
import type { Product } from "./product.ts";

/** Every active rule's word on the product now, and why. Nothing for a deleted product. */
export function DecisionsSection({ product }: { product: Product }) {
  const { words } = useApp();
  const texts = words.decision;
  const isActive = product.deletedAt === null;
  const found = useDocument({
    key: ["products", product.id, "decisions"],
    read: (api) => api.GET("/api/products/{id}/decisions", byId(product.id)),
    isWanted: isActive,
  });
  if (!isActive) return null;
  return (
    <Section title={texts.title} note={texts.note}>
      {found.error
        ? <ErrorNote error={found.error} onAgain={() => void found.refetch()} />
        : found.data === undefined
        ? <Loading label={words.loading} />
        : found.data.items.length === 0
        ? (
          <EmptyState icon="rules" title={texts.emptyTitle} text={texts.emptyText}>
            <a class="button plain" href="/rules">{texts.toRules}</a>
          </EmptyState>
        )
        : <Verdicts decisions={found.data.items} />}
    </Section>
  );
}

/** The rules that the product belongs to; the others are named behind a line. */
function Verdicts({ decisions }: { decisions: readonly Explained[] }) {
  const { words } = useApp();
  const { touching = [], others = [] } = Object.groupBy(
    decisions,
    ({ trace }) => isOutOfScope(trace) ? "others" : "touching",
  );
  return (
    <ul class="verdicts">
      {touching.map((decision) => (
        <li key={decision.ruleId}>
          <Verdict decision={decision} />
        </li>
      ))}
      {others.length > 0 && (
        <li>
          <details class="verdict">
            <summary class="soft">{words.decision.notConcerned(others.length)}</summary>
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
  const { words } = useApp();
  const { guards } = words.terms;
  const { ruleId, ruleName, proposedCents, bindingGuard, trace } = decision;
  return (
    <details class="verdict">
      <summary>
        <span class="verdict-name">{ruleName}</span>
        <OutcomeBadge decision={decision} />
        {proposedCents !== null && (
          <PriceStep
            currentCents={decision.currentCents}
            proposedCents={proposedCents}
            currency={trace.inputs.currency}
          />
        )}
        {bindingGuard && <small>{guards[bindingGuard] ?? bindingGuard}</small>}
        <span class="verdict-why">{words.decision.why}</span>
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
  const { words } = useApp();
  const texts = words.decision;
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
