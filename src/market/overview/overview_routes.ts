import { z } from "@hono/zod-openapi";
import { MailTestResult } from "../../messages/alerts/send_mails.ts";
import { viewer } from "../../accounts/route_access.ts";
import { setDailyMail } from "../../accounts/users/change_user.ts";
import { one } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import type { Mailer } from "../../platform/mail.ts";
import { type MorningDeps, Overview, type OverviewDeps, readOverview } from "./read_overview.ts";
import { MorningMail, readMorningMail, sendMorningNow } from "./send_morning_mails.ts";
import { type FreshnessDeps, readShopFreshness, ShopFreshness } from "./shop_freshness.ts";

interface MailDeps {
  readonly mailer: Mailer | null;
  readonly publicUrl: string | null;
  readonly morning: MorningDeps;
}

const MailChange = z.strictObject({ isOn: z.boolean() }).meta({ id: "MorningMailChange" });

export function overviewRoutes(deps: OverviewDeps & FreshnessDeps & MailDeps) {
  return resource("/overview", { read: { people: viewer }, change: { people: viewer } })
    .get("", {
      answer: one(Overview, "Recent events, and open decisions"),
    }, ({ ctx }) => readOverview(ctx, deps))
    .get("/shops", {
      answer: one(ShopFreshness, "The freshness of each shop's prices"),
    }, ({ ctx }) => readShopFreshness(ctx, deps))
    .get("/mail", {
      answer: one(MorningMail, "Whether the person gets the morning mail"),
    }, ({ ctx }) => readMorningMail(ctx, deps.mailer))
    .patch("/mail", {
      body: MailChange,
      answer: one(MorningMail, "The new setting"),
    }, async ({ ctx, body }) => {
      await setDailyMail(ctx, body.isOn);
      return await readMorningMail(ctx, deps.mailer);
    })
    .post("/mail/test", {
      waitsForOthers: true,
      answer: one(MailTestResult, "The answer of the SMTP server"),
    }, ({ ctx }) => sendMorningNow(ctx, deps)).routes;
}
