import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { startOpenIdProvider } from "../accounts/openid_provider.ts";
import { addFirstPerson } from "../accounts/people.ts";
import { startTestApp } from "../harness.ts";
import { violationsOf } from "./axe_of_page.ts";
import { withBrowser } from "./browser.ts";

const JANA = {
  sub: "jana-1",
  email: "jana@shop.example",
  email_verified: true,
  name: "Jana Petersen",
  groups: ["pricing"],
};

withBrowser.test("a person signs in and confirms a step at the provider, at 390 px", async (browser) => {
  let shiftMs = 0;
  await using provider = await startOpenIdProvider("kurant", JANA);
  await using app = await startTestApp({
    now: () => new Date(Date.now() + shiftMs),
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: "kurant",
      OIDC_ROLES: "groups: pricing=manager",
      OIDC_LABEL: "Firmenkonto",
      SCRAPE_ALLOW_PRIVATE: "127.0.0.1",
    },
  });
  await addFirstPerson(app, "owner@shop.example");
  const viewport = { width: 390, height: 844 };
  const { page } = await browser.visit(app.base, { viewport });
  await page.goto("/login");
  const button = page.getByRole("button", { name: "Mit Firmenkonto anmelden" });
  await button.waitFor();
  assertEquals(await violationsOf(page), []);
  assertEquals(await page.evaluate("document.documentElement.scrollWidth"), 390);
  await button.click();
  await page.waitForURL((url) => url.pathname === "/");
  const me = await page.request.get("/api/auth/me");
  assertEquals([(await me.json()).name, new URL(page.url()).pathname], ["Jana Petersen", "/"]);
  // For a protected step, the provider asks again and leads back to the page of that step.
  shiftMs = 11 * 60_000;
  await page.goto("/settings/security");
  await page.getByRole("button", { name: "App einrichten" }).click();
  const prove = page.getByRole("button", { name: "Bei Firmenkonto erneut anmelden" });
  await prove.waitFor();
  assertEquals(await violationsOf(page), []);
  // The browser leaves the page of the step and returns to it.
  const order: string[] = [];
  page.on("request", (asked) => order.push(`asks ${new URL(asked.url()).pathname}`));
  page.on("response", (got) => order.push(`has ${new URL(got.url()).pathname}`));
  const returned = page.waitForURL((url) => url.pathname === "/sign-in");
  await prove.click();
  await returned;
  await page.waitForURL((url) => url.pathname === "/settings/security");
  await page.getByRole("button", { name: "App einrichten" }).click();
  // An answer to the old session would renew the old cookie and so end the new session.
  const atFinish = order.indexOf("has /api/auth/provider/finish");
  assertEquals(order.slice(0, atFinish).includes("asks /api/auth/me"), false);
  await page.getByRole("img", { name: /QR/ }).waitFor();
});
