import { DocumentPending } from "../../parts/document_pending.tsx";
import { useQueryClient } from "@tanstack/preact-query";
import { useRoute } from "preact-iso";
import { useEffect } from "preact/hooks";
import type { Run } from "../../../scraping/runs/run.ts";
import { useChange } from "../../app/use_change.ts";
import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { Figure, Figures } from "../../parts/figures.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import { RunResults } from "./run_results.tsx";
import { isRunning, RunProgress, RunState } from "../../parts/run/run_state.tsx";

const WATCH_MS = 700;

/** One run: how far it is, what each page said, and why a page said nothing. */
export function RunScreen() {
  const { params: { runId = "" } } = useRoute();
  const { words } = useApp();
  const client = useQueryClient();
  const found = useDocument({
    key: ["runs", runId],
    read: (api) => api.GET("/api/scrape-runs/{runId}", { params: { path: { runId } } }),
    everyMs: (run) => run && isRunning(run) ? WATCH_MS : false,
  });
  const run = found.data;
  const isDone = run !== undefined && !isRunning(run);
  useEffect(() => {
    if (isDone) void client.invalidateQueries({ queryKey: ["matches"] });
  }, [isDone]);
  const back = { href: "/runs", text: words.runs.title };
  if (run) return <Found run={run} back={back} />;
  return (
    <DocumentPending
      title={words.runs.title}
      back={back}
      error={found.error}
      onAgain={() => void found.refetch()}
    />
  );
}

interface FoundProps {
  readonly run: Run;
  readonly back: { readonly href: string; readonly text: string };
}

function Found({ run, back }: FoundProps) {
  const { words, show, may } = useApp();
  const texts = words.runs;
  const { columns } = texts;
  const { counts } = run;
  const cancel = useChange({
    run: (call) =>
      call((api) =>
        api.POST("/api/scrape-runs/{runId}/cancel", { params: { path: { runId: run.id } } })
      ),
    touches: ["runs"],
  });
  return (
    <div class="page">
      <PageHead title={texts.title1(run.sku)} beside={<RunState run={run} />} back={back}>
        {isRunning(run) && may("manager") && (
          <Button
            isBusy={cancel.isPending}
            onClick={() => cancel.mutate(undefined)}
          >
            {texts.cancel}
          </Button>
        )}
        <a class="button" href={`/products/${run.productId}`}>{texts.toProduct}</a>
      </PageHead>
      {isRunning(run) && <RunProgress run={run} />}
      <Figures>
        <Figure label={columns.targets} value={show.number(counts.targets)} />
        <Figure label={columns.ok} value={show.number(counts.ok)} />
        <Figure
          label={columns.failed}
          value={show.number(counts.failed)}
          {...(counts.failed > 0 && { tone: "bad" })}
        />
        <Figure label={columns.skipped} value={show.number(counts.skipped)} />
        <Figure
          label={columns.trigger}
          value={texts.triggers[run.trigger]}
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
