import { ok } from "node:assert/strict";
import type { Locator, Page } from "playwright-core";

/** Simulates a person and counts the actions. */
export function countPerson(page: Page) {
  const actions: string[] = [];
  return {
    async open(path: string) {
      actions.push(`opens ${path.replace(/#.*/, "")}`);
      await page.goto(path);
    },
    async click(target: Locator) {
      actions.push(`clicks ${target}`);
      await target.click();
    },
    async press(...keys: readonly string[]) {
      for (const key of keys) {
        actions.push(`presses ${key}`);
        await page.keyboard.press(key);
      }
    },
    /** Filling a field counts as one action, however long the text is. */
    async write(field: Locator, text: string) {
      actions.push(`writes ${text} into ${field}`);
      const isChoice = await field.evaluate((one) => one.tagName === "SELECT");
      await (isChoice ? field.selectOption(text) : field.fill(text));
    },
    async drop(field: Locator, name: string, bytes: Uint8Array, type = "text/xml") {
      actions.push(`drops ${name}`);
      const file = JSON.stringify([bytes.toBase64(), name, { type }]);
      const dataTransfer = await page.evaluateHandle(`(() => {
        const [base64, name, options] = ${file};
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.fromBase64(base64)], name, options));
        return transfer;
      })()`);
      await field.dispatchEvent("dragover", { dataTransfer });
      await field.dispatchEvent("drop", { dataTransfer });
    },
    didAtMost(bound: number) {
      const done = actions.splice(0);
      ok(
        done.length > 0 && done.length <= bound,
        `${done.length} actions, not ${bound} at most:\n${done.join("\n")}`,
      );
    },
  };
}
