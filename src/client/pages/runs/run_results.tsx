import { sharePct } from "../../../base/percent.ts";
import { ANSWERS_WITHOUT_PRICE, type PageStatus } from "../../../engine/extraction/page_status.ts";
import type { Run } from "../../../scraping/runs/run.ts";
import { useApp } from "../../app/app.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { FileLinks, filesOf } from "../../parts/file_links.tsx";
import { SafeLink } from "../../parts/safe_link.tsx";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import { type Column, column, numberColumn } from "../../parts/table/column.ts";
import { isRunning } from "../../parts/run/run_state.tsx";
import { scrapeErrorText } from "../../parts/run/scrape_error_text.ts";
import { useMethodNames } from "../../parts/run/use_method_names.ts";

type Result = Run["results"][number];

const TONES: Readonly<Record<Result["status"], Tone>> = {
  ok: "good",
  failed: "bad",
  skipped: "plain",
};

/** Statuses that need no extra word. */
const ORDINARY: ReadonlySet<string> = new Set<PageStatus>(["priced", "blocked", "unread"]);

export function RunResults({ run }: { run: Run }) {
  const { words } = useApp();
  const texts = words.runs;
  const isVain = run.counts.targets === 0 && !isRunning(run);
  return (
    <Section title={texts.results}>
      {run.results.length > 0 && <FileLinks {...filesOf(`/api/scrape-runs/${run.id}/results`)} />}
      <SimpleTable
        label={texts.results}
        columns={useResultColumns()}
        rows={run.results}
        idOf={({ competitorProductId }) => competitorProductId}
        empty={<p class="note info">{isVain ? texts.noTargets : texts.noResults}</p>}
      />
    </Section>
  );
}

function useResultColumns(): readonly Column<Result>[] {
  const { words, show } = useApp();
  const texts = words.runs;
  const columns = texts.resultColumns;
  const named = useMethodNames();
  return [
    column(
      "shop",
      columns.shop,
      160,
      ({ competitor, url }) => <SafeLink url={url}>{competitor}</SafeLink>,
    ),
    column("state", columns.state, 100, (result) => <State result={result} />),
    numberColumn("price", words.price, 100, ({ price, currency }) => show.money(price, currency)),
    column("stock", words.product.offerColumns.stock, 90, (result) => <Stock result={result} />),
    column("method", columns.method, 120, ({ method }) => method === null ? "–" : named(method)),
    numberColumn(
      "confidence",
      columns.confidence,
      90,
      ({ confidence }) => confidence === null ? "–" : show.percent(sharePct(confidence, 1)),
    ),
    column(
      "others",
      columns.others,
      180,
      ({ alternatives }) =>
        alternatives.map(({ method, price, currency }) =>
          `${named(method)} ${show.money(price, currency)}`
        ).join(", ") || "–",
    ),
    numberColumn(
      "took",
      columns.took,
      90,
      ({ durationMs }) => durationMs === null ? "–" : `${show.number(durationMs)} ms`,
    ),
    column("reason", columns.reason, 280, (result) => <Reason result={result} />),
  ];
}

/** A page that says why it has no price is no fault; one whose price is odd says what is odd. */
function State({ result: { status, pageStatus } }: { result: Result }) {
  const { words: { runs } } = useApp();
  const told = pageStatus === null || ORDINARY.has(pageStatus)
    ? null
    : runs.pageStatuses[pageStatus];
  const isAnswer = pageStatus !== null && ANSWERS_WITHOUT_PRICE.has(pageStatus);
  if (status === "failed" && isAnswer) return <Badge tone="plain">{told}</Badge>;
  return (
    <>
      <Badge tone={TONES[status]}>{runs.resultStates[status]}</Badge>
      {told && <small class="below">{told}</small>}
    </>
  );
}

function Stock({ result: { status, inStock } }: { result: Result }) {
  const { words } = useApp();
  const { inStock: yes, outOfStock, unknown } = words.product;
  if (status !== "ok" && inStock === null) return <>–</>;
  return <>{inStock === null ? unknown : inStock ? yes : outOfStock}</>;
}

/** The meaning of the code, with the exact message below. */
function Reason({ result: { errorCode, message, httpStatus, warnings } }: { result: Result }) {
  const { words } = useApp();
  const warned = warnings.map((one) => words.runs.pageWarnings[one]).join(" ");
  if (errorCode === null) return <>{warned || "–"}</>;
  const exact = [httpStatus === null ? null : `HTTP ${httpStatus}`, message];
  return (
    <>
      {scrapeErrorText(words, errorCode)}
      {warned && <small class="below">{warned}</small>}
      <small class="exact">{exact.filter(Boolean).join(": ")}</small>
    </>
  );
}
