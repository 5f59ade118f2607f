import { Buffer } from "node:buffer";
import type { Locator, Page } from "playwright-core";

/** Opens the browser's own choice of files by a click, and chooses one. */
export async function chooseFile(
  page: Page,
  opener: Locator,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await opener.click();
  await (await choosing).setFiles({ name, mimeType: "text/xml", buffer: Buffer.from(bytes) });
}
