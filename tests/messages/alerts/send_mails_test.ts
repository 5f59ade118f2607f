import { mailQueue } from "../../../src/messages/alerts/mail_store.ts";
import { BY_RULES, toStoredAlert } from "../../../src/messages/alerts/alert.ts";
import { AlertQuery, pageOfAlerts } from "../../../src/messages/alerts/read_alerts.ts";
import { dirtyQueue } from "../../../src/platform/events/outbox_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { alertOf, openAlertBench, UNDERCUT } from "./alert_bench.ts";
import { startSmtpServer } from "./smtp_server.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { column, valuesOf } from "../../api/answers.ts";
import { testWith } from "../../opened.ts";
import type { AlertFacts } from "../../../src/engine/wording/alert_facts.ts";
import { languageOf } from "../../../src/base/codes.ts";
import { createShow } from "../../../src/engine/wording/show.ts";
import { composeMail } from "../../../src/messages/alerts/send_mails.ts";
import { extent } from "../../proof.ts";

type Bench = Awaited<ReturnType<typeof openAlertBench>>;

async function mailsOf({ ctx }: Bench) {
  const { items } = await pageOfAlerts(ctx, AlertQuery.parse({ limit: "200" }));
  return column(items, "mail");
}

const withMailServer = testWith(startSmtpServer);

withMailServer.test("an alert is mailed once to owners and managers who have signed up", async (server) => {
  using bench = await openAlertBench(server.url);
  await bench.raise([alertOf(1, { title: "Preis für Kühlschränke\r\nBcc: x@evil.example" })]);
  assertEquals(await mailsOf(bench), ["queued"]);
  await bench.send();
  await bench.send();
  assertEquals(server.mails.length, 1);
  const [mail] = server.mails;
  assertEquals(mail?.to, ["owner@shop.example", "manager@shop.example"]);
  match(mail!.messageId, /^<[0-9a-f]{24}@shop\.example>$/);
  match(mail!.text, /Body 1/);
  ok(!/^Bcc:/im.test(mail!.text));
  assertEquals(await mailsOf(bench), ["sent"]);
});

withMailServer.test("a rule's own addresses replace the team; null sends no mail; without SMTP no mail is sent", async (server) => {
  using bench = await openAlertBench(server.url);
  await bench.raise([alertOf(1, { mailTo: ["buyer@shop.example"] }), alertOf(2, { mailTo: null })]);
  await bench.raise([alertOf(3)], { isMailOn: false });
  await bench.send();
  assertEquals(column(server.mails, "to"), [["buyer@shop.example"]]);
  assertEquals(await mailsOf(bench), ["sent", null, "off"]);
});

withMailServer.test("20 alerts of one commit are 20 mails, 21 are one mail", async (server) => {
  using bench = await openAlertBench(server.url);
  for (const count of [20, 21]) {
    await bench.raise(Array.from({ length: count }, (_, n) => alertOf(n)));
    await bench.send();
    assertEquals(server.mails.length, count);
  }
  match(server.mails[20]!.subject, /21 Meldungen/);
});

withMailServer.test("a large batch makes one mail per 900 alerts and receiver, once it is over", async (server) => {
  using bench = await openAlertBench(server.url);
  const raiseIn = async (batch: string, count: number, change = {}) => {
    for (let at = 0; at < count; at += 9) {
      const alerts = Array.from({ length: Math.min(9, count - at) }, (_, n) => alertOf(n, change));
      await bench.raise(alerts, { isMailOn: true }, batch);
      bench.clock.advance(10);
    }
  };
  const subjects = () => server.mails.map(({ subject }) => subject.replace("[Muster] ", ""));
  const batches = extent(2, 1);
  await raiseIn("import", 900 * batches + 50);
  await raiseIn("push", 20);
  await raiseIn("import", 30, { mailTo: ["buyer@shop.example"] });
  bench.clock.advance(4_800);
  await bench.send();
  assertEquals(subjects(), Array<string>(batches).fill("900 Meldungen"));
  bench.clock.advance(10_000);
  await Promise.all([bench.send(), bench.send()]);
  const rest = subjects().slice(batches);
  const digests = rest.filter((one) => / Meldungen$/.test(one)).sort();
  assertEquals(digests, ["30 Meldungen", "50 Meldungen"]);
  assertEquals(rest.filter((one) => /^Alert \d$/.test(one)).length, 20);
  assertEquals(server.mails.length, batches + 22);
  assertEquals(new Set(await mailsOf(bench)), new Set(["sent"]));
  assertEquals(await bench.send(), null);
});

