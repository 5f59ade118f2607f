import { useQueryClient } from "@tanstack/preact-query";
import type { TargetedSubmitEvent } from "preact";
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { PRICES_REFUSED } from "../../../imports/files/hold_codes.ts";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useChange } from "../../app/use_change.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { CheckField, TextField } from "../../parts/form/fields.tsx";
import { isHeld } from "../../parts/import/import_state.tsx";

interface ImportApplyProps {
  readonly job: ImportDocument;
  /** SKUs that are left out when it is applied. */
  readonly excluded: ReadonlySet<string>;
}

/**
 * The decision about a rehearsed or held file: apply it, with a reason where it is held, or discard
 * it.
 */
export function ImportApply({ job, excluded }: ImportApplyProps) {
  const { words, questions, show } = useApp();
  const texts = words.imports.job;
  const { route } = useLocation();
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const [allowsNoPrices, setAllowsNoPrices] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const isAgainstHold = isHeld(job) || job.hold?.held === true;
  const apply = useChange({
    run: (call) =>
      call((api) =>
        api.POST("/api/imports/{jobId}/apply", {
          params: {
            path: { jobId: job.jobId },
            header: { Prefer: "respond-async" },
          },
          body: {
            force: isAgainstHold,
            allowNoPrices: allowsNoPrices,
            exclude: [...excluded],
            reason: reason.trim(),
          },
        })
      ),
    touches: ["imports"],
    onDone: (applied) => {
      client.setQueryData(["imports", applied.jobId], applied);
      route(`/imports/${applied.jobId}`);
    },
  });
  const discard = useChange({
    run: (call) =>
      call((api) =>
        api.DELETE("/api/imports/{jobId}/upload", { params: { path: { jobId: job.jobId } } })
      ),
    touches: ["imports"],
  });
  const askToDiscard = async () => {
    const question = { title: texts.discardSure, text: texts.discardText, yes: texts.discard };
    if (await questions.ask({ ...question, isDangerous: true })) discard.mutate(undefined);
  };
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const lacksReason = isAgainstHold && reason.trim() === "";
    setMissing(lacksReason);
    if (lacksReason) event.currentTarget.querySelector("input")?.focus();
    else apply.mutate(undefined);
  };
  const { removed, stats: { inserted, updated, errors } } = job;
  const count = show.number(excluded.size);
  const names = isAgainstHold
    ? { all: texts.applyForce, without: texts.forceWithout }
    : { all: texts.apply, without: texts.applyWithout };
  return (
    <form class="apply-bar" onSubmit={submit} noValidate>
      <p>
        {job.dryRun && texts.willApply(show.number(inserted), show.number(updated))}{" "}
        {removed > 0 && texts.willRemove(show.number(removed), removed)}{" "}
        {errors > 0 && texts.leftOut(show.number(errors), errors)}{" "}
        {isAgainstHold && texts.applyText}
      </p>
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
        <Button isBusy={discard.isPending} onClick={() => void askToDiscard()}>
          {texts.discard}
        </Button>
        <Button kind={isAgainstHold ? "danger" : "main"} type="submit" isBusy={apply.isPending}>
          {excluded.size === 0 ? names.all : names.without(count, excluded.size)}
        </Button>
      </div>
    </form>
  );
}
