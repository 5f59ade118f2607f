import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { findLastSeal } from "../../../src/accounts/audit/audit_seal_store.ts";
import { sealAuditRows } from "../../../src/accounts/audit/seal_audit.ts";
import { DAY_MS } from "../../../src/base/time.ts";
import { queueHeadMails } from "../../../src/messages/alerts/timed_alerts.ts";
import { mailQueue } from "../../../src/messages/alerts/mail_store.ts";
import { bodyOf } from "../../api/answers.ts";
import { withApp } from "../../harness.ts";

withApp.test("the newest seal is mailed once a day, with the hash that audit verify accepts", async (app) => {
  const { store, app: { clock }, workspaceId } = app;
  const setup = { store, clock, to: ["audit@shop.example"] };
  assertEquals(await queueHeadMails(setup), 0);
  await bodyOf(app.manager.post("/api/products", { sku: "A-1", title: "Kanne" }), 201);
  await sealAuditRows({ store, clock });
  await Promise.all([queueHeadMails(setup), queueHeadMails(setup)]);
  await queueHeadMails(setup);
  const mails = await Array.fromAsync(mailQueue.list(store, [workspaceId]));
  assertEquals(mails.map(({ value }) => value.to), [["audit@shop.example"]]);
  const { hash = "", number } = await findLastSeal({ store, workspaceId }) ?? {};
  const { subject = "", text = "" } = mails[0]?.value.worded ?? {};
  match(subject, new RegExp(` ${number}$`));
  assertEquals(text.split("\n").includes(hash), true);
  app.clock.advance(DAY_MS);
  assertEquals(await queueHeadMails(setup), 1);
});
