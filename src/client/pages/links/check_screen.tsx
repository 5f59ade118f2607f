import { DocumentPending } from "../../parts/document_pending.tsx";
import { useRoute } from "preact-iso";
import { CHECK_OUTCOMES, type CheckOutcome } from "../../../scraping/link_checks/check_codes.ts";
import type { Wire } from "../../api/wire.ts";
import { useApp } from "../../app/app.ts";
import { useChange } from "../../app/use_change.ts";
import { useDocument } from "../../app/use_document.ts";
import { useList } from "../../app/use_list.ts";
import { Button } from "../../parts/button.tsx";
import { EmptyState } from "../../parts/empty_state.tsx";
import { FileLinks, filesOf } from "../../parts/file_links.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import { Progress } from "../../parts/progress.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { useFilter } from "../../parts/use_filter.ts";
import { CheckState, isInFlight } from "./check_state.tsx";
import { LINE_CARD_PX, useLineColumns } from "./line_columns.tsx";
import { meantBy, useAccepting } from "./use_accepting.ts";

type Check = Wire<"LinkCheck">;

const WATCH_MS = 2_000;
/** Of lines that are named one by one. */
const CORRECTED_MAX = 200;
const FILTERS = ["outcome"] as const;

/** One check: how far it is, its piles, and what becomes of their lines. */
export function CheckScreen() {
  const { params: { jobId = "" } } = useRoute();
  const { words } = useApp();
  const found = useDocument({
    key: ["linkChecks", jobId],
    read: (api) => api.GET("/api/link-checks/{jobId}", { params: { path: { jobId } } }),
    everyMs: (check) => check && isInFlight(check) ? WATCH_MS : false,
  });
  const back = { href: "/links", text: words.links.title };
  if (found.data) return <Found check={found.data} back={back} />;
  return (
    <DocumentPending
      title={words.links.title}
      back={back}
      error={found.error}
      onAgain={() => void found.refetch()}
    />
  );
}

interface FoundProps {
  readonly check: Check;
  readonly back: { readonly href: string; readonly text: string };
}

function Found({ check, back }: FoundProps) {
  const { words, show, may } = useApp();
  const texts = words.links;
  const filter = useFilter(FILTERS);
  const outcome = CHECK_OUTCOMES.find((one) => one === filter.values.outcome) ?? firstPile(check);
  const accepting = useAccepting(check.id);
  const cancel = useChange({
    run: (call) =>
      call((api) =>
        api.POST("/api/link-checks/{jobId}/cancel", { params: { path: { jobId: check.id } } })
      ),
    touches: ["linkChecks"],
  });
  const { sure } = check.open;
  return (
    <>
      <PageHead
        title={texts.check(show.dateTime(check.createdAt))}
        beside={<CheckState check={check} />}
        back={back}
      >
        {may("manager") && sure > 0 && (
          <Button
            kind="main"
            isBusy={accepting.isBusy}
            onClick={() => accepting.accept({ outcomes: ["sure"] })}
          >
            {texts.acceptSure(show.number(sure))}
          </Button>
        )}
        {may("manager") && isInFlight(check) && (
          <Button
            isBusy={cancel.isPending}
            onClick={() => cancel.mutate(undefined)}
          >
            {texts.cancel}
          </Button>
        )}
        <FileLinks {...filesOf(`/api/link-checks/${check.id}/lines`)} />
      </PageHead>
      {isInFlight(check) && <CheckProgress check={check} />}
      {check.counts.wrong > 0 && <NewShops check={check} accepting={accepting} />}
      <Piles check={check} chosen={outcome} onChoose={(one) => filter.set("outcome", one)} />
      <Lines check={check} outcome={outcome} accepting={accepting} />
    </>
  );
}

/** The first one that has something to decide, else the first that has something at all. */
function firstPile({ open, counts }: Check): CheckOutcome {
  if (open.sure > 0) return "sure";
  if (open.check > 0) return "check";
  return CHECK_OUTCOMES.find((outcome) => counts[outcome] > 0) ?? "sure";
}

