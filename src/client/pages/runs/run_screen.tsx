/**
 * Shows the result of each linked page in a scrape run. A page that says why it has no price, such
 * as "on request", is no error.
 */
import { isUnderWay, useJob } from "../../parts/shared_queries.ts";
import {
  DocumentPending,
  Figure,
  Figures,
  FileLinks,
  filesOf,
  PageHead,
  Section,
} from "../../parts/page.tsx";
import { useRoute } from "preact-iso";
import type { Run } from "../../../scraping/runs/run.ts";
import { useApp } from "../../app/app.ts";
import { Badge, SafeLink, type Tone } from "../../parts/controls.tsx";
import {
  RunProgress,
  RunState,
  scrapeErrorText,
  useMethodNames,
} from "../../parts/shop/read_again.tsx";
import {
  ANSWERS_WITHOUT_PRICE,
  bandOf,
  type PageStatus,
} from "../../../engine/extraction/page_status.ts";
import { confidenceText } from "../../../engine/wording/page_words.ts";
import { type Column, column, SimpleTable } from "../../parts/table/table.tsx";
import { byPath, get } from "../../api/call.ts";
import { ActionButton } from "../../parts/action_button.tsx";

const WATCH_MS = 700;

export function RunScreen() {
  const { params: { runId = "" } } = useRoute();
  const { words } = useApp();
  const found = useJob(get("/api/scrape-runs/{runId}", byPath({ runId })), WATCH_MS, ["matches"]);
  const back = { href: "/runs", text: words.runs.title };
  if (found.data) return <Found run={found.data} back={back} />;
  return <DocumentPending title={words.runs.title} back={back} of={found} />;
}

function Found(
  { run, back }: { run: Run; back: { readonly href: string; readonly text: string } },
) {
  const { words: { runs: texts, codes, fields }, show, may } = useApp();
  const { columns } = texts;
  const { counts } = run;
  return (
    <div class="page">
      <PageHead title={texts.title1(run.sku)} beside={<RunState run={run} />} back={back}>
        {isUnderWay(run) && may("manager") && (
          <ActionButton
            ask={(api) => api.POST("/api/scrape-runs/{runId}/cancel", byPath({ runId: run.id }))}
          >
            {texts.cancel}
          </ActionButton>
        )}
        <a class="button" href={`/products/${run.productId}`}>{texts.toProduct}</a>
      </PageHead>
      {isUnderWay(run) && <RunProgress run={run} />}
      <Figures>
        <Figure label={fields.targets} value={counts.targets} />
        <Figure label={fields.ok} value={counts.ok} />
        <Figure label={columns.failed} value={counts.failed} tone={counts.failed > 0 && "bad"} />
        <Figure label={codes.visitResults.skipped} value={counts.skipped} />
        <Figure
          label={columns.trigger}
          value={codes.runTriggers[run.trigger]}
          note={run.trigger === "manual" && run.requestedBy.name}
        />
        <Figure
          label={columns.at}
          value={show.ago(run.startedAt ?? run.createdAt)}
          note={show.dateTime(run.startedAt ?? run.createdAt)}
        />
      </Figures>
      <RunResults run={run} />
    </div>
  );
}

type Result = Run["results"][number];

const TONES: Readonly<Record<Result["status"], Tone>> = {
  ok: "good",
  failed: "bad",
  skipped: "plain",
};

const ORDINARY: ReadonlySet<string> = new Set<PageStatus>(["priced", "blocked", "unread"]);

function RunResults({ run }: { run: Run }) {
  const texts = useApp().words.runs;
  const isVain = run.counts.targets === 0 && !isUnderWay(run);
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
  const { words, show, audience } = useApp();
  const texts = words.runs;
  const columns = texts.resultColumns;
  const { yes, no, unknown, offerColumns } = words.product;
  const named = useMethodNames();
  return [
    column("shop", words.fields.competitorId, 160).cell(({ competitor, url }) => (
      <SafeLink url={url}>{competitor}</SafeLink>
    )),
    column("state", columns.state, 100).cell((result) => <State result={result} />),
    column("price", words.price, 100).money(({ price, currency }) => [price, currency]),
    column("stock", offerColumns.stock, 90).cell(({ status, inStock }) =>
      status !== "ok" && inStock === null ? "–" : inStock === null ? unknown : inStock ? yes : no
    ),
    column("method", words.fields.method, 120).cell(({ method }) =>
      method === null ? "–" : named(method)
    ),
    column("confidence", words.fields.confidence, 170).number(({ confidence }) =>
      confidence === null ? "–" : confidenceText(confidence, bandOf(confidence), audience)
    ),
    column("others", columns.others, 180).cell(({ alternatives }) =>
      alternatives.map(({ method, price, currency }) =>
        `${named(method)} ${show.money(price, currency)}`
      ).join(", ") || "–"
    ),
    column("took", words.runs.columns.took, 90).number(({ durationMs }) =>
      durationMs === null ? "–" : `${show.number(durationMs)} ms`
    ),
    column("reason", columns.reason, 280).cell((result) => <Reason result={result} />),
  ];
}

function State({ result: { status, pageStatus } }: { result: Result }) {
  const { codes } = useApp().words;
  const statusText = pageStatus === null || ORDINARY.has(pageStatus)
    ? null
    : codes.pageStatuses[pageStatus];
  const isAnswer = pageStatus !== null && ANSWERS_WITHOUT_PRICE.has(pageStatus);
  if (status === "failed" && isAnswer) return <Badge tone="plain">{statusText}</Badge>;
  return (
    <>
      <Badge tone={TONES[status]}>{codes.visitResults[status]}</Badge>
      {statusText && <small class="below">{statusText}</small>}
    </>
  );
}

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
