import type { ComponentChildren, Ref } from "preact";
import { useId } from "preact/hooks";
import { whole } from "../../../base/fraction.ts";
import { sharePct } from "../../../base/percent.ts";
import { identityReasonText, verdictText } from "../../../engine/wording/identity_words.ts";
import { listenerOf, useApp } from "../../app/app.ts";
import { Badge } from "../../parts/badge.tsx";
import { Gap } from "../../parts/gap.tsx";
import { type ComparedRow, positionOf, STANDING_MARKS } from "../../parts/identity/row_marks.ts";
import { SafeLink } from "../../parts/safe_link.tsx";
import { ShopBadge } from "../../parts/shop_badge.tsx";
import type { Suggestion } from "./use_deciding.ts";
import { VERDICT_TONES } from "./verdict_tones.ts";

interface PairCardProps {
  readonly suggestion: Suggestion;
  readonly colour: number | undefined;
  /** Takes the focus after a decision, so that keys and screen readers are at the next pair. */
  readonly focus: Ref<HTMLElement>;
  /** The buttons. */
  readonly children: ComponentChildren;
}

const REASON_MARKS = { for: "✓", against: "≠", doubt: "≈" } as const;
const REASON_TONES = { for: "good", against: "bad", doubt: "warn" } as const;

/** Our product and the page side by side, with the evidence for and against. */
export function PairCard({ suggestion, colour, focus, children }: PairCardProps) {
  const app = useApp();
  const { words, show } = app;
  const texts = words.review;
  const { language } = listenerOf(app);
  const titleId = useId();
  const { product, competitor, page, verdict, reasons, score, packFactor, rivals } = suggestion;
  const { identity: sides, notKnown, conditions } = words.product;
  return (
    <section class="panel pair-card" aria-labelledby={titleId} tabIndex={-1} ref={focus}>
      <div class="pair-sides">
        <div>
          <span class="soft small">{sides.ours}</span>
          <h2 id={titleId}>
            <a href={`/products/${product.id}`}>{product.sku}</a> {product.title}
          </h2>
        </div>
        <p class="pair-verdict">
          <Badge tone={VERDICT_TONES[verdict]}>{texts.tones[verdict]}</Badge>
          <span class="soft small">{texts.score(show.number(sharePct(score, 0)))}</span>
        </p>
        <div>
          <span class="soft small">
            <ShopBadge name={competitor.displayName} colour={colour} /> {competitor.displayName}
          </span>
          <h2>{page.title ?? page.url}</h2>
        </div>
      </div>
      <table class="pair-rows" aria-label={sides.sides}>
        <tbody>
          <Row label={words.fields.brand} row="brand" {...{ reasons }}>
            {product.brand}
            {page.brand}
          </Row>
          <Row label={words.fields.ean} row="gtin" {...{ reasons }}>
            {product.gtin}
            {page.gtin}
          </Row>
          <Row label={words.fields.mpn} row="mpn" {...{ reasons }}>
            {product.mpn}
            {page.mpn}
          </Row>
          <Row label={words.price} row={null} {...{ reasons }}>
            {product.price === null ? null : show.money(product.price, product.currency)}
            {page.price === null ? null : (
              <>
                {show.money(page.price, page.currency)}
                {page.currency === product.currency && packFactor === null && (
                  <small>
                    <Gap ourCents={product.price} theirs={whole(page.price)} />
                  </small>
                )}
              </>
            )}
          </Row>
          {packFactor !== null && (
            <Row label={texts.pack} row="pack" {...{ reasons }}>
              {texts.pieces(1, show.number(1))}
              {texts.pieces(packFactor, show.number(packFactor))}
            </Row>
          )}
          {page.condition !== null && (
            <Row label={words.fields.condition} row="condition" {...{ reasons }}>
              {notKnown}
              {conditions[page.condition]}
            </Row>
          )}
        </tbody>
      </table>
      <div class="pair-reasons">
        <p>
          <strong>{verdictText(verdict, language)}</strong>
          <SafeLink url={page.url}>{texts.toPage}</SafeLink>
        </p>
        <ul aria-label={texts.reasons}>
          {reasons.map((reason) => (
            <li key={reason.code} class={REASON_TONES[reason.side]}>
              <span aria-hidden="true">{REASON_MARKS[reason.side]}</span>
              <span>
                <span class="sr-only">{`${texts.sides[reason.side]}: `}</span>
                {identityReasonText(reason, language)}
              </span>
            </li>
          ))}
        </ul>
        {rivals > 0 && <p class="soft small">{texts.rivals(rivals, show.number(rivals))}</p>}
      </div>
      <footer class="pair-actions">{children}</footer>
    </section>
  );
}

interface RowProps {
  readonly label: string;
  /** Null where no reason speaks of it. */
  readonly row: ComparedRow | null;
  readonly reasons: Suggestion["reasons"];
  /** Our side and the page's side. */
  readonly children: readonly [ours: ComponentChildren, theirs: ComponentChildren];
}

function Row({ label, row, reasons, children: [ours, theirs] }: RowProps) {
  const { notKnown } = useApp().words.product;
  const stands = row && positionOf(row, reasons);
  const said = (side: ComponentChildren) => side ?? <span class="soft">{notKnown}</span>;
  return (
    <tr class={stands ?? undefined}>
      <td>{said(ours)}</td>
      <th scope="row">{label}</th>
      <td>
        {stands && <span class="mark">{STANDING_MARKS[stands]}</span>}
        {said(theirs)}
      </td>
    </tr>
  );
}
