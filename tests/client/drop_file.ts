import type { Locator } from "playwright-core";

export async function dropFile(
  target: Locator,
  name: string,
  bytes: Uint8Array,
  mediaType = "text/xml",
): Promise<void> {
  const [data, file] = [JSON.stringify(bytes.toBase64()), JSON.stringify(name)];
  const type = JSON.stringify(mediaType);
  const dataTransfer = await target.page().evaluateHandle(`(() => {
    const bytes = Uint8Array.from(atob(${data}), (char) => char.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], ${file}, { type: ${type} }));
    return transfer;
  })()`);
  await target.dispatchEvent("dragover", { dataTransfer });
  await target.dispatchEvent("drop", { dataTransfer });
}