withMailServer.test("a batch waits for the evaluation of its workspace's products, at most ten minutes", async (server) => {
  using bench = await openAlertBench(server.url);
  const { ctx, clock } = bench;
  const raise = async (count: number) => {
    const alerts = Array.from({ length: count }, (_, n) => alertOf(n));
    await bench.raise(alerts, { isMailOn: true }, BY_RULES);
  };
  const subjects = async (waitMs: number) => {
    clock.advance(waitMs);
    // The first call only postpones the mail, and the second call sends it.
    await bench.send();
    await bench.send();
    return server.mails.map(({ subject }) => subject);
  };
  const value = { cause: "rule", ref: null, productIds: [ctx.workspaceId], from: 0 } as const;
  const row = { partition: [ctx.workspaceId], id: ctx.newId(), dueMs: ctx.now().getTime(), value };
  await transact(ctx, (write) => dirtyQueue.add(write, row));
  await raise(15);
  assertEquals(await subjects(60_000), []);
  await raise(15);
  assertEquals(await subjects(60_000), []);
  await transact(ctx, async (write) => {
    const found = await dirtyQueue.findAgain(ctx.store, row);
    if (found) dirtyQueue.take(write, found);
  });
  assertEquals(await subjects(10_000), ["[Muster] 30 Meldungen"]);
  await transact(ctx, (write) => dirtyQueue.add(write, row));
  await raise(25);
  await subjects(590_000);
  assertEquals((await subjects(11_000)).slice(1), ["[Muster] 25 Meldungen"]);
});

withMailServer.test("a batch that does not end is mailed every ten minutes", async (server) => {
  using bench = await openAlertBench(server.url);
  for (let second = 0; second < 720; second += 4) {
    await bench.raise([alertOf(second)], { isMailOn: true }, "import");
    bench.clock.advance(4_000);
    if (second % 40 === 36) await bench.send();
  }
  assertEquals(column(server.mails, "subject"), ["[Muster] 150 Meldungen"]);
});

Deno.test("a server that is down for hours loses no mail and gets each one once, under one Message-ID", async () => {
  const server = startSmtpServer();
  const { url } = server;
  await server[Symbol.asyncDispose]();
  using bench = await openAlertBench(url);
  await bench.raise([alertOf(1), alertOf(2)]);
  for (let tries = 0; tries < 3; tries++) {
    const nextMs = await bench.send();
    ok(nextMs !== null && (tries > 0 || nextMs <= 10_000));
    bench.clock.advance(nextMs);
  }
  assertEquals(await mailsOf(bench), ["queued", "queued"]);
  await using back = startSmtpServer(Number(new URL(url).port));
  await bench.send();
  assertEquals(column(back.mails, "subject"), ["[Muster] Alert 1", "[Muster] Alert 2"]);
  assertEquals(await mailsOf(bench), ["sent", "sent"]);
  assertEquals(await bench.send(), null);
});

withMailServer.test("a temporary refusal is tried 8 times over a day, a permanent one once", async (server) => {
  using bench = await openAlertBench(server.url);
  server.answer(451);
  const startMs = bench.ctx.now().getTime();
  await bench.raise([alertOf(1)]);
  let tries = 0;
  for (let nextMs: number | null = 0; nextMs !== null; tries++) {
    bench.clock.advance(nextMs);
    nextMs = await bench.send();
    // The first call may have read the row before it was moved. The second call then finds the time
    // of the next attempt.
    nextMs ??= await bench.send();
  }
  const hours = (bench.ctx.now().getTime() - startMs) / 3_600_000;
  ok(hours > 23 && hours < 25, `${hours} h`);
  assertEquals([tries, await mailsOf(bench)], [8, ["failed"]]);
  server.answer(550);
  await bench.raise([alertOf(2)]);
  await bench.send();
  assertEquals(await mailsOf(bench), ["failed", "failed"]);
  assertEquals(server.mails, []);
});

