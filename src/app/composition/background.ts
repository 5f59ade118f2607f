/** Creates the background loops of a process, and connects the consumers of events. */
import { FORGOTTEN, sendLinks } from "../../accounts/users/change_user.ts";
import type { MarketCache } from "../../market/current/market_cache.ts";
import {
  type ArrivalSetup,
  judgeArrivals,
  queueOldArrivals,
} from "../../market/export/judge_arrival.ts";
import type { MorningDeps } from "../../market/overview/read_overview.ts";
import { type MorningMailSetup, queueMorningMails } from "../../market/overview/morning_mail.ts";
import { mailQueue } from "../../messages/alerts/mail_store.ts";
import {
  closeDecided,
  createAlertListener,
  publishHolds,
  queueHeadMails,
  raiseMismatches,
  raiseOverdueImports,
  raiseSilentSources,
} from "../../messages/alerts/system_alerts.ts";
import { createMailSender } from "../../messages/alerts/send_mails.ts";
import { createDeliverer, webhookListener } from "../../messages/webhooks/deliver.ts";
import type { WebhookDeps } from "../../messages/webhooks/webhook_routes.ts";
import { dueQueue } from "../../messages/webhooks/delivery_store.ts";
import {
  dirtyListener,
  dirtyQueue,
  type OutboxListener,
  outboxQueue,
  relayOutbox,
} from "../../platform/events/outbox_store.ts";
import { WorkLoop } from "../../platform/jobs/work_loop.ts";
import { roomLog } from "../../platform/log.ts";
import { createMailer, type Mailer } from "../../platform/mail.ts";
import type { ClockAndIds } from "../../platform/store/context.ts";
import { onCommitted, type Store } from "../../platform/store/kv.ts";
import { WalkPosition } from "../../platform/store/row_queue_store.ts";
import { createEvaluationLoop } from "../../rules/evaluation/evaluation_loop.ts";
import { createRuleCache } from "../../rules/rule.ts";
import { createSelfLinker, type LinkingSetup } from "../../scraping/suggestions/link_by_itself.ts";
import { createChangeComparer } from "../../scraping/suggestions/compare_changes.ts";
import type { ProductIndexes } from "../../scraping/suggestions/product_indexes.ts";
import { shopWatch } from "../../shops/quarantine/watch_shops.ts";
import type { Config } from "./config.ts";
import { guardedFetch } from "./scraper.ts";

interface BackgroundSetup {
  readonly store: Store;
  readonly clock: ClockAndIds;
  readonly config: Config;
  readonly morning: MorningDeps;
  readonly market: MarketCache;
  readonly indexes: ProductIndexes;
  resetLink(token: string): string;
  readonly sweepMs?: number | undefined;
  readonly pauseMinMs?: number | undefined;
}

/** Several processes may run these loops for the same store at the same time. */
export interface Background {
  readonly mailer: Mailer | null;
  readonly webhooks: WebhookDeps;
  start(): void;
  stop(): Promise<void>;
}

const OVERDUE_EVERY_MS = 10 * 60_000;
const ARRIVALS_EVERY_MS = 5_000;
const HOLDS_EVERY_MS = 60_000;
const MISMATCHES_EVERY_MS = 60_000;
const MORNING_EVERY_MS = 60_000;
const LINKS_EVERY_MS = 15_000;
const MARKET_EVERY_MS = 1_000;
const DISCOVERY_EVERY_MS = 2_000;
/** Interval of searches for new work. It is longer for a remote store, where a search is slow. */
const SWEEP_MS = { local: 500, remote: 2_000 };
/** Pause before events are evaluated, so that events of many commits are evaluated together. */
const PAUSE_MIN_MS = 100;

