/**
 * Saving sends only changed fields, because the service may disable a webhook while its panel is
 * open. A webhook's secret is shown only once, after its creation or replacement.
 */
import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { TERMS } from "../../../engine/wording/terms.ts";
import type { Webhook } from "../../../messages/webhook.ts";
import {
  PUBLIC_EVENT_TYPES,
  type PublicEventType,
} from "../../../platform/events/public_events.ts";
import { byId, byPath, get, where, type Wire } from "../../api/call.ts";
import { useApp, useList, useRefresh } from "../../app/app.ts";
import { Badge, Button, LinkButton, NoticeDialog, type Tone } from "../../parts/controls.tsx";
import { CopyText } from "../../parts/copy_text.tsx";
import { EmptyState, Section } from "../../parts/page.tsx";
import { choiceOf, chosenOf, FormDialog, useSavedForm } from "../../parts/form/saved_form.tsx";
import { CheckField, type FlagBinding, TextField, useForm } from "../../parts/form/fields.tsx";
import { type Column, column, ListTable } from "../../parts/table/table.tsx";
import { labelIn } from "../../words/label.ts";
import { ActionButton, RemoveButton } from "../../parts/action_button.tsx";
import type { Delivery } from "../../../messages/delivery_store.ts";

export function WebhooksPart() {
  const { words: { webhooks: texts, settings }, may } = useApp();
  const [made, setMade] = useState<CreatedWebhook | "new" | null>(null);
  const [openId, setOpenId] = useState<string | null>(null);
  const list = useList((page) => get("/api/webhooks", where(page)));
  const open = list.rows.find(({ id }) => id === openId);
  const create = may("manager") && (
    <Button kind="main" icon="plus" onClick={() => setMade("new")}>{texts.create}</Button>
  );
  return (
    <Section title={settings.parts.webhooks} actions={list.rows.length > 0 && create}>
      <ListTable
        label={settings.parts.webhooks}
        columns={useWebhookColumns(setOpenId)}
        list={list}
        empty={
          <EmptyState icon="docs" title={texts.emptyTitle} text={texts.emptyText}>
            {create}
          </EmptyState>
        }
      />
      {made === "new"
        ? <NewWebhookDialog onClose={() => setMade(null)} onMade={setMade} />
        : made && <MadeWebhookDialog made={made} onClose={() => setMade(null)} />}
      {open && <WebhookPanel key={open.id} webhook={open} onClose={() => setOpenId(null)} />}
    </Section>
  );
}

function useWebhookColumns(open: (id: string) => void): readonly Column<Webhook>[] {
  const { words: { webhooks: texts, repairs, fields } } = useApp();
  const { columns } = texts;
  return [
    column("url", fields.url, 280).cell(({ id, url }) => {
      const { host, pathname, search } = new URL(url);
      return (
        <>
          <LinkButton label={url} onClick={() => open(id)}>{host}</LinkButton>
          <small class="below breaks">{pathname + search}</small>
        </>
      );
    }),
    column("state", columns.state, 150).cell((webhook) => <WebhookState webhook={webhook} />),
    column("events", fields.events, 260).cell(({ events }) => (
      <ul>
        {events.map((type) => <li key={type} title={type}>{labelIn(texts.events, type)}</li>)}
      </ul>
    )),
    column("since", repairs.columns.since, 120).date(({ createdAt }) => createdAt),
  ];
}

function WebhookState({ webhook }: { webhook: Webhook }) {
  const { states } = useApp().words.webhooks;
  if (webhook.disabledAt !== null) return <Badge tone="bad">{states.disabled}</Badge>;
  if (!webhook.enabled) return <Badge>{states.off}</Badge>;
  if (webhook.failingSince !== null) return <Badge tone="warn">{states.failing}</Badge>;
  return <Badge tone="good">{states.on}</Badge>;
}