function CheckProgress({ check: { lines, counts, etaAt } }: { check: Check }) {
  const { words, show } = useApp();
  const texts = words.links;
  const done = lines - counts.waiting;
  const leftMs = etaAt === null ? 0 : Date.parse(etaAt) - Date.now();
  const told = texts.progress(show.number(done), show.number(lines));
  const label = leftMs > 0 ? `${told} · ${texts.eta(show.duration(leftMs))}` : told;
  return <Progress done={done} total={lines} label={label} />;
}

/** Shops that lines wait for: created together. */
function NewShops({ check: { id, counts }, accepting }: Omit<LinesProps, "outcome">) {
  const { words, show, may } = useApp();
  const texts = words.links;
  const found = useDocument({
    key: ["linkChecks", id, "shops", counts.wrong],
    read: (api) => api.GET("/api/link-checks/{jobId}/shops", { params: { path: { jobId: id } } }),
  });
  const newShops = found.data?.shops ?? [];
  if (newShops.length === 0) return null;
  const named = newShops.map(({ domain, lines }) =>
    texts.newShop(domain, lines, show.number(lines))
  );
  return (
    <div class="note info">
      <strong>{texts.newShops}</strong>
      <p>{named.join(", ")}</p>
      {may("manager") && (
        <Button isDisabled={accepting.isBusy} onClick={accepting.makeShops}>
          {texts.makeShops(newShops.length, show.number(newShops.length))}
        </Button>
      )}
    </div>
  );
}

interface PilesProps {
  readonly check: Check;
  readonly chosen: CheckOutcome;
  onChoose(outcome: CheckOutcome): void;
}

function Piles({ check: { counts, open }, chosen, onChoose }: PilesProps) {
  const { words, show } = useApp();
  const texts = words.links;
  return (
    <ul class="piles" aria-label={texts.pilesLabel}>
      {CHECK_OUTCOMES.map((outcome) => (
        <li key={outcome}>
          <button
            type="button"
            class="pile"
            data-outcome={outcome}
            aria-pressed={outcome === chosen}
            onClick={() => onChoose(outcome)}
          >
            <span>{texts.piles[outcome]}</span>
            <strong>{show.number(counts[outcome])}</strong>
            {(outcome === "sure" || outcome === "check") && (
              <small>{texts.open(show.number(open[outcome]))}</small>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface LinesProps {
  readonly check: Check;
  readonly outcome: CheckOutcome;
  readonly accepting: ReturnType<typeof useAccepting>;
}

function Lines({ check, outcome, accepting }: LinesProps) {
  const { words, show, may } = useApp();
  const texts = words.links;
  const { id } = check;
  const list = useList<Wire<"LinkCheckLine">, object>({
    // More lines come as long as the check goes on.
    key: ["linkChecks", id, "lines", outcome, check.counts[outcome]],
    read: (api, page) =>
      api.GET("/api/link-checks/{jobId}/lines", {
        params: { path: { jobId: id }, query: { outcome, ...page } },
      }),
    isStill: true,
  });
  const meant = list.rows.flatMap((line) => meantBy(line) ?? []).slice(0, CORRECTED_MAX);
  return (
    <>
      {may("manager") && meant.length > 1 && (
        <p>
          <Button isDisabled={accepting.isBusy} onClick={() => accepting.correct(meant)}>
            {texts.takeAll(show.number(meant.length))}
          </Button>
        </p>
      )}
      <DataTable
        label={texts.piles[outcome]}
        columns={useLineColumns(accepting)}
        list={list}
        density="tall"
        cardPx={LINE_CARD_PX}
        idOf={({ line }) => String(line)}
        total={check.counts[outcome]}
        empty={<EmptyState icon="check" title={texts.emptyTitle} text={texts.emptyText} />}
      />
    </>
  );
}
