import { useState } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { useChange } from "../../app/use_change.ts";
import { useDocument } from "../../app/use_document.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { FormDialog } from "../../parts/form/form_dialog.tsx";
import { useForm } from "../../parts/form/use_form.ts";

/** The red switch: stops all prices that rules set by themselves. Absent where they are stopped. */
export function StopAutomation() {
  const { words, may } = useApp();
  const [isAsked, setAsked] = useState(false);
  const found = useDocument({
    key: ["automation", "settings"],
    read: (api) => api.GET("/api/settings"),
    isWanted: may("manager"),
  });
  if (found.data?.automationStop !== null) return null;
  return (
    <>
      <Button kind="danger" onClick={() => setAsked(true)}>{words.automation.stop}</Button>
      {isAsked && <StopDialog onClose={() => setAsked(false)} />}
    </>
  );
}

function StopDialog({ onClose }: { onClose(): void }) {
  const { words, show, toasts } = useApp();
  const texts = words.automation;
  const found = useDocument({
    key: ["automation", "figures"],
    read: (api) => api.GET("/api/automation"),
  });
  const stop = useChange({
    run: (call, reason: string) =>
      call((api) => api.POST("/api/automation/stop", { body: { reason } })),
    touches: ["automation", "audit"],
    onDone() {
      toasts.tell(texts.stopped);
      onClose();
    },
    showsError: true,
  });
  const form = useForm({
    initial: { reason: "" },
    save: ({ reason }) => stop.mutateAsync(reason),
    isGuarded: false,
  });
  const { rules = 0, applied24h = 0 } = found.data ?? {};
  return (
    <FormDialog title={texts.stopAll} kind="danger" form={form} onClose={onClose}>
      {found.data && (
        <p class="wide">
          {rules === 0 ? texts.none : texts.now(rules, applied24h, show.number(applied24h))}
        </p>
      )}
      <p class="wide">{texts.effect}</p>
      <TextField {...form.text("reason")} label={texts.reason} isWide isRequired hasFocus />
    </FormDialog>
  );
}
