import type { Webhook } from "../../../messages/webhooks/webhook.ts";
import { PUBLIC_EVENT_TYPES } from "../../../platform/events/public_events.ts";
import type { Wire } from "../../api/wire.ts";
import { useApp } from "../../app/app.ts";
import { useList } from "../../app/use_list.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyText } from "../../parts/copy_text.tsx";
import { EmptyState } from "../../parts/empty_state.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { choiceOf, chosenOf } from "../../parts/form/choice.ts";
import { TextField } from "../../parts/form/fields.tsx";
import { FormDialog } from "../../parts/form/form_dialog.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { Section } from "../../parts/section.tsx";
import { type Column, column } from "../../parts/table/column.ts";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import { ToldDialog } from "../../parts/told_dialog.tsx";
import { EventFields } from "./event_fields.tsx";
import { WebhookPanel } from "./webhook_panel.tsx";
import { useQueryClient } from "@tanstack/preact-query";
import { useState } from "preact/hooks";

/** Receivers of events, and their status. */
export function WebhooksPart() {
  const { words, may } = useApp();
  const texts = words.webhooks;
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedWebhook | null>(null);
  const [openId, setOpenId] = useState<string | null>(null);
  const list = useList({
    key: ["webhooks"],
    read: (api, page) => api.GET("/api/webhooks", { params: { query: page } }),
  });
  const open = list.rows.find(({ id }) => id === openId);
  const create = may("manager") && (
    <Button kind="main" icon="plus" onClick={() => setMaking(true)}>{texts.create}</Button>
  );
  return (
    <Section title={texts.title} actions={list.rows.length > 0 && create}>
      {list.error ? <ErrorNote error={list.error} onAgain={list.again} /> : (
        <SimpleTable
          label={texts.title}
          columns={useWebhookColumns(setOpenId)}
          rows={list.rows}
          idOf={({ id }) => id}
          empty={!list.isPending && (
            <EmptyState icon="docs" title={texts.emptyTitle} text={texts.emptyText}>
              {create}
            </EmptyState>
          )}
        />
      )}
      {isMaking && (
        <NewWebhookDialog
          onClose={() => setMaking(false)}
          onMade={(webhook) => {
            setMaking(false);
            setMade(webhook);
          }}
        />
      )}
      {made && <MadeWebhookDialog made={made} onClose={() => setMade(null)} />}
      {open && <WebhookPanel key={open.id} webhook={open} onClose={() => setOpenId(null)} />}
    </Section>
  );
}

function useWebhookColumns(open: (id: string) => void): readonly Column<Webhook>[] {
  const { words, show } = useApp();
  const { columns } = words.webhooks;
  return [
    column(
      "url",
      columns.url,
      280,
      ({ id, url }) => <button type="button" class="link" onClick={() => open(id)}>{url}</button>,
    ),
    column("state", columns.state, 150, (webhook) => <WebhookState webhook={webhook} />),
    column("events", columns.events, 260, ({ events }) => events.join(", ")),
    column("since", columns.since, 120, ({ createdAt }) => show.date(createdAt)),
  ];
}

function WebhookState({ webhook }: { webhook: Webhook }) {
  const { states } = useApp().words.webhooks;
  if (webhook.disabledAt !== null) return <Badge tone="bad">{states.disabled}</Badge>;
  if (!webhook.enabled) return <Badge>{states.off}</Badge>;
  if (webhook.failingSince !== null) return <Badge tone="warn">{states.failing}</Badge>;
  return <Badge tone="good">{states.on}</Badge>;
}

/** The one time that the secret is shown. */
function MadeWebhookDialog({ made, onClose }: { readonly made: CreatedWebhook; onClose(): void }) {
  const { words } = useApp();
  const texts = words.webhooks;
  return (
    <ToldDialog title={texts.made} onClose={onClose}>
      <p>{texts.madeText}</p>
      <CopyText text={made.secret} label={texts.secret} />
    </ToldDialog>
  );
}

/** A webhook with its secret, which is shown this once. */
type CreatedWebhook = Wire<"CreatedWebhook">;

function NewWebhookDialog(
  { onClose, onMade }: { onClose(): void; onMade(webhook: CreatedWebhook): void },
) {
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
        {...form.text("url", texts.url, texts.urlHint)}
        type="url"
        hasFocus
        isWide
      />
      <EventFields form={form} />
    </FormDialog>
  );
}
