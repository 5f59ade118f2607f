import type { Page } from "playwright-core";

/**
 * Evaluates an expression in the page as soon as an element matching `selector` is inserted, before
 * later code of the page runs. In the expression, `element` is the inserted element. Returns a
 * function that waits for the value.
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