withMailServer.test("a mail whose text is already composed is sent unchanged, also after a refusal", async (server) => {
  using bench = await openAlertBench(server.url);
  const { ctx } = bench;
  const to = ["viewer@shop.example"];
  const subject = "Morgen: 1 Vorschlag offen";
  await transact(ctx, (write) => {
    const value = { alertIds: [], to, failures: 0, worded: { subject, text: "Nur dies.\n" } };
    const row = { partition: [ctx.workspaceId], id: ctx.newId(), dueMs: ctx.now().getTime() };
    mailQueue.add(write, { ...row, value });
  });
  server.answer(451);
  await bench.send();
  assertEquals(server.mails.length, 0);
  server.answer(250);
  bench.clock.advance(3_600_000);
  await bench.send();
  await bench.send();
  assertEquals(valuesOf(server.mails, "to", "subject"), [[to, subject]]);
  match(server.mails[0]!.text, /Nur dies\./);
});

const CHEAPER = {
  ...UNDERCUT,
  ruleName: "Unterbieten",
  sku: "4711-A",
  productTitle: "Kühlschrank\r\nBcc: x@evil.example",
  currentCents: 123_456,
  proposedCents: 119_900,
  competitorCents: 119_900,
};
const LAST_AT = "2026-03-29T01:30:00.000Z";
const OVERDUE: AlertFacts = { code: "import_overdue", hours: 26, lastAt: LAST_AT };

function mailIn(locale: string, facts: readonly AlertFacts[]) {
  const rest = { id: "1", createdAt: "2026-03-30T00:00:00.000Z", mailId: "2", isMailOff: false };
  const alerts = facts.map((fact) => toStoredAlert(alertOf(1, { facts: fact }), rest));
  const settings = { locale, timeZone: "Europe/Berlin", currency: "EUR" };
  const show = createShow(settings, () => 0);
  const publicUrl = "https://prices.shop.example";
  const to = { language: languageOf(locale), show, workspace: "Muster", publicUrl };
  const { subject, text } = composeMail(alerts, to);
  return { subject, text: text.replaceAll(/[\u00a0\u202f]/g, " ") };
}

Deno.test("a German mail states the rule's facts and result in German, with German amounts", () => {
  assertEquals(mailIn("de-DE", [CHEAPER]), {
    subject: "[Muster] 4711-A Kühlschrank Bcc: x@evil.example",
    text: "4711-A Kühlschrank\r\nBcc: x@evil.example\nDringlichkeit: mittel\n\n" +
      "Unterbieten: acme.example verlangt 1.199,00 €, 2,9 % weniger als wir (1.234,56 €). " +
      "Vorschlag: 1.199,00 €.\n\n--\n\nAlle Meldungen: https://prices.shop.example\n",
  });
});

Deno.test("all other locales read English, with their own format of amounts and times", () => {
  const { subject, text } = mailIn("en-GB", [CHEAPER, OVERDUE]);
  assertEquals(subject, "[Muster] 2 alerts");
  const said = [
    "acme.example charges €1,199.00, 2.9% less than we do (€1,234.56). Proposal: €1,199.00.",
    "No import for 26 hours\nSeverity: medium\n\nThe last successful import was at 29 Mar 2026, 03:30.",
  ];
  assertEquals(said.filter((wanted) => !text.includes(wanted)), []);
});

Deno.test("a digest shows 20 alerts in full and names the others", () => {
  const { subject, text } = mailIn("de-DE", Array.from({ length: 1_022 }, () => OVERDUE));
  assertEquals(subject, "[Muster] 1.022 Meldungen");
  assertEquals(text.match(/Dringlichkeit: mittel/g)?.length, 20);
  assertEquals(text.match(/^- Seit 26 Stunden kein Import$/gm)?.length, 1_002);
  assertEquals(text.includes("Und 1.002 weitere:"), true);
});

withMailServer.test("a batch queued before the clock went back an hour is mailed at once", async (server) => {
  using bench = await openAlertBench(server.url);
  await bench.raise([alertOf(1)], { isMailOn: true }, "import");
  bench.clock.advance(-3_600_000);
  await bench.send();
  assertEquals(await mailsOf(bench), ["sent"]);
});

Deno.test("a mail has the language of the workspace", async () => {
  const spoken: string[] = [];
  for (const locale of ["de-AT", "en-GB"]) {
    await using server = startSmtpServer();
    using bench = await openAlertBench(server.url, { locale });
    await bench.raise([alertOf(1)]);
    await bench.send();
    spoken.push(...server.mails.map(({ text }) => /^\w+: \w+$/m.exec(text)?.[0] ?? text));
  }
  assertEquals(spoken, ["Dringlichkeit: mittel", "Severity: medium"]);
});
