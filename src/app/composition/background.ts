/** Creates the background loops of a process, and connects the consumers of events. */
import { FORGOTTEN, sendLinks } from "../../accounts/users/change_user.ts";
import { MINUTE_MS } from "../../base/time.ts";
import {
  type ArrivalSetup,
  judgeArrivals,
  queueOldArrivals,
} from "../../market/export/judge_arrival.ts";
import { queueMorningMails } from "../../market/overview/morning_mail.ts";
import { type AlertDeps, mailQueue } from "../../messages/alert_store.ts";
import {
  closeDecided,
  createAlertListener,
  queueHeadMails,
  raiseOverdueImports,
  raiseSilentSources,
} from "../../messages/system_alerts.ts";
import { createMailSender } from "../../messages/send_mails.ts";
import { createDeliverer, webhookListener } from "../../messages/deliver.ts";
import { dueQueue } from "../../messages/delivery_store.ts";
import {
  dirtyListener,
  dirtyQueue,
  outboxQueue,
  relayOutbox,
} from "../../platform/events/outbox_store.ts";
import { WorkLoop } from "../../platform/jobs/work_loop.ts";
import { roomLog } from "../../platform/log.ts";
import { createMailer } from "../../platform/mail.ts";
import { onCommitted } from "../../platform/store/kv.ts";
import { WalkPosition } from "../../platform/store/row_queue_store.ts";
import { createEvaluationLoop } from "../../rules/evaluation/evaluation_loop.ts";
import { createRuleCache } from "../../rules/rule.ts";
import { createChangeComparer } from "../../scraping/suggestions/suggest.ts";
import { shopWatch } from "../../shops/recording/watch_shops.ts";
import { guardedFetch, type Shared } from "./room_deps.ts";

export type Background = ReturnType<typeof createBackground>;

/** Time between two searches for new work; longer for a remote store, because it answers slowly. */
const SWEEP_MS = { local: 500, remote: 2_000 };
/** Pause before events are evaluated, so that events of many commits are evaluated together. */
const PAUSE_MIN_MS = 100;

export function createBackground(parts: Shared, linkOf: (token: string) => string) {
  const { store, clock, config, pauseMinMs = PAUSE_MIN_MS } = parts;
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, PUBLIC_URL: publicUrl } = config;
  const mailer = smtpUrl === null || from === null ? null : createMailer({ smtpUrl, from });
  const alerts = { isMailOn: mailer !== null };
  const limits = { allowed: config.SCRAPE_ALLOW_PRIVATE, ports: config.SCRAPE_ALLOW_PORTS };
  const sweepMs = parts.sweepMs ?? SWEEP_MS[store.kind === "remote" ? "remote" : "local"];
  const shared = { store, clock, sweepMs, random: Math.random };
  const care = { store, clock, deps: alerts };

  const deliveries = createDeliverer({
    ...shared,
    alerts,
    fetch: guardedFetch(config, "Kurant-Webhooks/1"),
    log: roomLog("webhooks"),
  });
  const evaluation = createEvaluationLoop({
    ...shared,
    ruleCache: createRuleCache(),
    alerts,
    log: roomLog("evaluation"),
    pauseMinMs,
  });
  const closing = steadyLoop("alerts", "alerts of decided proposals", MINUTE_MS, async () => {
    await closeDecided(care);
  });
  const outbox = outboxLoop({ ...shared, pauseMinMs, alerts, onRelayed: () => closing.wake() });
  const mails = mailer && createMailSender({ ...shared, mailer, publicUrl, log: roomLog("mail") });
  const asked = { store, clock, linkOf, isProviderOnly: config.OIDC_ONLY };
  const links = mailer &&
    steadyLoop("mail", "reset links", 15_000, () => sendLinks({ ...asked, mailer }));
  const mailLoops = mails && links ? [mails, links, ...dailyMailLoops(parts)] : [];
  const loops = [
    ...[outbox, evaluation, deliveries, closing, ...mailLoops],
    ...careLoops(care),
    steadyLoop("market", "market", 1_000, () => parts.tables.tend()),
    steadyLoop("discovery", "known pages", 2_000, createChangeComparer({ store, clock })),
  ];
  const ends = [
    outboxQueue.onAdded(store, () => outbox.wake()),
    dirtyQueue.onAdded(store, () => evaluation.wake()),
    dueQueue.onAdded(store, () => deliveries.wake()),
    mailQueue.onAdded(store, () => mails?.wake()),
    onCommitted(store, FORGOTTEN, () => links?.wake()),
  ];
  const stop = async () => {
    for (const end of ends) end();
    await Promise.all(loops.map((loop) => loop.stop()));
  };
  return { mailer, webhooks: { limits }, start: () => loops.forEach((loop) => loop.start()), stop };
}

function steadyLoop(
  room: string,
  name: string,
  sweepMs: number,
  work: (stopping: AbortSignal) => Promise<unknown>,
): WorkLoop {
  const round = (stopping: AbortSignal) => work(stopping).then(() => null);
  return new WorkLoop({ name, sweepMs, log: roomLog(room), round });
}

function outboxLoop(
  { alerts, onRelayed, sweepMs, pauseMinMs, ...setup }: Pick<Shared, "store" | "clock"> & {
    readonly alerts: AlertDeps;
    readonly sweepMs: number;
    readonly pauseMinMs: number;
    onRelayed(): void;
  },
): WorkLoop {
  const log = roomLog("events");
  const position = new WalkPosition();
  // `shopWatch` must run first, so that rules do not use suspicious price changes of a shop.
  const listeners = [shopWatch, dirtyListener, createAlertListener(alerts), webhookListener];
  return new WorkLoop({
    name: "outbox",
    sweepMs,
    pauseMinMs,
    log,
    async round(stopping) {
      const hasRows = await relayOutbox({ ...setup, listeners, log, position }, stopping);
      if (hasRows) onRelayed();
      return null;
    },
  });
}

function dailyMailLoops({ store, clock, morning, config }: Shared): WorkLoop[] {
  const { AUDIT_MAIL_TO: to, PUBLIC_URL: publicUrl } = config;
  const mails = { store, clock, publicUrl, morning };
  return [
    steadyLoop("mail", "mails of the morning", MINUTE_MS, () => queueMorningMails(mails)),
    ...to
      ? [steadyLoop("mail", "mails of seals", RARELY_MS, () => queueHeadMails({ ...mails, to }))]
      : [],
  ];
}

const RARELY_MS = 10 * MINUTE_MS;

function careLoops(setup: ArrivalSetup): WorkLoop[] {
  return [
    steadyLoop("care", "overdue imports", RARELY_MS, async () => {
      await raiseOverdueImports(setup);
      await raiseSilentSources(setup);
    }),
    steadyLoop("care", "arrivals", 5_000, () => judgeArrivals(setup)),
    steadyLoop("care", "old arrivals", RARELY_MS, () => queueOldArrivals(setup)),
  ];
}
