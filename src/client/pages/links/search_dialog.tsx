import { useQueryClient } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { DISCOVERY_MODES } from "../../../shops/discovery/discovery_choices.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { CheckField, SelectField, TextField } from "../../parts/form/fields.tsx";

interface DialogProps {
  readonly shops: readonly { readonly competitorId: string; readonly competitor: string }[];
  onClose(): void;
}

const MODES = DISCOVERY_MODES.filter((mode) => mode !== "off");

/** Searches several shops at once: their other settings stay as they are. */
export function SearchDialog({ shops, onClose }: DialogProps) {
  const { call, words, show, toasts } = useApp();
  const texts = words.coverage;
  const client = useQueryClient();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [mode, setMode] = useState<string>(MODES[0] ?? "suggest");
  const [pagesPerDay, setPagesPerDay] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const chosen = shops.filter(({ competitorId }) => !left.has(competitorId));
  const switchOn = async (id: string) => {
    const params = { path: { id } };
    const { state: _state, ...settings } = await call((api) =>
      api.GET("/api/competitors/{id}/discovery", { params })
    );
    const most = pagesPerDay.trim().replaceAll(".", "");
    const body = {
      ...settings,
      mode: MODES.find((one) => one === mode) ?? settings.mode,
      ...(most !== "" && { pagesPerDay: Number(most) }),
    };
    await call((api) => api.PUT("/api/competitors/{id}/discovery", { params, body }));
  };
  const start = async () => {
    setBusy(true);
    setError(null);
    try {
      for (const { competitorId } of chosen) await switchOn(competitorId);
      toasts.tell(texts.started(chosen.length, show.number(chosen.length)));
      onClose();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
      await client.invalidateQueries({ queryKey: ["competitors"] });
    }
  };
  return (
    <Dialog
      title={texts.searchTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            kind="main"
            isBusy={isBusy}
            isDisabled={chosen.length === 0}
            onClick={() => void start()}
          >
            {texts.start(chosen.length, show.number(chosen.length))}
          </Button>
        </>
      }
    >
      <p>{texts.searchText}</p>
      {error !== null && <ErrorNote error={error} />}
      <SelectField
        name="mode"
        label={words.discovery.mode}
        value={mode}
        error={null}
        options={MODES.map((value) => ({ value, label: words.discovery.modes[value] }))}
        onValue={setMode}
      />
      <TextField
        name="pagesPerDay"
        label={words.discovery.pagesPerDay}
        hint={words.discovery.pagesPerDayHint}
        placeholder={show.number(5_000)}
        inputMode="numeric"
        value={pagesPerDay}
        error={null}
        onValue={setPagesPerDay}
      />
      <fieldset class="shop-choice">
        <legend>{texts.shops}</legend>
        {shops.map(({ competitorId, competitor }) => (
          <CheckField
            key={competitorId}
            name={competitorId}
            label={competitor}
            isOn={!left.has(competitorId)}
            onChange={(isOn) =>
              setLeft((before) => {
                const one = new Set([competitorId]);
                return isOn ? before.difference(one) : before.union(one);
              })}
          />
        ))}
      </fieldset>
    </Dialog>
  );
}
