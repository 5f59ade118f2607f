/**
 * The form that applies or discards a waiting file, and the effects of an applied file. Applying a
 * held file needs a reason, which is stored with the import. The effects are read again regularly,
 * because rules make proposals only some time after an import.
 */
import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { PRICES_REFUSED } from "../../../imports/files/hold_codes.ts";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useApp, useChange, useDocument } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import { CheckField, TextField } from "../../parts/form/fields.tsx";
import { useShowJob } from "./import_undo.tsx";
import { isHeld } from "../../parts/import/import_state.tsx";
import { addressOf, byPath, get, where } from "../../api/call.ts";
import { Figure, Figures, Section } from "../../parts/page.tsx";
import { THIN_PCT } from "../../parts/percentages.tsx";
import { useProductCount } from "../../parts/reads.ts";
import { ActionButton } from "../../parts/action_button.tsx";

interface ImportApplyProps {
  readonly job: ImportDocument;
  readonly excluded: ReadonlySet<string>;
}

export function ImportApply({ job, excluded }: ImportApplyProps) {
  const { words, show } = useApp();
  const texts = words.imports.job;
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
    touches: ["imports"],
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
    : (isAgainstHold ? texts.forceWithout : texts.applyWithout)(show.number(excluded.size));
  return (
    <form class="apply-bar flow framed" onSubmit={submit} noValidate>
      <WillApply job={job} isAgainstHold={isAgainstHold} />
      {job.error?.code === PRICES_REFUSED && (
        <CheckField
          name="allowsNoPrices"
          isOn={allowsNoPrices}
          onChange={setAllowsNoPrices}
          {...words.imports.withoutPrices}
        />
      )}
      <TextField
        name="reason"
        label={isAgainstHold ? words.priceEdit.reasonNeeded : words.priceEdit.reason}
        value={reason}
        onValue={setReason}
        isRequired={isAgainstHold}
        error={isMissing && reason.trim() === "" ? words.priceEdit.onlyReason : null}
      />
      <div class="form-actions">
        <DiscardButton job={job} />
        <Button kind={isAgainstHold ? "danger" : "main"} type="submit" isBusy={apply.isPending}>
          {label}
        </Button>
      </div>
    </form>
  );
}

interface WillApplyProps extends Pick<ImportApplyProps, "job"> {
  readonly isAgainstHold: boolean;
}

function WillApply({ job: { dryRun, removed, stats }, isAgainstHold }: WillApplyProps) {
  const { words: { imports: { job: texts } }, show } = useApp();
  const { inserted, updated, errors } = stats;
  return (
    <p>
      {dryRun && texts.willApply(show.number(inserted), show.number(updated))}{" "}
      {removed > 0 && texts.willRemove(show.number(removed))}{" "}
      {errors > 0 && texts.leftOut(show.number(errors))} {isAgainstHold && texts.applyText}
    </p>
  );
}

function DiscardButton({ job: { jobId } }: Pick<ImportApplyProps, "job">) {
  const texts = useApp().words.imports.job;
  return (
    <ActionButton
      ask={(api) => api.DELETE("/api/imports/{jobId}/upload", byPath({ jobId }))}
      touches={["imports"]}
      danger={{ title: texts.discardSure, text: texts.discardText, yes: texts.discard }}
    >
      {texts.discard}
    </ActionButton>
  );
}

const WATCH_MS = 60_000;

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

/** A larger count is shown with `≥`. */
const COUNTED_MAX = 200;

function Overtaken({ text, since }: Pick<EffectProps, "text" | "since">) {
  const { show } = useApp();
  const asked = { status: "superseded", decidedSince: since } as const;
  const { data: page } = useDocument(
    get("/api/proposals", where({ ...asked, order: "desc", limit: COUNTED_MAX })),
    { everyMs: WATCH_MS },
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
  const texts = Object.fromEntries(Object.entries(asked).map(([name, one]) => [name, String(one)]));
  return (
    <Figure
      label={text}
      value={count === null
        ? "–"
        : <a href={addressOf("/products", texts)}>{show.number(count)}</a>}
    />
  );
}
