/**
 * A test store with a workspace and its people, a settable clock, and a mail sender that tests
 * start step by step.
 */
import { type AlertDeps, type NewAlert, raiseAlerts } from "../../../src/messages/alerts/alert.ts";
import { mailQueue } from "../../../src/messages/alerts/mail_store.ts";
import { createMailSender } from "../../../src/messages/alerts/send_mails.ts";
import { addUserRows } from "../../../src/accounts/users/user.ts";
import type { Role } from "../../../src/accounts/roles.ts";
import { relayOutbox } from "../../../src/platform/events/outbox_store.ts";
import { WalkPosition } from "../../../src/platform/store/row_queue_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { roomLog } from "../../../src/platform/log.ts";
import { createMailer } from "../../../src/platform/mail.ts";
import { addTestWorkspace } from "../../catalogue/catalogue_workspace.ts";
import { openMemoryStore } from "../../memory_store.ts";
import { createTestClock } from "../../platform/jobs/counting.ts";

const FROM = "Kurant <prices@shop.example>";

export function alertOf(n: number, change: Partial<NewAlert> = {}): NewAlert {
  const texts = { title: `Alert ${n}`, body: `Body ${n}` };
  return { severity: "medium", ruleId: null, productId: null, ...texts, mailTo: "team", ...change };
}

export const UNDERCUT = {
  code: "rule_fired",
  ruleName: "Kaffee",
  sku: "K-1",
  productTitle: "Kanne",
  trigger: "competitor_undercut",
  outcome: "propose",
  currency: "EUR",
  currentCents: 1_000,
  proposedCents: 900,
  marginPct: null,
  competitor: "acme.example",
  competitorCents: 900,
  guard: null,
} as const;

export async function openAlertBench(smtpUrl: string, { locale = "de-DE" } = {}) {
  const store = await openMemoryStore();
  const clock = createTestClock();
  const ctx = await addTestWorkspace(store, clock, { name: "Muster", locale });
  await transact(ctx, (write) => {
    const person = (role: Role, name: string, passwordHash: string | null) =>
      addUserRows(write, {
        id: clock.newId(),
        workspaceId: ctx.workspaceId,
        email: `${name}@shop.example`,
        role,
        passwordHash,
        sessionGeneration: 0,
        createdAt: ctx.now().toISOString(),
      });
    person("owner", "owner", "x");
    person("manager", "manager", "x");
    person("manager", "invited", null);
    person("viewer", "viewer", "x");
  });
  const mailer = createMailer({ smtpUrl, from: FROM });
  const mail = { mailer, publicUrl: "https://prices.shop.example", log: roomLog("mail") };
  const setup = { store, clock, ...mail, sweepMs: 600_000, random: () => 0.5 };
  const nextDueMs = async () => {
    const row = await mailQueue.findBehind(store, null);
    return row && row.dueMs - ctx.now().getTime();
  };
  return {
    store,
    clock,
    ctx,
    async raise(
      alerts: readonly NewAlert[],
      deps: AlertDeps = { isMailOn: true },
      batch: string | null = null,
    ) {
      return await transact(ctx, (write) => raiseAlerts(write, ctx, deps, alerts, batch));
    },
    /** Sends all due mails as a new process. Returns the milliseconds until the next attempt. */
    async send() {
      const position = new WalkPosition();
      await relayOutbox({ store, clock, listeners: [], log: setup.log, position });
      const sender = createMailSender(setup);
      let nextMs: number | null;
      do {
        await sender.round(new AbortController().signal);
        await sender.drain();
        nextMs = await nextDueMs();
      } while (nextMs !== null && nextMs <= 0);
      return nextMs;
    },
    [Symbol.dispose]: () => store.kv.close(),
  };
}
