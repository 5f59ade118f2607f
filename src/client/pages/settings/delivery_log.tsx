import type { Delivery } from "../../../messages/webhooks/delivery.ts";
import type { Webhook } from "../../../messages/webhooks/webhook.ts";
import { useChange } from "../../app/use_change.ts";
import { useList } from "../../app/use_list.ts";
import { useApp } from "../../app/app.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Loading } from "../../parts/progress.tsx";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import type { Column } from "../../parts/table/column.ts";

const TONES: Readonly<Record<Delivery["status"], Tone>> = {
  pending: "busy",
  delivered: "good",
  failed: "bad",
};

const SHOWN = 20;
const WATCH_MS = 2_000;

/** Deliveries to a receiver and its answers, newest first. */
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
      {list.error
        ? <ErrorNote error={list.error} onAgain={list.again} />
        : list.isPending
        ? <Loading label={words.loading} />
        : (
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
    { key: "event", title: columns.event, width: 175, cell: ({ type }) => <code>{type}</code> },
    {
      key: "state",
      title: columns.state,
      width: 100,
      cell: ({ status }) => <Badge tone={TONES[status]}>{texts.deliveryStates[status]}</Badge>,
    },
    {
      key: "answer",
      title: columns.answer,
      width: 150,
      cell: (delivery) => <LastAnswer delivery={delivery} />,
    },
    {
      key: "resend",
      title: words.actions,
      width: 170,
      cell: (delivery) =>
        may("manager") ? <ResendButton webhook={webhook} delivery={delivery} /> : "–",
    },
    { key: "at", title: words.time, width: 130, cell: ({ createdAt }) => show.dateTime(createdAt) },
    {
      key: "tries",
      title: columns.tries,
      width: 70,
      isNumber: true,
      cell: ({ attempts }) => show.number(attempts.length),
    },
    {
      key: "next",
      title: columns.next,
      width: 110,
      cell: ({ nextAttemptAt }) => nextAttemptAt === null ? "–" : show.dateTime(nextAttemptAt),
    },
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
    run: (call) =>
      call((api) =>
        api.POST("/api/webhooks/{id}/deliveries/{deliveryId}/resend", {
          params: { path: { id: webhook.id, deliveryId: delivery.id } },
        })
      ),
    touches: ["deliveries"],
    onDone: () => toasts.tell(texts.resent),
  });
  return (
    <Button kind="quiet" isBusy={resend.isPending} onClick={() => resend.mutate(undefined)}>
      {texts.resend}
    </Button>
  );
}