function MadeWebhookDialog(
  { made, onClose }: { readonly made: Pick<CreatedWebhook, "secret">; onClose(): void },
) {
  const texts = useApp().words.webhooks;
  return (
    <NoticeDialog title={texts.made} onClose={onClose}>
      <p>{texts.madeText}</p>
      <CopyText text={made.secret} label={texts.secret} />
    </NoticeDialog>
  );
}

function RotateSecretButton({ webhook }: { readonly webhook: Webhook }) {
  const { words: { webhooks: texts }, may } = useApp();
  const [made, setMade] = useState<Pick<CreatedWebhook, "secret"> | null>(null);
  if (!may("manager")) return null;
  return (
    <>
      <ActionButton
        ask={(api) => api.POST("/api/webhooks/{id}/rotate", { ...byId(webhook.id), body: {} })}
        question={{ title: texts.rotateSure, text: texts.rotateText, yes: texts.rotate }}
        onDone={setMade}
      >
        {texts.rotate}
      </ActionButton>
      {made && <MadeWebhookDialog made={made} onClose={() => setMade(null)} />}
    </>
  );
}

type CreatedWebhook = Wire<"CreatedWebhook">;

function NewWebhookDialog(
  { onClose, onMade }: { onClose(): void; onMade(webhook: CreatedWebhook): void },
) {
  const { call, words: { webhooks: texts, fields } } = useApp();
  const refresh = useRefresh("webhooks");
  const form = useForm({
    initial: { url: "", ...choiceOf(PUBLIC_EVENT_TYPES, ["price.changed"]) },
    save: async ({ url, ...choice }) => {
      const body = { url: url.trim(), events: chosenOf(PUBLIC_EVENT_TYPES, choice) };
      const made = await call((api) => api.POST("/api/webhooks", { body }));
      await refresh();
      onClose();
      onMade(made);
    },
  });
  return (
    <FormDialog title={texts.create} form={form} onClose={onClose}>
      <TextField {...form.text("url", fields.url, texts.urlHint)} type="url" hasFocus isWide />
      <EventFields form={form} />
    </FormDialog>
  );
}

function WebhookPanel({ webhook, onClose }: { readonly webhook: Webhook; onClose(): void }) {
  const { words: { webhooks: texts, codes, fields, save }, may } = useApp();
  const params = { path: { id: webhook.id } };
  const { form, dialog } = useSavedForm({
    document: webhook,
    resource: `webhook:${webhook.id}`,
    read: get("/api/webhooks/{id}", { params }),
    write: (api, body: Wire<"WebhookPatch">) => api.PATCH("/api/webhooks/{id}", { params, body }),
    valuesOf: (one) => valuesOf(one ?? webhook),
    save: ({ url: _, enabled: __, ...choice }, { url, enabled, ...chosen }, over) =>
      over({
        ...(url !== undefined && { url: url.trim() }),
        ...(enabled !== undefined && { enabled }),
        ...(Object.keys(chosen).length > 0 && { events: chosenOf(PUBLIC_EVENT_TYPES, choice) }),
      }),
    onClose,
  });
  return (
    <FormDialog
      {...dialog}
      place="panel"
      title={codes.audited.webhook}
      save={save}
      hasCancel={false}
      isReadOnly={!may("manager")}
      actions={
        <>
          <RemoveButton
            kind="danger"
            ask={(api) => api.DELETE("/api/webhooks/{id}", { params })}
            question={{ title: texts.remove, text: texts.removeText }}
            onDone={onClose}
          />
          <ActionButton
            ask={(api) => api.POST("/api/webhooks/{id}/test", byId(webhook.id))}
            touches={["deliveries"]}
            toast={texts.tested}
          >
            {texts.test}
          </ActionButton>
          <RotateSecretButton webhook={webhook} />
        </>
      }
      above={
        <>
          <Health webhook={webhook} />
          <DeliveryLog webhook={webhook} />
        </>
      }
    >
      <TextField {...form.text("url", fields.url)} type="url" isWide />
      <CheckField {...form.flag("enabled", fields.enabled)} />
      <EventFields form={form} />
    </FormDialog>
  );
}

