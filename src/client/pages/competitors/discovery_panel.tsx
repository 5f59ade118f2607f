import { byId } from "../../api/call.ts";
import { useQueryClient } from "@tanstack/preact-query";
import { useId } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { useClosing } from "../../app/use_leave_guard.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/form/fields.tsx";
import { FormFrame } from "../../parts/form/form_frame.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { discoveryBody, type DiscoverySettings, discoveryValues } from "./discovery_values.ts";

interface PanelProps {
  readonly shopId: string;
  readonly settings: DiscoverySettings;
  readonly modes: readonly DiscoverySettings["mode"][];
  onClose(): void;
}

const LINES = 3;

/** How the pages of a shop are found; what was before is one click away. */
export function DiscoveryPanel({ shopId, settings, modes, onClose }: PanelProps) {
  const { call, words, toasts } = useApp();
  const texts = words.discovery;
  const client = useQueryClient();
  const formId = useId();
  const closing = useClosing(onClose);
  const put = async (body: DiscoverySettings) => {
    await call((api) => api.PUT("/api/competitors/{id}/discovery", { ...byId(shopId), body }));
    await client.invalidateQueries({ queryKey: ["competitors"] });
  };
  const undo = async () => {
    try {
      await put(settings);
      toasts.tell(words.frame.undone);
    } catch (error) {
      toasts.refuse(error);
    }
  };
  const form = useForm({
    initial: discoveryValues(settings),
    save: async (values) => {
      const mode = modes.find((one) => one === values.mode) ?? settings.mode;
      await put(discoveryBody(values, mode));
      toasts.tell(words.saved, () => void undo());
      onClose();
      return true;
    },
  });
  const isKnown = (mode: string): mode is keyof typeof texts.modeHints => mode in texts.modeHints;
  const { mode } = form.values;
  return (
    <Dialog
      kind="panel"
      title={texts.editTitle}
      onClose={() => closing(form.isDirty)}
      actions={
        <>
          <Button onClick={() => closing(form.isDirty)}>{words.cancel}</Button>
          <Button kind="main" type="submit" formId={formId} isBusy={form.isSaving}>
            {words.save}
          </Button>
        </>
      }
    >
      <FormFrame form={form} id={formId}>
        <SelectField
          {...form.text("mode", texts.mode, isKnown(mode) ? texts.modeHints[mode] : undefined)}
          options={modes.map((value) => ({ value, label: texts.modes[value] }))}
        />
        <TextField
          {...form.text("pagesPerDay", texts.pagesPerDay, texts.pagesPerDayHint)}
          inputMode="numeric"
        />
        <TextField
          {...form.text("sitemaps", texts.sitemaps, texts.sitemapsHint)}
          lines={LINES}
          isWide
        />
        <TextField
          {...form.text("feeds", texts.feeds, texts.feedsHint)}
          lines={LINES}
          isWide
        />
        <TextField
          {...form.text("searchTemplate", texts.searchTemplate, texts.searchTemplateHint)}
          isWide
        />
        <TextField
          {...form.text("include", texts.include, texts.pathsHint)}
          lines={LINES}
        />
        <TextField
          {...form.text("exclude", texts.exclude, texts.pathsHint)}
          lines={LINES}
        />
      </FormFrame>
    </Dialog>
  );
}
