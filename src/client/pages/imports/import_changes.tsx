import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useApp } from "../../app/app.ts";
import { Delta } from "../../parts/delta.tsx";
import { fieldName, fieldText } from "../../parts/field_text.ts";
import { Figure, Figures } from "../../parts/figures.tsx";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";

interface JobProps {
  readonly job: ImportDocument;
}

/** What a rehearsal found that it would change, in money first. */
export function ImportChanges({ job }: JobProps) {
  const { words } = useApp();
  const texts = words.imports.job;
  const { changes = [], removals = [] } = job;
  return (
    <>
      {job.impact && job.impact.priceChanges > 0 && <Impact impact={job.impact} />}
      {changes.length > 0 && <Changes changes={changes} />}
      {removals.length > 0 && (
        <Section title={texts.removals} note={texts.changesNote}>
          <SimpleTable
            label={texts.removals}
            rows={removals}
            idOf={({ productId }) => productId}
            columns={[{
              key: "sku",
              title: texts.findings.sku,
              width: 200,
              cell: ({ sku, productId }) => <a href={`/products/${productId}`}>{sku}</a>,
            }]}
          />
        </Section>
      )}
    </>
  );
}

function Impact({ impact }: { impact: NonNullable<ImportDocument["impact"]> }) {
  const { words, show } = useApp();
  const texts = words.imports.job;
  const names = texts.impactStats;
  return (
    <Section title={texts.impact}>
      <Figures>
        <Figure label={names.priceChanges} value={show.number(impact.priceChanges)} />
        <Figure label={names.up} value={show.number(impact.up)} />
        <Figure label={names.down} value={show.number(impact.down)} />
        <Figure
          label={names.over20pct}
          value={show.number(impact.over20pct)}
          {...(impact.over20pct > 0 && { tone: "warn" })}
        />
        <Figure
          label={names.belowCost}
          value={show.number(impact.belowCost)}
          {...(impact.belowCost > 0 && { tone: "bad" })}
        />
      </Figures>
      <h3>{texts.largest}</h3>
      <SimpleTable
        label={texts.largest}
        rows={impact.largest}
        idOf={({ sku }) => sku}
        columns={[
          { key: "sku", title: texts.findings.sku, width: 160, cell: ({ sku }) => sku },
          {
            key: "from",
            title: texts.before,
            width: 110,
            isNumber: true,
            cell: ({ fromCents, currency }) => show.money(fromCents, currency),
          },
          {
            key: "to",
            title: texts.after,
            width: 110,
            isNumber: true,
            cell: ({ toCents, currency }) => show.money(toCents, currency),
          },
          {
            key: "change",
            title: words.product.historyColumns.change,
            width: 110,
            isNumber: true,
            cell: (move) => <Delta {...move} />,
          },
        ]}
      />
    </Section>
  );
}

function Changes({ changes }: { changes: NonNullable<ImportDocument["changes"]> }) {
  const app = useApp();
  const texts = app.words.imports.job;
  return (
    <Section title={texts.changes} note={changes.length >= 200 ? texts.changesNote : undefined}>
      <SimpleTable
        label={texts.changes}
        rows={changes}
        idOf={({ sku, field }) =>
          `${sku} ${field}`}
        columns={[
          {
            key: "sku",
            title: texts.findings.sku,
            width: 160,
            cell: ({ sku }) =>
              sku,
          },
          {
            key: "field",
            title: texts.field,
            width: 130,
            cell: ({ field }) => fieldName(app.words, field),
          },
          {
            key: "from",
            title: texts.before,
            width: 220,
            cell: ({ field, from, fromCurrency }) => fieldText(app, field, from, fromCurrency),
          },
          {
            key: "to",
            title: texts.after,
            width: 220,
            cell: ({ field, to, toCurrency }) => fieldText(app, field, to, toCurrency),
          },
        ]}
      />
    </Section>
  );
}
