/**
 * A person marks where a page prints its price. Before saving, the service looks for the price at
 * this place on other pages of the shop. If a page has no price or a wrong price there, the button
 * to save has a warning colour.
 */
import { objectionText } from "../../../engine/wording/page_words.ts";
import type { Preview } from "../../../scraping/teaching/preview_page.ts";
import { get, where, type Wire } from "../../api/call.ts";
import { useApp, useChange, useDocument } from "../../app/app.ts";
import { useKeys } from "../../parts/hooks.ts";
import { Badge, Button, Dialog, SafeLink, type Tone } from "../../parts/controls.tsx";
import { ErrorNote, Loading, Pending } from "../../parts/page.tsx";
import {
  type FailingGroup,
  scrapeErrorText,
  type ShopRetry,
  useMethodNames,
} from "../../parts/shop/read_again.tsx";
import { useNoPrice } from "./affected_pages.tsx";
import { useState } from "preact/hooks";
import { column, SimpleTable } from "../../parts/table/table.tsx";

interface TeachDialogProps {
  readonly group: FailingGroup;
  readonly retry: ShopRetry;
  onClose(): void;
}

export function TeachDialog({ group, retry, onClose }: TeachDialogProps) {
  const { words: { repairs: { teach: texts }, cancel } } = useApp();
  const { trying, saving } = useTeaching(group, () => {
    onClose();
    retry.start(group.cause);
  });
  const teaching = trying.data;
  const isGood = teaching?.verdict === "same" || teaching?.verdict === "plausible";
  const count = group.pages;
  return (
    <Dialog
      kind="wide"
      title={texts.title(group.competitor)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          {teaching && (
            <Button
              kind={isGood ? "main" : "danger"}
              isBusy={saving.isPending}
              onClick={() => saving.mutate({ token: teaching.token, force: !isGood })}
            >
              {isGood ? texts.save(count) : texts.force(count)}
            </Button>
          )}
        </>
      }
    >
      <div class="teach">
        <ShownPage group={group} trying={trying} />
        <section class="teach-trials stack gap-12" aria-live="polite">
          <h3>{texts.chosen}</h3>
          {trying.isPending
            ? <Loading label={texts.trying} />
            : trying.error
            ? <ErrorNote error={trying.error} />
            : teaching
            ? <TeachTrials teaching={teaching} />
            : <p class="soft">{texts.choose}</p>}
          {saving.error && <ErrorNote error={saving.error} />}
        </section>
      </div>
    </Dialog>
  );
}

function useTeaching({ competitorId: id }: FailingGroup, onSaved: () => void) {
  const { words, toasts } = useApp();
  const params = { path: { id } };
  const trying = useChange({
    ask: (api, body: { readonly url: string; readonly candidateId: string }) =>
      api.POST("/api/competitors/{id}/recipe/teach", { params, body }),
    touches: [],
    showsError: true,
  });
  const saving = useChange({
    ask: (api, { token, force }: { readonly token: string; readonly force: boolean }) =>
      api.PUT("/api/competitors/{id}/recipe", { params, body: { token, force } }),
    showsError: true,
    onDone: () => {
      toasts.tell(words.repairs.teach.saved);
      onSaved();
    },
  });
  return { trying, saving };
}

type Trying = ReturnType<typeof useTeaching>["trying"];

interface ShownPageProps extends Pick<TeachDialogProps, "group"> {
  readonly trying: Trying;
}

function ShownPage({ group: { competitorId, cause }, trying }: ShownPageProps) {
  const texts = useApp().words.repairs.teach;
  const [at, setAt] = useState(0);
  const query = { competitorId, cause, limit: 3 };
  const found = useDocument(get("/api/repairs/pages", where(query)));
  const rows = found.data?.items ?? [];
  const shown = Math.min(at, rows.length - 1);
  const page = rows[shown];
  const noPrice = useNoPrice();
  const turn = (step: number) => {
    if (rows[shown + step] === undefined) return;
    setAt(shown + step);
    trying.reset();
  };
  useKeys({ ArrowLeft: () => turn(-1), ArrowRight: () => turn(1) }, "dialog");
  const pending = (found.error || found.isPending) && <Pending of={found} />;
  if (page === undefined) return <section class="teach-page stack gap-12">{pending}</section>;
  const step = (by: number, icon: "left" | "right", label: string) => (
    <Button
      icon={icon}
      label={label}
      isDisabled={rows[shown + by] === undefined}
      onClick={() => turn(by)}
    />
  );
  return (
    <section class="teach-page stack gap-12">
      {pending}
      <header class="row flow spread gap-12 rows-8">
        <p class="soft">{texts.hint}</p>
        <div class="row gap-8 nowrap">
          <span>{texts.pageOf(shown + 1, rows.length)}</span>
          {step(-1, "left", texts.before)}
          {step(1, "right", texts.after)}
        </div>
      </header>
      <PageCandidates key={page.id} page={page} trying={trying} />
      <p>
        <Button
          isBusy={noPrice.isPending}
          onClick={() => {
            trying.reset();
            noPrice.mutate({ pages: [page.id], name: page.sku });
          }}
        >
          {texts.none}
        </Button>
      </p>
    </section>
  );
}

interface TryProps {
  readonly page: Wire<"RepairPage">;
  readonly trying: Trying;
}

