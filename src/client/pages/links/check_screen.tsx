/**
 * Shows a link check, which tests for each line (a SKU or GTIN and a URL) whether the page shows
 * the product. A manager accepts a line as a link, drops it, or corrects its SKU.
 */
import { isUnderWay, useJob } from "../../parts/shared_queries.ts";
import {
  DocumentPending,
  EmptyState,
  FileLinks,
  filesOf,
  PageHead,
  Progress,
} from "../../parts/page.tsx";
import { useLocation, useRoute } from "preact-iso";
import {
  CHECK_OUTCOMES,
  type CheckOutcome,
  LINE_ERRORS,
} from "../../../scraping/link_checks/check_codes.ts";
import { byPath, get, type Wire } from "../../api/call.ts";
import { useApp, useChange, useDocument, useList } from "../../app/app.ts";
import { Badge, Button, JOB_TONES, SafeLink } from "../../parts/controls.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { useFilter } from "../../parts/filter.tsx";
import {
  identityReasonText,
  variantText,
  verdictWords,
} from "../../../engine/wording/page_words.ts";
import { scrapeErrorText } from "../../parts/shop/read_again.tsx";
import { type Column, column } from "../../parts/table/table.tsx";
import { ActionButton } from "../../parts/action_button.tsx";

type Check = Wire<"LinkCheck">;

const WATCH_MS = 2_000;
const LINES_PER_REQUEST = 200;

export function CheckScreen() {
  const { params: { jobId = "" } } = useRoute();
  const { words } = useApp();
  const found = useJob(get("/api/link-checks/{jobId}", byPath({ jobId })), WATCH_MS);
  const back = { href: "/links", text: words.links.title };
  if (found.data) return <Found check={found.data} back={back} />;
  return <DocumentPending title={words.links.title} back={back} of={found} />;
}

function Found(
  { check, back }: { check: Check; back: { readonly href: string; readonly text: string } },
) {
  const { words: { links: texts }, show, may } = useApp();
  const filter = useFilter(["outcome"]);
  const outcome = CHECK_OUTCOMES.find((one) => one === filter.values.outcome) ?? firstPile(check);
  const accepting = useAccepting(check.id);
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
            {texts.acceptSure(sure)}
          </Button>
        )}
        {may("manager") && isUnderWay(check) && (
          <ActionButton
            ask={(api) => api.POST("/api/link-checks/{jobId}/cancel", byPath({ jobId: check.id }))}
          >
            {texts.cancel}
          </ActionButton>
        )}
        <FileLinks {...filesOf(`/api/link-checks/${check.id}/lines`)} />
      </PageHead>
      {isUnderWay(check) && <CheckProgress check={check} />}
      {check.counts.wrong > 0 && <NewShops check={check} accepting={accepting} />}
      <Piles check={check} chosen={outcome} onChoose={(one) => filter.set("outcome", one)} />
      <Lines check={check} outcome={outcome} accepting={accepting} />
    </>
  );
}

function firstPile({ open, counts }: Check): CheckOutcome {
  if (open.sure > 0) return "sure";
  if (open.check > 0) return "check";
  return CHECK_OUTCOMES.find((outcome) => counts[outcome] > 0) ?? "sure";
}

function CheckProgress({ check: { lines, counts, etaAt } }: { check: Check }) {
  const { words: { links: texts }, show } = useApp();
  const done = lines - counts.waiting;
  const leftMs = etaAt === null ? 0 : Date.parse(etaAt) - Date.now();
  const progress = texts.progress(done, lines);
  const label = leftMs > 0 ? `${progress} · ${texts.eta(show.duration(leftMs))}` : progress;
  return <Progress done={done} total={lines} label={label} />;
}

