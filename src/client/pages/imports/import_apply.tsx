/**
 * Buttons that apply or discard a checked file or undo an import, and figures about the effect. A
 * file that was stopped for changing too much can be applied only with a reason, which is stored.
 */
import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { PRICES_REFUSED } from "../../../imports/choices.ts";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { keyOf, useApp, useChange, useDocument } from "../../app/app.ts";
import { Button, Icon } from "../../parts/controls.tsx";
import { CheckField, TextField } from "../../parts/form/fields.tsx";
import { isHeld } from "../../parts/import/import_state.tsx";
import { addressOf, byPath, get, PAGE_SIZE_MAX, where } from "../../api/call.ts";
import { Figure, Figures, Section } from "../../parts/page.tsx";
import { THIN_PCT } from "../../parts/price_figures.tsx";
import { useProductCount } from "../../parts/shared_queries.ts";
import { ActionButton } from "../../parts/action_button.tsx";
import { useQueryClient } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import { shortDay } from "../../formats/day.ts";

export function ImportApply(
  { job, excluded }: { job: ImportDocument; excluded: ReadonlySet<string> },
) {
  const { words: { imports, fields, priceEdit } } = useApp();
  const texts = imports.job;
  const [reason, setReason] = useState("");
  const [allowsNoPrices, setAllowsNoPrices] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const isAgainstHold = isHeld(job) || job.hold?.held === true;
  const apply = useChange({
    ask: (api) =>
      api.POST("/api/imports/{jobId}/apply", {
        params: { path: { jobId: job.jobId }, header: { Prefer: "respond-async" } },
        body: {
          force: isAgainstHold,
          allowNoPrices: allowsNoPrices,
          exclude: [...excluded],
          reason: reason.trim(),
        },
      }),
    onDone: useShowJob(),
  });
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const lacksReason = isAgainstHold && reason.trim() === "";
    setMissing(lacksReason);
    if (lacksReason) event.currentTarget.querySelector("input")?.focus();
    else apply.mutate(undefined);
  };
  const label = excluded.size === 0
    ? isAgainstHold ? texts.applyForce : texts.apply
    : (isAgainstHold ? texts.forceWithout : texts.applyWithout)(excluded.size);
  return (
    <form class="apply-bar flow framed" onSubmit={submit} noValidate>
      <WillApply job={job} isAgainstHold={isAgainstHold} />
      {job.error?.code === PRICES_REFUSED && (
        <CheckField
          name="allowsNoPrices"
          isOn={allowsNoPrices}
          onChange={setAllowsNoPrices}
          {...imports.withoutPrices}
        />
      )}
      <TextField
        name="reason"
        label={isAgainstHold ? priceEdit.reasonNeeded : fields.reason}
        value={reason}
        onValue={setReason}
        isRequired={isAgainstHold}
        error={isMissing && reason.trim() === "" ? priceEdit.onlyReason : null}
      />
      <div class="form-actions row flow gap-8">
        <DiscardButton jobId={job.jobId} />
        <Button kind={isAgainstHold ? "danger" : "main"} type="submit" isBusy={apply.isPending}>
          {label}
        </Button>
      </div>
    </form>
  );
}

function DiscardButton({ jobId }: Pick<ImportDocument, "jobId">) {
  const { discard, discardSure: title, discardText: text } = useApp().words.imports.job;
  return (
    <ActionButton
      ask={(api) => api.DELETE("/api/imports/{jobId}/upload", byPath({ jobId }))}
      danger={{ title, text, yes: discard }}
    >
      {discard}
    </ActionButton>
  );
}

function WillApply({ job, isAgainstHold }: { job: ImportDocument; isAgainstHold: boolean }) {
  const texts = useApp().words.imports.job;
  const { dryRun, removed, stats: { inserted, updated, errors } } = job;
  return (
    <p>
      {dryRun && texts.willApply(inserted, updated)} {removed > 0 && texts.willRemove(removed)}{" "}
      {errors > 0 && texts.leftOut(errors)} {isAgainstHold && texts.applyText}
    </p>
  );
}

export function ImportEffects({ job }: { job: ImportDocument }) {
  const { words: { imports: { job: { effects } } }, show } = useApp();
  const since = job.startedAt;
  if (since === null) return null;
  return (
    <Section title={effects.title} note={effects.note}>
      <Figures>
        <Effect text={effects.changed} since={since} />
        <Effect text={effects.proposals} since={since} query={{ hasProposal: true }} />
        <Overtaken text={effects.overtaken} since={since} />
        <Effect text={effects.cheapest} since={since} query={{ position: "cheapest" }} />
        <Effect
          text={effects.thin(show.percent(THIN_PCT))}
          since={since}
          query={{ marginBelowPct: THIN_PCT }}
        />
        <Effect text={effects.unlinked} since={since} query={{ state: "no_links" }} />
      </Figures>
    </Section>
  );
}

