/**
 * Shows the evidence for a product's lowest price of 30 days (§ 11 PAngV), on screen and on paper.
 */
import { useRoute } from "preact-iso";
import type { PriceEvidence } from "../../../catalogue/lists/price_evidence.ts";
import { type App, useApp, useDocument } from "../../app/app.ts";
import { addressOf, byPath, get } from "../../api/call.ts";
import { Button } from "../../parts/controls.tsx";
import { Figure, Figures, PageHead, Pending, Section } from "../../parts/page.tsx";
import { type Column, column, SimpleTable } from "../../parts/table/table.tsx";

type Row = PriceEvidence["rows"][number];

export function PriceEvidenceScreen() {
  const app = useApp();
  const { words, workspace } = app;
  const texts = words.product.evidence;
  const { params: { id = "" }, query } = useRoute();
  const asked = { ...(query.at && { at: query.at }), includeDeleted: true };
  const found = useDocument(get("/api/products/{id}/price-evidence", byPath({ id }, asked)));
  const evidence = found.data;
  const file = addressOf(`/api/products/${id}/price-evidence.csv`, {
    at: query.at ?? "",
    includeDeleted: "true",
    lang: app.language.value,
  });
  return (
    <div class="evidence stack gap-16">
      <PageHead
        title={texts.title}
        back={{ href: `/products/${id}`, text: evidence?.sku ?? words.products.title }}
      >
        <a class="button" download href={file}>{texts.csv}</a>
        <Button kind="main" isDisabled={!evidence} onClick={() => globalThis.print()}>
          {texts.print}
        </Button>
      </PageHead>
      {evidence
        ? (
          <>
            <p class="evidence-of stack gap-2">
              <strong>{evidence.title}</strong>
              <span>{words.fields.sku} {evidence.sku}</span>
              <span class="soft">{workspace.value?.name}</span>
            </p>
            <Lowest evidence={evidence} />
            <Section title={texts.rows}>
              <SimpleTable
                label={texts.rows}
                columns={columnsOf(app)}
                rows={evidence.rows}
                empty={<p class="soft">{texts.none}</p>}
              />
              <p class="soft small">
                {evidence.pricesIncludeVat ? texts.grossPrices : texts.netPrices}{" "}
                {words.product.lowestNote}
              </p>
            </Section>
            <p class="stack gap-2 small">
              {texts.hash}: <code>{evidence.sha256}</code>
              <span class="soft">{texts.hashNote}</span>
            </p>
          </>
        )
        : <Pending of={found} />}
    </div>
  );
}

function columnsOf({ words }: App): readonly Column<Row>[] {
  const texts = words.product.evidence;
  return [
    column("at", texts.at, 150).time(({ at }) => at),
    column("price", words.fields.price, 100).money(({ toCents, currency }) => [toCents, currency]),
    column("gross", words.product.gross, 100).money((
      { grossCents, currency },
    ) => [grossCents, currency]),
    column("vat", texts.vat, 70).share(({ vatRatePct }) => vatRatePct),
    column("source", words.fields.source, 190).cell(({ source, actor }) =>
      `${words.codes.priceSources[source]}, ${actor.name}`
    ),
    column("counts", words.fields.isCounted, 260).cell((row) => <Counted row={row} />),
  ];
}

function Lowest({ evidence }: { readonly evidence: PriceEvidence }) {
  const { words, show } = useApp();
  const texts = words.product.evidence;
  const { lowest, from, at, pricesIncludeVat } = evidence;
  const { currency } = lowest;
  const note = [
    ...(lowest.since ? [texts.since(show.dateTime(lowest.since))] : []),
    ...(lowest.complete ? [] : [words.product.lowestIncomplete]),
  ].join(". ");
  return (
    <Figures>
      <Figure
        label={pricesIncludeVat ? texts.lowestGross : texts.lowest}
        value={show.money(lowest.lowestCents, currency)}
        note={note}
      />
      {!pricesIncludeVat && (
        <Figure
          label={texts.lowestGross}
          value={show.money(lowest.lowestGrossCents ?? null, currency)}
        />
      )}
      <Figure label={texts.window} value={`${show.date(from)} – ${show.date(at)}`} />
    </Figures>
  );
}

function Counted({ row: { isCounted, wasExported, mark } }: { readonly row: Row }) {
  const { words, show } = useApp();
  const texts = words.product.evidence;
  const said = [
    ...(wasExported ? [texts.exported] : []),
    ...(mark ? [texts.marked(mark.by.name, show.dateTime(mark.markedAt))] : []),
    ...(mark?.neverShown ? [texts.neverShown] : []),
    ...(mark?.reason ? [words.auditLog.quote(mark.reason)] : []),
  ];
  return (
    <>
      {isCounted ? words.product.yes : <strong>{words.product.no}</strong>}
      {said.length > 0 && <span class="soft">{` · ${said.join(", ")}`}</span>}
    </>
  );
}
