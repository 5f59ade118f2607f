/**
 * Shows a suggested link, for which a person decides whether the page shows our product. Our price
 * and the page's price are compared only if currency and pack size are equal.
 */
import type { ComponentChildren, Ref } from "preact";
import { useId } from "preact/hooks";
import { ourGapPct, sharePct, whole } from "../../../base/fraction.ts";
import type { Verdict } from "../../../engine/matching/identity_codes.ts";
import { identityReasonText, verdictWords } from "../../../engine/wording/page_words.ts";
import { useApp } from "../../app/app.ts";
import { Badge, SafeLink, type Tone } from "../../parts/controls.tsx";
import {
  brandOnPage,
  type ComparedRow,
  DECIDED_AREAS,
  mpnOnPage,
  positionOf,
  STANDING_MARKS,
} from "../../parts/identity.tsx";
import { ShopBadge } from "../../parts/shops.tsx";
import { Unbroken } from "../../parts/page.tsx";
import { byId, type Call, type Wire } from "../../api/call.ts";
import { useUndoQueue } from "../../parts/undo_queue.ts";

interface PairCardProps {
  readonly suggestion: Suggestion;
  readonly focus: Ref<HTMLElement>;
  readonly children: ComponentChildren;
}

export function PairCard({ suggestion, focus, children }: PairCardProps) {
  const { words: { review: texts, product: { identity: sides } } } = useApp();
  const titleId = useId();
  const { product, competitor, page, verdict, score } = suggestion;
  return (
    <section
      class="panel column framed pair-card"
      aria-labelledby={titleId}
      tabIndex={-1}
      ref={focus}
    >
      <div class="pair-sides">
        <div>
          <span class="soft small">{sides.ours}</span>
          <h2 id={titleId}>
            <a href={`/products/${product.id}`}>
              <Unbroken text={product.sku} />
            </a>{" "}
            <Unbroken text={product.title} />
          </h2>
        </div>
        <p class="pair-verdict stack gap-4">
          <VerdictBadge verdict={verdict} />
          <span class="soft small">
            {sharePct(score, 0) === 100 ? texts.sameTitle : texts.score(sharePct(score, 0))}
          </span>
        </p>
        <div>
          <span class="soft small">
            <ShopBadge id={competitor.id} name={competitor.displayName} /> {competitor.displayName}
          </span>
          <h2>
            <Unbroken text={page.title ?? page.url} />
          </h2>
          <SafeLink url={page.url}>{texts.toPage}</SafeLink>
        </div>
      </div>
      <PairRows suggestion={suggestion} />
      <PairReasons suggestion={suggestion} />
      <footer class="pair-actions">{children}</footer>
    </section>
  );
}

type PairProps = Pick<PairCardProps, "suggestion">;

function PairRows({ suggestion }: PairProps) {
  const { product, page, reasons, packFactor } = suggestion;
  const { words, show } = useApp();
  const { pieces } = words.review;
  const { identity, notKnown, notStated } = words.product;
  const row = (
    label: string,
    name: ComparedRow | null,
    ours: ComponentChildren,
    theirs: ComponentChildren,
  ) => {
    const stands = name && positionOf(name, reasons);
    return (
      <tr class={stands ?? undefined}>
        <td>{ours ?? <span class="soft">{notKnown}</span>}</td>
        <th scope="row">{label}</th>
        <td>
          {stands && <span class="mark">{STANDING_MARKS[stands]}</span>}
          {theirs ?? <span class="soft">{notStated}</span>}
        </td>
      </tr>
    );
  };
  return (
    <table class="pair-rows fine" aria-label={identity.sides}>
      <tbody>
        {row(
          words.fields.brand,
          "brand",
          product.brand,
          brandOnPage(page, product.brand, identity),
        )}
        {row(words.fields.ean, "gtin", product.gtin, page.gtin)}
        {row(words.fields.mpn, "mpn", product.mpn, mpnOnPage(page, reasons, identity))}
        {row(
          words.price,
          null,
          product.price === null ? null : show.money(product.price, product.currency),
          page.price === null ? null : <PriceOnPage suggestion={suggestion} price={page.price} />,
        )}
        {packFactor !== null && row(words.fields.pack, "pack", pieces(1), pieces(packFactor))}
        {page.condition !== null &&
          row(
            words.fields.condition,
            "condition",
            notKnown,
            words.codes.conditions[page.condition],
          )}
      </tbody>
    </table>
  );
}

