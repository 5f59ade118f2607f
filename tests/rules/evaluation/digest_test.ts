import { startRulesApp } from "./market.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { startSmtpServer } from "../../messages/smtp_server.ts";
import { column, everyItem } from "../../api/answers.ts";
import { pushed } from "../../shops/observations/made_observations.ts";
import { until } from "../../patience.ts";
import { extent } from "../../proof.ts";
import { undercut } from "./fires.ts";

/** More than 20 alerts are sent as one mail. */
const COUNT = extent(60, 21);
const MAIL = { actions: [{ type: "alert_email", to: ["buyer@shop.example"] }] };
const SKUS = Array.from({ length: COUNT }, (_, n) => `SKU-${n}`);

Deno.test(`${COUNT} undercut products give one mail that names them all, caused by one change or by one for each`, async () => {
  await using server = startSmtpServer();
  const env = { SMTP_URL: server.url, MAIL_FROM: "prices@shop.example" };
  await using app = await startRulesApp({ env });
  let sent = 0;
  /** For each mail sent since the last call, returns how many products it names. */
  const mails = async () => {
    await app.judged();
    app.clock.advance(10_000);
    await until("every mail is sent", async () => {
      const states = column(await everyItem(app.owner, "/api/alerts?limit=200"), "mail");
      return states.length > 0 && states.every((state) => state === "sent");
    });
    const fresh = server.mails.slice(sent);
    sent = server.mails.length;
    return fresh.map(({ text }) =>
      SKUS.filter((sku) => new RegExp(`${sku}$`, "m").test(text)).length
    );
  };
  await undercut(app, COUNT);
  await app.addRule(MAIL);
  assertEquals(await mails(), [COUNT]);
  const pusher = await app.key(["observations:write"]);
  for (const sku of SKUS) {
    await pushed(pusher, [{ sku, url: `https://acme.example/${sku}`, price: 92, currency: "EUR" }]);
  }
  assertEquals(await mails(), [COUNT]);
});
