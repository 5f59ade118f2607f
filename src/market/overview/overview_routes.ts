import { viewer } from "../../accounts/route_access.ts";
import { setDailyMail } from "../../accounts/users/change_user.ts";
import { MailTestResult } from "../../messages/alerts/send_test_mail.ts";
import { jsonAnswer, jsonBody, room, route } from "../../platform/http/http.ts";
import type { Mailer } from "../../platform/mail.ts";
import type { MorningDeps } from "./morning_facts.ts";
import { Overview, type OverviewDeps, readOverview } from "./read_overview.ts";
import { MorningMail, readMorningMail, sendMorningNow } from "./send_morning_mails.ts";
import { type FreshnessDeps, readShopFreshness, ShopFreshness } from "./shop_freshness.ts";
import { z } from "@hono/zod-openapi";

const read = route({
  method: "get",
  path: "/api/overview",
  access: viewer,
  responses: { 200: jsonAnswer(Overview, "What happened last, and what waits for a decision") },
});

const shops = route({
  method: "get",
  path: "/api/overview/shops",
  access: viewer,
  responses: { 200: jsonAnswer(ShopFreshness, "How fresh the prices of each shop are") },
});

const mail = route({
  method: "get",
  path: "/api/overview/mail",
  access: viewer,
  responses: { 200: jsonAnswer(MorningMail, "Whether the person gets the mail of the morning") },
});

const setMail = route({
  method: "patch",
  path: "/api/overview/mail",
  access: viewer,
  request: {
    body: jsonBody(z.strictObject({ isOn: z.boolean() }).meta({ id: "MorningMailChange" })),
  },
  responses: { 200: jsonAnswer(MorningMail, "As it is from now on") },
});

const mailTest = route({
  method: "post",
  path: "/api/overview/mail/test",
  access: viewer,
  waitsForOthers: true,
  responses: { 200: jsonAnswer(MailTestResult, "What the SMTP server said") },
});

interface MailDeps {
  readonly mailer: Mailer | null;
  readonly publicUrl: string | null;
  readonly morning: MorningDeps;
}

/** The first page of the web client, and the same as a mail. */
export function overviewRoutes(deps: OverviewDeps & FreshnessDeps & MailDeps) {
  return room()
    .openapi(read, async (c) => c.json(await readOverview(c.var.ctx, deps), 200))
    .openapi(shops, async (c) => c.json(await readShopFreshness(c.var.ctx, deps), 200))
    .openapi(mail, async (c) => c.json(await readMorningMail(c.var.ctx, deps.mailer), 200))
    .openapi(setMail, async (c) => {
      await setDailyMail(c.var.ctx, c.req.valid("json").isOn);
      return c.json(await readMorningMail(c.var.ctx, deps.mailer), 200);
    })
    .openapi(mailTest, async (c) => c.json(await sendMorningNow(c.var.ctx, deps), 200));
}