function PriceOnPage({ suggestion, price }: PairProps & { price: number }) {
  const { show } = useApp();
  const { product, page, packFactor } = suggestion;
  const isComparable = page.currency === product.currency && packFactor === null;
  return (
    <>
      {show.money(price, page.currency)} {isComparable && product.price !== null && (
        <small>
          <OurGap pct={ourGapPct(product.price, whole(price))} />
        </small>
      )}
    </>
  );
}

function OurGap({ pct }: { pct: number | null }) {
  const { words: { review: { ours } }, show } = useApp();
  if (pct === null) return null;
  if (pct === 0) return <>{ours.equal}</>;
  return pct > 0
    ? <span class="dearer">{ours.dearer(show.share(pct))}</span>
    : <span class="cheaper">{ours.cheaper(show.share(-pct))}</span>;
}

function PairReasons({ suggestion: { product, page, verdict, reasons, rivals } }: PairProps) {
  const { words: { review: texts }, audience: { language } } = useApp();
  const lacksGtin = verdict !== "same" && product.gtin !== null && page.gtin === null;
  return (
    <div class="pair-reasons stack fine gap-6">
      <strong>{verdictWords(language)[verdict]}</strong>
      <ul class="stack gap-4" aria-label={texts.reasons}>
        {reasons.map((reason) => (
          <Reason
            key={reason.code}
            side={reason.side}
            text={identityReasonText(reason, language)}
          />
        ))}
        {lacksGtin && <Reason side="doubt" text={texts.noGtin} />}
      </ul>
      {rivals > 0 && <p class="soft small">{texts.rivals(rivals)}</p>}
    </div>
  );
}

const REASON_MARKS = { for: "✓", against: "≠", doubt: "≈" } as const;
const REASON_TONES = { for: "good", against: "bad", doubt: "warn" } as const;

function Reason({ side, text }: { side: keyof typeof REASON_MARKS; text: string }) {
  const { sides } = useApp().words.review;
  return (
    <li class={REASON_TONES[side]}>
      <span aria-hidden="true">{REASON_MARKS[side]}</span>
      <span>
        <span class="sr-only">{`${sides[side]}: `}</span>
        {text}
      </span>
    </li>
  );
}

const VERDICT_TONES: Readonly<Record<Verdict, Tone>> = {
  same: "good",
  probably: "warn",
  unknown: "warn",
  different: "bad",
};

export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const { words } = useApp();
  return <Badge tone={VERDICT_TONES[verdict]}>{words.review.tones[verdict]}</Badge>;
}

export type Suggestion = Wire<"MatchSuggestion">;
export type Action = "accept" | "reject" | "variant";

export function useDeciding(onBack: (id: string) => void) {
  const texts = useApp().words.review;
  const { hidden, act, undo } = useUndoQueue("links", DECIDED_AREAS);
  const reopen = (id: string) => (call: Call) =>
    call((api) => api.POST("/api/match-suggestions/{id}/reopen", byId(id)));
  return {
    hidden,
    undo,
    reopen: ({ id }: Suggestion) => void act({ run: reopen(id), told: "" }),
    decide: (action: Action, { id, product, competitor }: Suggestion) =>
      void act({
        hides: [id],
        told: texts.told[action](product.sku, competitor.displayName),
        run: (call) =>
          call((api) =>
            action === "accept"
              ? api.POST("/api/match-suggestions/{id}/accept", byId(id))
              : api.POST("/api/match-suggestions/{id}/reject", {
                ...byId(id),
                body: { as: action === "variant" ? "variant" : "other" },
              })
          ),
        undo: () => reopen(id),
        onUndo: () => onBack(id),
      }),
  };
}