export function createBackground(
  { store, clock, config, morning, market, indexes, ...setup }: BackgroundSetup,
): Background {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = config;
  const mailer = smtpUrl === null || from === null ? null : createMailer({ smtpUrl, from });
  const alerts = { isMailOn: mailer !== null };
  const limits = { allowed: config.SCRAPE_ALLOW_PRIVATE, ports: config.SCRAPE_ALLOW_PORTS };
  const sweepMs = setup.sweepMs ?? SWEEP_MS[store.kind === "remote" ? "remote" : "local"];
  const shared = { store, clock, sweepMs, random: Math.random };
  const { pauseMinMs = PAUSE_MIN_MS } = setup;

  const { deliveries, evaluation } = workLoops(config, { ...shared, pauseMinMs }, alerts);
  const care = { store, clock, deps: alerts };
  const mismatches = steadyLoop(
    "pages of other products",
    "alerts",
    MISMATCHES_EVERY_MS,
    async () => {
      await raiseMismatches(care);
      await closeDecided(care);
    },
  );
  // `shopWatch` must run first, so that rules do not use suspicious price changes of a shop.
  const listeners = [shopWatch, dirtyListener, createAlertListener(alerts), webhookListener];
  const onRelayed = () => mismatches.wake();
  const outbox = outboxLoop({ store, clock, sweepMs, pauseMinMs, onRelayed }, listeners);
  const { PUBLIC_URL: publicUrl } = config;
  const mails = mailer && createMailSender({ ...shared, mailer, publicUrl, log: roomLog("mail") });
  const asked = { store, clock, linkOf: setup.resetLink, isProviderOnly: config.OIDC_ONLY };
  const links = mailer &&
    steadyLoop("reset links", "mail", LINKS_EVERY_MS, () => sendLinks({ ...asked, mailer }));
  const loops = [
    outbox,
    evaluation,
    deliveries,
    mismatches,
    ...(mails ? [mails, ...dailyMailLoops({ store, clock, publicUrl, morning }, config)] : []),
    ...(links ? [links] : []),
    ...careLoops(care),
    steadyLoop("market", "market", MARKET_EVERY_MS, () => market.tend()),
    discoveryLoop({ store, clock, indexes, allowed: limits.allowed }),
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

function workLoops(
  config: Config,
  { pauseMinMs, ...shared }:
    & Pick<Parameters<typeof createDeliverer>[0], "store" | "clock" | "sweepMs" | "random">
    & { readonly pauseMinMs: number },
  alerts: { readonly isMailOn: boolean },
) {
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
  return { deliveries, evaluation };
}

function steadyLoop(
  name: string,
  room: string,
  sweepMs: number,
  work: (stopping: AbortSignal) => Promise<unknown>,
): WorkLoop {
  return new WorkLoop({
    name,
    sweepMs,
    log: roomLog(room),
    async round(stopping) {
      await work(stopping);
      return null;
    },
  });
}

function outboxLoop(
  { onRelayed, sweepMs, pauseMinMs, ...setup }: Pick<BackgroundSetup, "store" | "clock"> & {
    readonly sweepMs: number;
    readonly pauseMinMs: number;
    onRelayed(): void;
  },
  listeners: readonly OutboxListener[],
): WorkLoop {
  const log = roomLog("events");
  const position = new WalkPosition();
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

function dailyMailLoops(setup: MorningMailSetup, { AUDIT_MAIL_TO: to }: Config): WorkLoop[] {
  const morning = steadyLoop("mails of the morning", "mail", MORNING_EVERY_MS, () => {
    return queueMorningMails(setup);
  });
  if (!to) return [morning];
  const { store, clock } = setup;
  const seals = steadyLoop("mails of seals", "mail", OVERDUE_EVERY_MS, () => {
    return queueHeadMails({ store, clock, to });
  });
  return [morning, seals];
}

function discoveryLoop(setup: LinkingSetup): WorkLoop {
  const compareChanges = createChangeComparer(setup);
  const linkSuggestions = createSelfLinker(setup);
  return steadyLoop("known pages", "discovery", DISCOVERY_EVERY_MS, async (stopping) => {
    await compareChanges(stopping);
    await linkSuggestions(stopping);
  });
}

function careLoops(setup: ArrivalSetup): WorkLoop[] {
  const loop = (name: string, sweepMs: number, work: () => Promise<unknown>) =>
    steadyLoop(name, "care", sweepMs, work);
  return [
    loop("overdue imports", OVERDUE_EVERY_MS, async () => {
      await raiseOverdueImports(setup);
      await raiseSilentSources(setup);
    }),
    loop("arrivals", ARRIVALS_EVERY_MS, () => judgeArrivals(setup)),
    loop("old arrivals", OVERDUE_EVERY_MS, () => queueOldArrivals(setup)),
    loop("holds", HOLDS_EVERY_MS, () => publishHolds(setup)),
  ];
}
