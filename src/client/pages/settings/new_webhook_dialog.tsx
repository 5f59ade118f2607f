import { useQueryClient } from "@tanstack/preact-query";
import { PUBLIC_EVENT_TYPES } from "../../../platform/events/public_events.ts";
import type { Wire } from "../../api/wire.ts";
import { useApp } from "../../app/app.ts";
import { choiceOf, chosenOf } from "../../parts/form/choice.ts";
import { TextField } from "../../parts/form/fields.tsx";
import { FormDialog } from "../../parts/form/form_dialog.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { EventFields } from "./event_fields.tsx";

/** A webhook with its secret, which is shown this once. */
export type CreatedWebhook = Wire<"CreatedWebhook">;

interface NewWebhookDialogProps {
  onClose(): void;
  onMade(webhook: CreatedWebhook): void;
}

export function NewWebhookDialog({ onClose, onMade }: NewWebhookDialogProps) {
  const { call, words } = useApp();
  const texts = words.webhooks;
  const client = useQueryClient();
  const form = useForm({
    initial: { url: "", ...choiceOf(PUBLIC_EVENT_TYPES, ["price.changed"]) },
    save: async ({ url, ...choice }) => {
      const body = { url: url.trim(), events: chosenOf(PUBLIC_EVENT_TYPES, choice) };
      const made = await call((api) => api.POST("/api/webhooks", { body }));
      await client.invalidateQueries({ queryKey: ["webhooks"] });
      onMade(made);
    },
  });
  return (
    <FormDialog title={texts.create} form={form} onClose={onClose}>
      <TextField
        {...form.text("url")}
        label={texts.url}
        hint={texts.urlHint}
        type="url"
        hasFocus
        isWide
      />
      <EventFields flag={(type) => form.flag(type)} />
    </FormDialog>
  );
}