function Overtaken({ text, since }: Pick<EffectProps, "text" | "since">) {
  const { show } = useApp();
  const asked = { status: "superseded", decidedSince: since } as const;
  const { data: page } = useDocument(
    get("/api/proposals", where({ ...asked, order: "desc", limit: PAGE_SIZE_MAX })),
    { everyMs: 60_000 },
  );
  if (page?.count === 0) return null;
  const count = page && `${page.nextCursor === null ? "" : "≥ "}${show.number(page.count)}`;
  return (
    <Figure
      label={text}
      value={count ? <a href={addressOf("/proposals", asked)}>{count}</a> : "–"}
    />
  );
}

interface EffectProps {
  readonly text: string;
  readonly since: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
}

function Effect({ text, since, query = {} }: EffectProps) {
  const { show } = useApp();
  const asked = { updatedSince: since, ...query };
  const count = useProductCount(asked);
  if (count === 0 && Object.keys(query).length > 0) return null;
  return (
    <Figure
      label={text}
      value={count === null
        ? "–"
        : <a href={addressOf("/products", asked)}>{show.number(count)}</a>}
    />
  );
}

interface UndoRequest {
  readonly jobId: string;
  readonly dryRun?: true;
  readonly pause?: boolean;
  readonly reason?: string;
}

function useShowJob(): (job: ImportDocument) => void {
  const { route } = useLocation();
  const client = useQueryClient();
  return (job) => {
    const { jobId } = job;
    client.setQueryData(keyOf(get("/api/imports/{jobId}", byPath({ jobId }))), job);
    route(`/imports/${jobId}`);
  };
}

/**
 * On an import's page, the button starts a dry run of the undo. On the page of this dry run, the
 * button undoes the import.
 */
export function UndoAction({ job }: { job: ImportDocument }) {
  const { words: { imports: { job: { undo: texts } } }, show } = useApp();
  const undo = useChange({
    ask: (api, { jobId, ...query }: UndoRequest) =>
      api.POST("/api/imports/{jobId}/undo", {
        params: { path: { jobId }, query, header: { Prefer: "respond-async" } },
      }),
    touches: ["imports", "import-sources"],
    onDone: useShowJob(),
  });
  const { undoes, dryRun, status, jobId, undoableUntil, pausesSource } = job;
  if (undoes !== null) {
    return (
      <>
        <a class="button" href={`/imports/${undoes}`}>{texts.ofImport}</a>
        {dryRun && status === "succeeded" && (
          <UndoForm
            pausesSource={pausesSource}
            isBusy={undo.isPending}
            onUndo={(terms) => undo.mutate({ jobId: undoes, ...terms })}
          />
        )}
      </>
    );
  }
  if (undoableUntil === null) return null;
  return (
    <Button isBusy={undo.isPending} onClick={() => undo.mutate({ jobId, dryRun: true })}>
      <Icon name="undo" />
      {texts.until(shortDay(show, undoableUntil))}
    </Button>
  );
}

interface UndoFormProps extends Pick<ImportDocument, "pausesSource"> {
  readonly isBusy: boolean;
  onUndo(terms: { readonly pause: boolean; readonly reason: string }): void;
}

function UndoForm({ pausesSource, isBusy, onUndo }: UndoFormProps) {
  const { words: { imports: { job: { undo: texts } }, fields } } = useApp();
  const [goesOn, setGoesOn] = useState<boolean | null>(null);
  const [reason, setReason] = useState("");
  const willGoOn = goesOn ?? !pausesSource;
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={willGoOn}
          onChange={({ currentTarget }) => setGoesOn(currentTarget.checked)}
        />
        {texts.goesOn}
      </label>
      <TextField
        name="reason"
        label={fields.reason}
        hint={texts.reasonHint}
        value={reason}
        onValue={setReason}
      />
      <Button
        kind="main"
        isBusy={isBusy}
        onClick={() => onUndo({ pause: !willGoOn, reason: reason.trim() })}
      >
        {texts.now}
      </Button>
    </>
  );
}

export function UndoneNote({ job: { undoneBy } }: { job: ImportDocument }) {
  const texts = useApp().words.imports.job.undo;
  if (undoneBy === null) return null;
  return (
    <p class="note info">
      {texts.undone} <a href={`/imports/${undoneBy}`}>{texts.toUndo}</a>
    </p>
  );
}

export function UndoFigures({ undone }: { undone: NonNullable<ImportDocument["undone"]> }) {
  const { words: { imports: { job: { undo: { stats } } }, fields } } = useApp();
  const names = ["setBack", "prices", "deleted", "restored", "links"] as const;
  return (
    <Figures>
      {names.map((name) => <Figure key={name} label={stats[name]} value={undone[name]} />)}
      {undone.soldDays > 0 && <Figure label={fields.soldDays} value={undone.soldDays} />}
      <Figure label={stats.kept} value={undone.kept} tone={undone.kept > 0 && "warn"} />
    </Figures>
  );
}

export function ImportSteps({ now }: { now: number }) {
  const { steps, stepsLabel } = useApp().words.imports.new;
  return (
    <ol class="import-steps flow soft fine" aria-label={stepsLabel}>
      {steps.map((step, at) => (
        <li
          key={step}
          class={at < now ? "done" : undefined}
          aria-current={at === now ? "step" : undefined}
        >
          {step}
        </li>
      ))}
    </ol>
  );
}
