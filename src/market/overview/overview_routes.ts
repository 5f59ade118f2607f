import { z } from "@hono/zod-openapi";
import { MailTestResult } from "../../messages/alerts/send_test_mail.ts";
import { viewer } from "../../accounts/route_access.ts";
import { setDailyMail } from "../../accounts/users/change_user.ts";
import { one } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import type { Mailer } from "../../platform/mail.ts";
import type { MorningDeps } from "./morning_facts.ts";
import { Overview, type OverviewDeps, readOverview } from "./read_overview.ts";
import { MorningMail, readMorningMail, sendMorningNow } from "./send_morning_mails.ts";
import { type FreshnessDeps, readShopFreshness, ShopFreshness } from "./shop_freshness.ts";

interface MailDeps {
  readonly mailer: Mailer | null;
  readonly publicUrl: string | null;
  readonly morning: MorningDeps;
}

const MailChange = z.strictObject({ isOn: z.boolean() }).meta({ id: "MorningMailChange" });

/** The first page of the web client, and the same as a mail. */
export function overviewRoutes(deps: OverviewDeps & FreshnessDeps & MailDeps) {
  return resource("/overview", { look: { people: viewer }, change: { people: viewer } })
    .get("", {
      answer: one(Overview, "What happened last, and what waits for a decision"),
    }, ({ ctx }) => readOverview(ctx, deps))
    .get("/shops", {
      answer: one(ShopFreshness, "How fresh the prices of each shop are"),
    }, ({ ctx }) => readShopFreshness(ctx, deps))
    .get("/mail", {
      answer: one(MorningMail, "Whether the person gets the mail of the morning"),
    }, ({ ctx }) => readMorningMail(ctx, deps.mailer))
    .patch("/mail", {
      body: MailChange,
      answer: one(MorningMail, "As it is from now on"),
    }, async ({ ctx, body }) => {
      await setDailyMail(ctx, body.isOn);
      return await readMorningMail(ctx, deps.mailer);
    })
    .post("/mail/test", {
      waitsForOthers: true,
      answer: one(MailTestResult, "What the SMTP server said"),
    }, ({ ctx }) => sendMorningNow(ctx, deps)).routes;
}
