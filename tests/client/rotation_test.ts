import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { follow, onScreen } from "./browser.ts";

onScreen.test("an owner rotates a key and a webhook's secret, and each is shown once", async ({ app, browser }) => {
  const made = await app.owner.create("/api/keys", { name: "ERP", scopes: [] });
  const page = await browser.open(app, "/settings/keys");
  await page.getByRole("row", { name: /ERP/ }).getByRole("button", { name: "Austauschen" })
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Austauschen" }).click();
  const told = page.getByRole("dialog", { name: "Ihr neuer Schlüssel" });
  await told.getByText(/^pk_live_[0-9A-Za-z]{32}$/).first().waitFor();
  const { items } = await app.owner.read("/api/keys");
  assertEquals(
    items.map(({ id, expiresAt }: { id: string; expiresAt: string | null }) => [
      id === made.id,
      expiresAt === null,
    ]),
    [[true, false], [false, true]],
  );

  const hook = { url: "https://erp.example/hook", events: ["price.changed"] };
  const { id } = await app.owner.create("/api/webhooks", hook);
  await follow(page, "/settings/webhooks");
  await page.getByRole("button", { name: hook.url }).click();
  await page.getByRole("button", { name: "Geheimnis austauschen" }).click();
  await page.getByRole("dialog", { name: "Geheimnis austauschen?" })
    .getByRole("button", { name: "Geheimnis austauschen" }).click();
  await page.getByText(/^whsec_/).first().waitFor();
  const log = await app.owner.read(`/api/audit-logs?action=webhook.rotate`);
  assertEquals(log.items.map(({ resource }: { resource: { id: string } }) => resource.id), [id]);
});