function PageCandidates({ page, trying }: TryProps) {
  const { words, show, usesKeys } = useApp();
  const texts = words.repairs.teach;
  const named = useMethodNames();
  const whyNot = useWhyNot();
  const { url } = page;
  const found = useDocument((api) =>
    api.POST("/api/competitor-products/preview", { body: { url } })
  );
  const preview = found.data;
  const candidates = preview?.candidates ?? [];
  const chosenId = trying.variables?.candidateId;
  const choose = (candidateId: string) => () =>
    trying.isPending || trying.mutate({ url, candidateId });
  useKeys(
    Object.fromEntries(candidates.map(({ id }, at) => [String(at + 1), choose(id)])),
    "dialog",
  );
  return (
    <div class="page-sketch stack gap-10">
      <p class="page-address">
        <SafeLink url={url} />
      </p>
      <h3>{preview?.page?.title ?? page.title}</h3>
      {found.isPending && <Loading label={texts.reading} />}
      {found.error && <ErrorNote error={found.error} onAgain={() => void found.refetch()} />}
      {preview && preview.candidates.length === 0 && (
        <p class="note warn">
          {preview.errorCode === null || preview.errorCode === "no_price"
            ? texts.noneFound
            : scrapeErrorText(words, preview.errorCode)}
        </p>
      )}
      {preview && preview.candidates.length > 0 && (
        <ul class="candidates stack gap-4" aria-label={texts.found}>
          {candidates.map((candidate, at) => (
            <li key={candidate.id}>
              <button
                type="button"
                class="candidate choice flow gap-14 rows-4"
                aria-pressed={candidate.id === chosenId}
                disabled={trying.isPending}
                onClick={choose(candidate.id)}
              >
                <strong>{show.money(candidate.amount, candidate.currency)}</strong>
                <span class="soft">{candidate.text ?? texts.foundBy(named(candidate.source))}</span>
                {usesKeys.value && <kbd aria-hidden="true">{at + 1}</kbd>}
                <small class="why-not">{whyNot(candidate, preview)}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      {usesKeys.value && candidates.length > 0 && (
        <p class="soft small wide-only">{texts.keys(Math.min(9, candidates.length))}</p>
      )}
    </div>
  );
}

function useWhyNot(): (candidate: Preview["candidates"][number], preview: Preview) => string {
  const { words: { repairs: { teach: { whyNot: texts } }, codes }, language } = useApp();
  return (candidate, { price, currency, pageStatus, errorCode, candidates }) => {
    const { amount, source, score } = candidate;
    if (amount === price && candidate.currency === currency) return texts.taken;
    const features = candidates.filter((one) => one.amount === amount)
      .flatMap((one) => one === candidate || score === null ? one.features : []);
    const objection = objectionText(features, language.value);
    if (objection !== null) return objection;
    if (pageStatus !== null && pageStatus !== "priced" && pageStatus !== "unread") {
      return codes.pageStatuses[pageStatus];
    }
    if (errorCode === "ambiguous_price") return texts.equal;
    return source === "shown" ? texts.weak : texts.disagrees;
  };
}

type Trial = Wire<"RecipeTrial">;

const TONES: Readonly<Record<Trial["verdict"], Tone>> = {
  same: "good",
  plausible: "good",
  differs: "bad",
  nothing: "warn",
};

function TeachTrials({ teaching }: { teaching: Wire<"RecipeTeaching"> }) {
  const { words: { repairs: { teach: texts }, fields }, show } = useApp();
  const { selectors, tests, verdict } = teaching;
  const isGood = verdict === "same" || verdict === "plausible";
  return (
    <>
      {selectors[0] !== undefined && (
        <p>
          <code>{selectors[0]}</code>
        </p>
      )}
      <h3>{texts.tests(tests.length)}</h3>
      <SimpleTable
        label={texts.tests(tests.length)}
        rows={tests}
        columns={[
          column("page", fields.pageStatus, 150).cell<Trial>((one) => <Tried trial={one} />),
          column("was", texts.columns.was, 80).money<Trial>((
            { wasPrice, currency },
          ) => [wasPrice, currency]),
          column("now", texts.columns.now, 90).number<Trial>(({ price, currency }) => (
            <strong>{show.money(price, currency)}</strong>
          )),
          column("verdict", fields.outcome, 100).cell<Trial>((one) => (
            <Badge tone={TONES[one.verdict]}>{texts.verdicts[one.verdict]}</Badge>
          )),
        ]}
      />
      <p class={isGood ? "note info" : "note warn"}>{isGood ? texts.good : texts.bad}</p>
    </>
  );
}

function Tried({ trial }: { trial: Trial }) {
  const { words, show } = useApp();
  const texts = words.repairs.teach;
  const named = useMethodNames();
  const { title, url, text, price, otherwise, errorCode } = trial;
  const isFallback = price === null && otherwise !== null;
  return (
    <>
      {title ?? url}
      {text !== null && <small class="exact">{texts.text(text)}</small>}
      {otherwise && (
        <small class="exact">
          {(isFallback ? texts.fallback : texts.other)(
            named(otherwise.method),
            show.money(otherwise.price, otherwise.currency),
          )}
        </small>
      )}
      {price === null && otherwise === null && errorCode !== null && (
        <small class="exact">{scrapeErrorText(words, errorCode)}</small>
      )}
    </>
  );
}
