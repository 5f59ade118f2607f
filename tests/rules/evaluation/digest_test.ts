import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { startSmtpServer } from "../../messages/alerts/smtp_server.ts";
import { bodyOf, everyItem } from "../../api/answers.ts";
import { startTestApp, type TestApp } from "../../harness.ts";
import { IMPORT, itemsXml, sendXml } from "../../imports/import_calls.ts";
import { until } from "../../patience.ts";
import { extent } from "../../proof.ts";
import { undercut } from "./fires.ts";
import { addRule, push, untilJudged } from "./market.ts";

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

Deno.test(`${COUNT} undercut products give one mail that names them all, whatever caused the evaluation`, async () => {
  await using shop = await startShop();
  const { app } = shop;
  const ids = await undercut(app, COUNT);
  const said: Record<string, number[]> = {};

  const ruleId = await addRule(app.owner, MAIL);
  said.saved = await shop.mails();
  await app.owner.change(`/api/rules/${ruleId}`, { priority: 7 });
  said.changed = await shop.mails();
  await app.owner.change("/api/settings", { vatRatePct: 19 });
  said.settings = await shop.mails();
  const bulk = { ids, set: { priceLocked: true } };
  await app.owner.act("/api/products/bulk", bulk);
  said.bulk = await shop.mails();
  for (const id of ids) {
    await app.owner.change(`/api/products/${id}`, { targetPrice: 130 });
  }
  said.patches = await shop.mails();
  const erp = await app.key(["products:write"]);
  const items = SKUS.map((sku) => ({ sku, title: sku, price: "101,00" }));
  const { data } = await bodyOf(sendXml(erp, itemsXml(items)), 200);
  await erp.read(`${IMPORT}/${data.jobId}`);
  said.imported = await shop.mails();
  await push(app, SKUS.map((sku) => [sku, "acme", 91]));
  said.pushed = await shop.mails();
  const pusher = await app.key(["observations:write"]);
  for (const sku of SKUS) {
    const observation = { sku, url: `https://acme.example/${sku}`, price: 92, currency: "EUR" };
    await pusher.act("/api/public/v1/observations", { observations: [observation] });
  }
  said.pushes = await shop.mails();

  const one = [COUNT];
  const causes = [
    "saved",
    "changed",
    "settings",
    "bulk",
    "patches",
    "imported",
    "pushed",
    "pushes",
  ];
  assertEquals(said, Object.fromEntries(causes.map((cause) => [cause, one])));
});
