import { useQueryClient } from "@tanstack/preact-query";
import { useId } from "preact/hooks";
import { PUBLIC_EVENT_TYPES } from "../../../platform/events/public_events.ts";
import type { Webhook } from "../../../messages/webhooks/webhook.ts";
import { type Api, byId } from "../../api/call.ts";
import type { Wire } from "../../api/wire.ts";
import { useChange } from "../../app/use_change.ts";
import { useApp } from "../../app/app.ts";
import { useClosing } from "../../app/use_leave_guard.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { choiceOf, chosenOf } from "../../parts/form/choice.ts";
import { CheckField, TextField } from "../../parts/form/fields.tsx";
import { FormFrame } from "../../parts/form/form_frame.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { useSaveOver } from "../../parts/form/use_save_over.tsx";
import { RemoveButton } from "../../parts/remove_button.tsx";
import { DeliveryLog } from "./delivery_log.tsx";
import { EventFields } from "./event_fields.tsx";

/** One receiver: what it is told, what arrived, and why something did not. */
export function WebhookPanel({ webhook, onClose }: { readonly webhook: Webhook; onClose(): void }) {
  const { words, show, toasts, may } = useApp();
  const texts = words.webhooks;
  const client = useQueryClient();
  const formId = useId();
  const closing = useClosing(onClose);
  const form = useForm({
    initial: valuesOf(webhook),
    save: async ({ url: _, enabled: __, ...choice }, { url, enabled, ...chosen }) => {
      // Only changed fields: the service may have disabled the receiver meanwhile.
      const body = {
        ...(url !== undefined && { url: url.trim() }),
        ...(enabled !== undefined && { enabled }),
        ...(Object.keys(chosen).length > 0 && { events: chosenOf(PUBLIC_EVENT_TYPES, choice) }),
      };
      if (await over.save(body) === null) return false;
      await client.invalidateQueries({ queryKey: ["webhooks"] });
      toasts.tell(words.saved);
      onClose();
      return true;
    },
  });
  const params = { path: { id: webhook.id } };
  const read = (api: Api) => api.GET("/api/webhooks/{id}", { params });
  const textOf = (one: Webhook) => JSON.stringify(valuesOf(one));
  const over = useSaveOver({
    read,
    write: (api, body: Wire<"WebhookPatch">) => api.PATCH("/api/webhooks/{id}", { params, body }),
    resource: `webhook:${webhook.id}`,
    document: webhook,
    formId,
    textOf,
    onTheirs: (one) => form.reset(valuesOf(one)),
  });
  const { failingSince, disabledAt } = webhook;
  return (
    <Dialog
      kind="panel"
      title={texts.editTitle}
      onClose={() => closing(form.isDirty)}
      actions={may("manager") && (
        <>
          <RemoveButton
            document={webhook}
            read={read}
            write={(api) => api.DELETE("/api/webhooks/{id}", { params })}
            textOf={textOf}
            question={{ title: texts.remove, text: texts.removeText }}
            touches={["webhooks"]}
            kind="danger"
            onDone={onClose}
          />
          <TestButton webhook={webhook} />
          <Button kind="main" type="submit" formId={formId} isBusy={form.isSaving}>
            {words.save}
          </Button>
        </>
      )}
    >
      {disabledAt !== null
        ? <p class="note bad">{texts.disabledAt(show.dateTime(disabledAt))}</p>
        : failingSince !== null && (
          <p class="note warn">{texts.failingSince(show.dateTime(failingSince))}</p>
        )}
      <DeliveryLog webhook={webhook} />
      {may("manager") && (
        <FormFrame form={form} id={formId}>
          <TextField {...form.text("url", texts.url)} type="url" isWide />
          <CheckField {...form.flag("enabled", texts.enabled)} />
          <EventFields form={form} />
        </FormFrame>
      )}
      {over.note}
    </Dialog>
  );
}

function valuesOf({ url, enabled, events }: Webhook) {
  return { url, enabled, ...choiceOf(PUBLIC_EVENT_TYPES, events) };
}

function TestButton({ webhook }: { webhook: Webhook }) {
  const { words, toasts } = useApp();
  const { test, tested } = words.webhooks;
  const send = useChange({
    run: (call) => call((api) => api.POST("/api/webhooks/{id}/test", byId(webhook.id))),
    touches: ["deliveries"],
    onDone: () => toasts.tell(tested),
  });
  return <Button isBusy={send.isPending} onClick={() => send.mutate(undefined)}>{test}</Button>;
}
