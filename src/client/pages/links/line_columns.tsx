import { LINE_ERRORS } from "../../../scraping/link_checks/check_codes.ts";
import { identityReasonText, verdictText } from "../../../engine/wording/identity_words.ts";
import type { Wire } from "../../api/wire.ts";
import { listenerOf, useApp } from "../../app/app.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { scrapeErrorText } from "../../parts/run/scrape_error_text.ts";
import { SafeLink } from "../../parts/safe_link.tsx";
import { NARROW } from "../../parts/table/use_fitting_columns.ts";
import { useMedia } from "../../parts/use_media.ts";
import { type Column, column, numberColumn } from "../../parts/table/column.ts";
import type { useAccepting } from "./use_accepting.ts";

type Line = Wire<"LinkCheckLine">;

const REASONS_SHOWN = 2;

/** How high a line is on a phone: the finding has room for three lines of text. */
export const LINE_CARD_PX = 272;

/** The link of a line, its page's facts, and its actions. */
export function useLineColumns(
  accepting: ReturnType<typeof useAccepting>,
): readonly Column<Line>[] {
  const app = useApp();
  const isPhone = useMedia(NARROW);
  const { words, show } = app;
  const texts = words.links;
  const columns: readonly Column<Line>[] = [
    column(
      "product",
      texts.columns.product,
      200,
      ({ line, sku, gtin, productId, title }) => (
        <span class="pair">
          <span>
            {productId
              ? <a href={`/products/${productId}`}>{sku ?? gtin}</a>
              : sku ?? gtin ?? texts.line(show.number(line))}
          </span>
          <small>{title ?? texts.line(show.number(line))}</small>
        </span>
      ),
    ),
    column("page", texts.columns.page, 240, ({ url, page, competitor }) => (
      <span class="pair">
        <SafeLink url={url}>{page?.title ?? url}</SafeLink>
        {competitor && <small>{competitor}</small>}
      </span>
    )),
    column("why", texts.columns.why, 270, (line) => <Finding line={line} />),
    numberColumn(
      "price",
      texts.columns.price,
      100,
      ({ price, currency }) => price === null ? "–" : show.money(price, currency),
    ),
    column(
      "action",
      texts.columns.action,
      220,
      (line) => <Decision line={line} accepting={accepting} />,
    ),
  ];
  if (!isPhone) return columns;
  // Stacked, because side by side the finding would overflow.
  const cell = (line: Line) => (
    <span class="line-card">
      {columns.map((column) => <span key={column.key}>{column.cell(line)}</span>)}
    </span>
  );
  return [column("card", texts.columns.product, 280, cell)];
}

/** Why the line stands on its pile, in sentences. */
function Finding({ line }: { line: Line }) {
  const app = useApp();
  const { words } = app;
  const listener = listenerOf(app);
  const { verdict, reasons, errorCode } = line;
  if (verdict === null) {
    const validationError = LINE_ERRORS.find((one) => one === errorCode);
    const told = validationError
      ? words.links.misfits[validationError]
      : scrapeErrorText(words, errorCode);
    const near = line.nearSkus.join(", ");
    return (
      <span class="finding">
        {told}
        {near !== "" && <small>{words.links.meant(near)}</small>}
      </span>
    );
  }
  return (
    <span class="finding">
      <strong>{verdictText(verdict, listener.language)}</strong>
      {reasons.slice(0, REASONS_SHOWN).map((reason) => (
        <small key={reason.code}>{identityReasonText(reason, listener.language)}</small>
      ))}
    </span>
  );
}

interface DecisionProps {
  readonly line: Line;
  readonly accepting: ReturnType<typeof useAccepting>;
}

function Decision({ line: checked, accepting }: DecisionProps) {
  const { line, outcome, status, nearSkus } = checked;
  const { words, show, may } = useApp();
  const texts = words.links;
  const number = show.number(line);
  if (status === "linked" || status === "existing") {
    return <Badge tone="good">{texts.statuses[status]}</Badge>;
  }
  const isOpen = status === "open";
  if (!may("manager")) return <span>{texts.statuses[status]}</span>;
  return (
    <span class="line-actions">
      {isOpen && (outcome === "sure" || outcome === "check") && (
        <Button
          isDisabled={accepting.isBusy}
          label={texts.acceptFull(number)}
          onClick={() => accepting.accept({ lines: [line] })}
        >
          {texts.accept}
        </Button>
      )}
      {isOpen && nearSkus.map((sku) => (
        <Button
          key={sku}
          isDisabled={accepting.isBusy}
          label={texts.takeFull(number, sku)}
          onClick={() => accepting.correct([{ line: checked, sku }])}
        >
          {nearSkus.length === 1 ? texts.take : sku}
        </Button>
      ))}
      <Button
        kind="quiet"
        isDisabled={accepting.isBusy}
        label={isOpen ? texts.dropFull(number) : texts.takeBackFull(number)}
        onClick={() => accepting.drop(line, isOpen)}
      >
        {isOpen ? texts.drop : texts.takeBack}
      </Button>
    </span>
  );
}
