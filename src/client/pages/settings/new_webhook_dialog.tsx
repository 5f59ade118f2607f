import { useQueryClient } from "@tanstack/preact-query";
import type { Webhook } from "../../../webhooks/webhook.ts";
import { useApp } from "../../frame/app.ts";
import { TextField } from "../../parts/form/fields.tsx";
import { FormDialog } from "../../parts/form/form_dialog.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { choiceOf, EventFields, eventsOf } from "./event_fields.tsx";

/** A webhook with its secret, which is shown this once. */
export interface CreatedWebhook extends Webhook {
  readonly secret: string;
}

interface NewWebhookDialogProps {
  onClose(): void;
  onMade(webhook: CreatedWebhook): void;
}

export function NewWebhookDialog({ onClose, onMade }: NewWebhookDialogProps) {
  const { call, words } = useApp();
  const texts = words.webhooks;
  const client = useQueryClient();
  const form = useForm({
    initial: { url: "", ...choiceOf(["price.changed"]) },
    save: async ({ url, ...choice }) => {
      const body = { url: url.trim(), events: eventsOf(choice) };
      const made = await call<CreatedWebhook>("/api/webhooks", { method: "POST", body });
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