function Health({ webhook: { failingSince, disabledAt } }: { webhook: Webhook }) {
  const { words: { webhooks: texts }, show } = useApp();
  if (disabledAt !== null) {
    return <p class="note bad">{texts.disabledAt(show.dateTime(disabledAt))}</p>;
  }
  return failingSince !== null && (
    <p class="note warn">{texts.failingSince(show.dateTime(failingSince))}</p>
  );
}

function valuesOf({ url, enabled, events }: Webhook) {
  return { url, enabled, ...choiceOf(PUBLIC_EVENT_TYPES, events) };
}

interface EventFieldsProps {
  readonly form: {
    flag(type: PublicEventType, label: string, hint: ComponentChildren): FlagBinding;
  };
}

function EventFields({ form }: EventFieldsProps) {
  const { words: { webhooks: texts, fields } } = useApp();
  return (
    <fieldset class="wide">
      <legend>{fields.events}</legend>
      {PUBLIC_EVENT_TYPES.map((type) => (
        <CheckField key={type} {...form.flag(type, texts.events[type], <code>{type}</code>)} />
      ))}
    </fieldset>
  );
}

const TONES: Readonly<Record<Delivery["status"], Tone>> = {
  pending: "busy",
  delivered: "good",
  failed: "bad",
};

function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const texts = useApp().words.webhooks;
  const list = useList(
    (page) => get("/api/webhooks/{id}/deliveries", byPath({ id: webhook.id }, page)),
    { limit: 20, everyMs: 2_000 },
  );
  return (
    <Section title={texts.deliveries} note={texts.deliveriesNote}>
      <ListTable
        label={texts.deliveries}
        columns={useDeliveryColumns(webhook)}
        list={list}
        empty={<p class="note info">{texts.noDeliveries}</p>}
        more={texts.more}
      />
    </Section>
  );
}

function useDeliveryColumns(webhook: Webhook): readonly Column<Delivery>[] {
  const { words, show, may } = useApp();
  const texts = words.webhooks;
  const columns = texts.deliveryColumns;
  return [
    column("event", columns.event, 175).cell(({ type }) => <code>{type}</code>),
    column("state", words.webhooks.columns.state, 100).cell(({ status }) => (
      <Badge tone={TONES[status]}>{texts.deliveryStates[status]}</Badge>
    )),
    column("answer", columns.answer, 150).cell((delivery) => <LastAnswer delivery={delivery} />),
    column("resend", words.actions, 170).cell(({ id: deliveryId }) =>
      !may("manager") ? "–" : (
        <ActionButton
          kind="quiet"
          ask={(api) =>
            api.POST(
              "/api/webhooks/{id}/deliveries/{deliveryId}/resend",
              byPath({ id: webhook.id, deliveryId }),
            )}
          toast={texts.resent}
        >
          {texts.resend}
        </ActionButton>
      )
    ),
    column("at", words.fields.at, 130).time(({ createdAt }) => createdAt),
    column("tries", columns.tries, 70).number(({ attempts }) => attempts.length),
    column("next", words.fields.nextTryAt, 110).cell(({ nextAttemptAt }) =>
      nextAttemptAt === null ? "–" : show.dateTime(nextAttemptAt)
    ),
  ];
}

function LastAnswer({ delivery: { attempts } }: { delivery: Delivery }) {
  const { show, language } = useApp();
  const last = attempts.at(-1);
  if (!last) return <>–</>;
  const { httpStatus, errorCode } = last;
  const said = httpStatus === null
    ? TERMS[language.value].fetchErrors[errorCode ?? ""] ?? errorCode
    : `HTTP ${httpStatus}`;
  return (
    <>
      {said} <span class="soft">{show.number(last.durationMs)} ms</span>
      {last.message && <small class="exact">{last.message}</small>}
    </>
  );
}
