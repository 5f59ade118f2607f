import { column, numberColumn } from "../../parts/table/column.ts";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useApp } from "../../app/app.ts";
import { Delta } from "../../parts/delta.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import { type Pick, productColumn, type Titles } from "./import_changes.tsx";

type Held = NonNullable<ImportDocument["hold"]>;

/** That an import is held, or would be, by which figures, and what to do now. */
export function HeldNote({ hold, isDryRun }: { readonly hold: Held; readonly isDryRun: boolean }) {
  const { words, show } = useApp();
  const texts = words.imports.job.hold;
  const sources = words.importSources;
  const { moved, products, movePct, sharePct, causes } = hold;
  const binding = hold.guards.filter(({ binds }) => binds);
  // The workspace's setting knows one guard of prices; a source has one for each reason.
  const isOfSource = hold.guards.some(({ code }) => code === "cost_guard");
  const byWorkspace = !isOfSource && binding.some(({ code }) => code === "price_guard");
  const bySource = binding.filter(({ code }) => isOfSource || code !== "price_guard");
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
      {bySource.map(({ code, count, of, sharePct, column, remedy }) => (
        <p key={code}>
          {sources.guard(
            sources.guards[code],
            show.number(count),
            show.number(of),
            show.percent(sharePct),
          )} <code>{code}</code>
          {remedy && <strong class="remedy">{sources.remedies[remedy](column)}</strong>}
        </p>
      ))}
      {byWorkspace && (
        <p>
          {texts.why(
            show.number(moved),
            show.number(products),
            show.percent(movePct),
            show.percent(sharePct),
          )} {texts.reasons(counted)} {!isDryRun && <code>price_guard</code>}
        </p>
      )}
      <p>{isDryRun ? texts.toDoLater : texts.toDo}</p>
    </div>
  );
}

type Sample = Held["samples"][number];

/** The greatest moves of each reason. */
export function HeldSamples(
  { hold, pick, titles }: {
    readonly hold: Held;
    readonly pick: Pick;
    readonly titles: Titles;
  },
) {
  const { words, show } = useApp();
  const texts = words.imports.job;
  return (
    <SimpleTable
      label={texts.hold.samples}
      rows={hold.samples}
      idOf={({ sku, cause }) => `${sku} ${cause}`}
      columns={[
        productColumn<Sample>(words, titles),
        ...pick<Sample>(),
        column<Sample>("cause", texts.field, { width: 130, narrowWidth: 90 }, ({ cause }) =>
          texts.hold.causes[cause]),
        numberColumn<Sample>("from", texts.before, 110, ({ fromCents, fromCurrency }) =>
          show.money(fromCents, fromCurrency)),
        numberColumn<Sample>("to", texts.after, 110, ({ toCents, toCurrency }) =>
          show.money(toCents, toCurrency)),
        numberColumn<Sample>(
          "change",
          words.product.historyColumns.change,
          110,
          ({ cause, fromCents, toCents }) =>
            cause === "currency" ? "–" : <Delta fromCents={fromCents} toCents={toCents} />,
        ),
      ]}
    />
  );
}
