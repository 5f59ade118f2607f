import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { startSmtpServer } from "../../messages/alerts/smtp_server.ts";
import { everyItem } from "../../api/answers.ts";
import { startTestApp, type TestApp } from "../../harness.ts";
import { until } from "../../patience.ts";
import { extent } from "../../proof.ts";
import { undercut } from "./fires.ts";
import { addRule, untilJudged } from "./market.ts";

/** More than 20 alerts, each of which would get its own mail without the digest. */
const COUNT = extent(60, 21);
const MAIL = { actions: [{ type: "alert_email", to: ["buyer@shop.example"] }] };
const SKUS = Array.from({ length: COUNT }, (_, n) => `SKU-${n}`);

async function startShop() {
  const server = startSmtpServer();
  const env = { SMTP_URL: server.url, MAIL_FROM: "prices@shop.example" };
  const app = await startTestApp({ env });
  let sent = 0;
  return {
    app,
    /** Returns the number of products in each mail that was sent since the last call. */
    async mails(): Promise<number[]> {
      await untilJudged(app);
      app.clock.advance(10_000);
      await until("every mail is sent", async () => {
        const states = await mailStates(app);
        return states.length > 0 && states.every((state) => state === "sent");
      });
      const fresh = server.mails.slice(sent);
      sent = server.mails.length;
      return fresh.map(({ text }) =>
        SKUS.filter((sku) => new RegExp(`${sku}$`, "m").test(text)).length
      );
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function mailStates({ owner }: TestApp): Promise<(string | null)[]> {
  return (await everyItem(owner, "/api/alerts?limit=200")).map(({ mail }) => mail);
}

Deno.test(`${COUNT} undercut products give one mail that names them all, caused by one change or by one for each`, async () => {
  await using shop = await startShop();
  const { app } = shop;
  await undercut(app, COUNT);
  await addRule(app.owner, MAIL);
  assertEquals(await shop.mails(), [COUNT]);
  const pusher = await app.key(["observations:write"]);
  for (const sku of SKUS) {
    const observation = { sku, url: `https://acme.example/${sku}`, price: 92, currency: "EUR" };
    await pusher.act("/api/public/v1/observations", { observations: [observation] });
  }
  assertEquals(await shop.mails(), [COUNT]);
});
