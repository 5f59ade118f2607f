import type { Page } from "playwright-core";

/**
 * Has the page evaluate an expression in the very moment an element is first drawn, before anything that
 * comes behind the drawing; in it, `element` is what was drawn. Returns how to wait for its value.
 */
export async function whenDrawn(
  page: Page,
  selector: string,
  expression: string,
): Promise<() => Promise<unknown>> {
  await page.evaluate(`(() => {
    window.atDrawing = new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        const element = document.querySelector(${JSON.stringify(selector)});
        if (element === null) return;
        observer.disconnect();
        resolve(${expression});
      }).observe(document.body, { childList: true, subtree: true });
    });
  })()`);
  return () => page.evaluate("window.atDrawing");
}
