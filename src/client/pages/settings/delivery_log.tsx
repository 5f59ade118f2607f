import type { Delivery } from "../../../messages/webhooks/delivery.ts";
import type { Webhook } from "../../../messages/webhooks/webhook.ts";
import { useChange, useList } from "../../app/queries.ts";
import { useApp } from "../../app/app.ts";
import { Badge, Button, type Tone } from "../../parts/controls.tsx";
import { Pending, Section } from "../../parts/page.tsx";
import { type Column, column, numberColumn, SimpleTable } from "../../parts/table/table.tsx";

const TONES: Readonly<Record<Delivery["status"], Tone>> = {
  pending: "busy",
  delivered: "good",
  failed: "bad",
};

const SHOWN = 20;
const WATCH_MS = 2_000;

export function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const { words } = useApp();
  const texts = words.webhooks;
  const list = useList({
    key: ["deliveries", webhook.id],
    read: (api, page) =>
      api.GET("/api/webhooks/{id}/deliveries", {
        params: { path: { id: webhook.id }, query: page },
      }),
    limit: SHOWN,
    everyMs: WATCH_MS,
  });
  return (
    <Section title={texts.deliveries} note={texts.deliveriesNote}>
      {list.error || list.isPending ? <Pending of={list} /> : (
        <SimpleTable
          label={texts.deliveries}
          columns={useDeliveryColumns(webhook)}
          rows={list.rows}
          idOf={({ id }) => id}
          empty={<p class="note info">{texts.noDeliveries}</p>}
        />
      )}
      {list.hasMore && (
        <Button kind="quiet" isBusy={list.isLoadingMore} onClick={list.more}>{texts.more}</Button>
      )}
    </Section>
  );
}

function useDeliveryColumns(webhook: Webhook): readonly Column<Delivery>[] {
  const { words, show, may } = useApp();
  const texts = words.webhooks;
  const columns = texts.deliveryColumns;
  return [
    column("event", columns.event, 175, ({ type }) => <code>{type}</code>),
    column(
      "state",
      columns.state,
      100,
      ({ status }) => <Badge tone={TONES[status]}>{texts.deliveryStates[status]}</Badge>,
    ),
    column("answer", columns.answer, 150, (delivery) => <LastAnswer delivery={delivery} />),
    column(
      "resend",
      words.actions,
      170,
      (delivery) => may("manager") ? <ResendButton webhook={webhook} delivery={delivery} /> : "–",
    ),
    column("at", words.time, 130, ({ createdAt }) => show.dateTime(createdAt)),
    numberColumn("tries", columns.tries, 70, ({ attempts }) => show.number(attempts.length)),
    column(
      "next",
      columns.next,
      110,
      ({ nextAttemptAt }) => nextAttemptAt === null ? "–" : show.dateTime(nextAttemptAt),
    ),
  ];
}

function LastAnswer({ delivery: { attempts } }: { delivery: Delivery }) {
  const { show } = useApp();
  const last = attempts.at(-1);
  if (!last) return <>–</>;
  const said = last.httpStatus === null ? last.errorCode : `HTTP ${last.httpStatus}`;
  return (
    <>
      {said} <span class="soft">{show.number(last.durationMs)} ms</span>
      {last.message && <small class="exact">{last.message}</small>}
    </>
  );
}

function ResendButton(
  { webhook, delivery }: { readonly webhook: Webhook; readonly delivery: Delivery },
) {
  const { words, toasts } = useApp();
  const texts = words.webhooks;
  const resend = useChange({
    ask: (api) =>
      api.POST("/api/webhooks/{id}/deliveries/{deliveryId}/resend", {
        params: { path: { id: webhook.id, deliveryId: delivery.id } },
      }),
    touches: ["deliveries"],
    onDone: () => toasts.tell(texts.resent),
  });
  return (
    <Button kind="quiet" isBusy={resend.isPending} onClick={() => resend.mutate(undefined)}>
      {texts.resend}
    </Button>
  );
}
