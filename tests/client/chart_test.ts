import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { addProducts, onScreen } from "./browser.ts";

onScreen.test("the chart shows all prices of a time by mouse and by keys, and zooms to a dragged range", async ({ app, browser }) => {
  const [id = ""] = await addProducts(app, [{ sku: "A-1", title: "A", ourPrice: 100 }]);
  const page = await browser.open(app, `/products/${id}`, {});
  const chart = page.getByRole("slider");
  await chart.waitFor();
  const box = await chart.boundingBox();
  ok(box);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 60, y);
  await page.locator(".tip").waitFor();
  ok((await page.locator(".tip").textContent())?.includes("Wir"));
  await page.mouse.move(box.x - 5, box.y - 40);
  await page.locator(".tip").waitFor({ state: "detached" });

  await chart.focus();
  await page.keyboard.press("End");
  const spoken = await chart.getAttribute("aria-valuetext");
  ok(spoken?.includes("Wir 100,00"), spoken ?? "");
  await page.locator(".tip").waitFor();
  await page.keyboard.press("Escape");

  const left = () => chart.getAttribute("aria-valuemin").then(Number);
  const before = await left();
  await page.mouse.move(box.x + box.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 60, y, { steps: 4 });
  await page.mouse.up();
  await page.getByRole("button", { name: "Ganzen Zeitraum zeigen" }).waitFor();
  ok(await left() > before);
  await page.getByRole("button", { name: "7 Tage" }).click();
  await page.getByRole("button", { name: "Ganzen Zeitraum zeigen" }).waitFor({ state: "detached" });
  const styled = await page.locator(".chart svg[style], .chart svg [style]").count();
  assertEquals(styled, 0);
});
