import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useApp } from "../../app/app.ts";
import { Delta } from "../../parts/delta.tsx";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";

type Held = NonNullable<ImportDocument["hold"]>;

interface HeldProps {
  readonly hold: Held;
  readonly isDryRun: boolean;
}

/** That an import is held, or would be, by which figures, and what to do now. */
export function HeldNote({ hold, isDryRun }: HeldProps) {
  const { words, show } = useApp();
  const texts = words.imports.job.hold;
  const { moved, products, movePct, sharePct, causes } = hold;
  const why = [
    [causes.price, texts.causes.price],
    [causes.cost, texts.causes.cost],
    [causes.currency, texts.causes.currency],
  ] as const;
  const counted = why.filter(([count]) => count > 0)
    .map(([count, name]) => `${name} ${show.number(count)}`).join(", ");
  return (
    <div class={isDryRun ? "note warn" : "note bad"} role="alert">
      <strong>{isDryRun ? texts.wouldBe : texts.isHeld}</strong>
      <p>
        {texts.why(
          show.number(moved),
          show.number(products),
          show.percent(movePct),
          show.percent(sharePct),
        )} {texts.reasons(counted)}
      </p>
      <p>{isDryRun ? texts.toDoLater : texts.toDo} {!isDryRun && <code>price_guard</code>}</p>
    </div>
  );
}

/** The greatest moves of each reason. */
export function HeldSamples({ hold }: { hold: Held }) {
  const { words, show } = useApp();
  const texts = words.imports.job;
  return (
    <Section title={texts.hold.samples} note={texts.hold.samplesNote}>
      <SimpleTable
        label={texts.hold.samples}
        rows={hold.samples}
        idOf={({ sku, cause }) => `${sku} ${cause}`}
        columns={[
          { key: "sku", title: texts.findings.sku, width: 140, cell: ({ sku }) => sku },
          {
            key: "cause",
            title: texts.field,
            width: 130,
            narrowWidth: 90,
            cell: ({ cause }) => texts.hold.causes[cause],
          },
          {
            key: "from",
            title: texts.before,
            width: 110,
            isNumber: true,
            cell: ({ fromCents, fromCurrency }) => show.money(fromCents, fromCurrency),
          },
          {
            key: "to",
            title: texts.after,
            width: 110,
            isNumber: true,
            cell: ({ toCents, toCurrency }) => show.money(toCents, toCurrency),
          },
          {
            key: "change",
            title: words.product.historyColumns.change,
            width: 110,
            isNumber: true,
            cell: ({ cause, fromCents, toCents }) =>
              cause === "currency" ? "–" : <Delta fromCents={fromCents} toCents={toCents} />,
          },
        ]}
      />
    </Section>
  );
}