function NewShops({ check: { id, counts }, accepting }: Omit<LinesProps, "outcome">) {
  const { words: { links: texts }, may } = useApp();
  const found = useDocument(get("/api/link-checks/{jobId}/shops", byPath({ jobId: id })), {
    version: counts.wrong,
  });
  const newShops = found.data?.shops ?? [];
  if (newShops.length === 0) return null;
  const named = newShops.map(({ domain, lines }) => texts.newShop(domain, lines));
  return (
    <div class="note info">
      <strong>{texts.newShops}</strong>
      <p>{named.join(", ")}</p>
      {may("manager") && (
        <Button isDisabled={accepting.isBusy} onClick={accepting.makeShops}>
          {texts.makeShops(newShops.length)}
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

const TONES = { sure: "good", check: "warn", wrong: "bad", failed: "bad" } as const;

function Piles({ check: { counts, open }, chosen, onChoose }: PilesProps) {
  const { words: { links: texts, codes, proposals }, show } = useApp();
  return (
    <ul class="piles" aria-label={texts.pilesLabel}>
      {CHECK_OUTCOMES.map((outcome) => (
        <li key={outcome}>
          <button
            type="button"
            class={`pile choice framed ${TONES[outcome]}`}
            aria-pressed={outcome === chosen}
            onClick={() => onChoose(outcome)}
          >
            <span>{codes.checkOutcomes[outcome]}</span>
            <strong>{show.number(counts[outcome])}</strong>
            {(outcome === "sure" || outcome === "check") && (
              <small class="wide">{proposals.open(open[outcome])}</small>
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
  const { words: { links: texts, codes }, may } = useApp();
  const { id } = check;
  const list = useList<Line, object>(
    (page) => get("/api/link-checks/{jobId}/lines", byPath({ jobId: id }, { outcome, ...page })),
    { isStill: true, version: check.counts[outcome] },
  );
  const meant = list.rows.flatMap((line) => meantBy(line) ?? []).slice(0, LINES_PER_REQUEST);
  return (
    <>
      {may("manager") && meant.length > 1 && (
        <p>
          <Button isDisabled={accepting.isBusy} onClick={() => accepting.correct(meant)}>
            {texts.takeAll(meant.length)}
          </Button>
        </p>
      )}
      <DataTable
        label={codes.checkOutcomes[outcome]}
        columns={useLineColumns(accepting)}
        list={list}
        density="tall"
        idOf={({ line }) => String(line)}
        total={check.counts[outcome]}
        empty={<EmptyState icon="check" title={texts.emptyTitle} text={texts.emptyText} />}
      />
    </>
  );
}

type Line = Wire<"LinkCheckLine">;

const REASONS_SHOWN = 2;

function useLineColumns(accepting: ReturnType<typeof useAccepting>): readonly Column<Line>[] {
  const { words: { links: texts, fields }, language } = useApp();
  return [
    column("product", fields.productId, 200).cell(({ line, sku, gtin, productId, title }) => (
      <span class="pair">
        <span>
          {productId
            ? <a href={`/products/${productId}`}>{sku ?? gtin}</a>
            : sku ?? gtin ?? texts.line(line)}
        </span>
        <small>{title ?? texts.line(line)}</small>
      </span>
    )),
    column("page", fields.pageStatus, 240).cell(({ url, page, competitor }) => (
      <span class="pair">
        <SafeLink url={url}>{page?.title ?? url}</SafeLink>
        <small>
          {[competitor, page?.variant && variantText(page.variant, language.value)]
            .filter((part) => part).join(" · ")}
        </small>
      </span>
    )),
    column("says", fields.verdict, 270).cell((line) => <Finding line={line} />),
    column("price", fields.price, 100).money(({ price, currency }) => [price, currency]),
    column("decision", texts.columns.action, 220).cell((line) => (
      <Decision line={line} accepting={accepting} />
    )),
  ];
}

function Finding({ line }: { line: Line }) {
  const { words, audience: { language } } = useApp();
  const { verdict, reasons, errorCode } = line;
  if (verdict === null) {
    const validationError = LINE_ERRORS.find((one) => one === errorCode);
    const reason = validationError
      ? words.codes.lineFaults[validationError]
      : scrapeErrorText(words, errorCode);
    const near = line.nearSkus.join(", ");
    return (
      <span class="finding stack gap-2">
        {reason}
        {near !== "" && <small>{words.priceEdit.meant(near)}</small>}
      </span>
    );
  }
  return (
    <span class="finding stack gap-2">
      <strong>{verdictWords(language)[verdict]}</strong>
      {reasons.slice(0, REASONS_SHOWN).map((reason) => (
        <small key={reason.code}>{identityReasonText(reason, language)}</small>
      ))}
    </span>
  );
}

function Decision(
  { line: checked, accepting }: { line: Line; accepting: ReturnType<typeof useAccepting> },
) {
  const { line, outcome, status, nearSkus } = checked;
  const { words: { links: texts, codes }, may } = useApp();
  if (status === "linked" || status === "existing") {
    return <Badge tone="good">{codes.lineStatuses[status]}</Badge>;
  }
  const isOpen = status === "open";
  if (!may("manager")) return <span>{codes.lineStatuses[status]}</span>;
  return (
    <span class="line-actions flow gap-6">
      {isOpen && (outcome === "sure" || outcome === "check") && (
        <Button
          isDisabled={accepting.isBusy}
          label={texts.acceptFull(line)}
          onClick={() => accepting.accept({ lines: [line] })}
        >
          {texts.accept}
        </Button>
      )}
      {isOpen && nearSkus.map((sku) => (
        <Button
          key={sku}
          isDisabled={accepting.isBusy}
          label={texts.takeFull(line, sku)}
          onClick={() => accepting.correct([{ line: checked, sku }])}
        >
          {nearSkus.length === 1 ? texts.take : sku}
        </Button>
      ))}
      <Button
        kind="quiet"
        isDisabled={accepting.isBusy}
        label={isOpen ? texts.dropFull(line) : texts.takeBackFull(line)}
        onClick={() => accepting.drop(line, isOpen)}
      >
        {isOpen ? texts.drop : texts.takeBack}
      </Button>
    </span>
  );
}

const TOUCHED = ["link-checks", "matches", "products", "competitors", "overview"] as const;

interface MeantLine {
  readonly line: Line;
  readonly sku: string;
}

function meantBy(line: Line): MeantLine | null {
  const [sku, second] = line.nearSkus;
  return line.status === "open" && sku !== undefined && second === undefined ? { line, sku } : null;
}

function useAccepting(jobId: string) {
  const { words: { links: texts, review }, toasts } = useApp();
  const { route } = useLocation();
  const accept = useChange({
    ask: (api, body: Wire<"AcceptLinkLines">) =>
      api.POST("/api/link-checks/{jobId}/accept", { ...byPath({ jobId }), body }),
    touches: TOUCHED,
    onDone: ({ status, linked, refused }) => {
      const parts = [review.sureToast(linked)];
      if (refused > 0) parts.push(texts.refusedToast(refused));
      if (isUnderWay({ status })) parts.push(texts.goesOnToast);
      toasts.tell(`${parts.join(". ")}.`);
    },
  });
  const drop = useChange({
    ask: (api, body: Wire<"DropLinkLines">) =>
      api.POST("/api/link-checks/{jobId}/drop", { ...byPath({ jobId }), body }),
  });
  const correct = useChange({
    run: async (call, meant: readonly MeantLine[]) => {
      const lines = meant.map(({ sku, line: { url, packFactor } }) =>
        packFactor === null ? { sku, url } : { sku, url, packFactor }
      );
      const begun = await call((api) => api.POST("/api/link-checks", { body: { lines } }));
      const body = { lines: meant.map(({ line }) => line.line), dropped: true };
      await call((api) =>
        api.POST("/api/link-checks/{jobId}/drop", { ...byPath({ jobId }), body })
      );
      return begun;
    },
    touches: ["link-checks"],
    onDone: (begun) => route(`/links/${begun.jobId}`),
  });
  const shops = useChange({
    ask: (api) => api.POST("/api/link-checks/{jobId}/shops", { ...byPath({ jobId }), body: {} }),
    touches: TOUCHED,
    onDone: (begun) => route(`/links/${begun.jobId}`),
  });
  return {
    isBusy: accept.isPending || drop.isPending || correct.isPending || shops.isPending,
    makeShops: () => shops.mutate(undefined),
    correct: (meant: readonly MeantLine[]) => correct.mutate(meant),
    accept: (body: Wire<"AcceptLinkLines">) => accept.mutate(body),
    drop: (line: number, dropped: boolean) => drop.mutate({ lines: [line], dropped }),
  };
}

export function CheckState({ check }: { check: Pick<Check, "status"> }) {
  const { words } = useApp();
  return <Badge tone={JOB_TONES[check.status]}>{words.codes.jobStates[check.status]}</Badge>;
}
