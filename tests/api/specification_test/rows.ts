/** Rows of the customer's specification, one test each: `§2.1 sku` and its requirement in our words. */
import { newWorkspaceOn, serveApp, type ServedApp, type TestApp } from "../../harness.ts";

/** A product over the in-app interface, as a pricing manager would create it. */
export const SAMPLE = {
  sku: "4711-A",
  title: "Kühlschrank KS 300",
  brand: "Sony",
  category: "Haushalt",
  ourPrice: 299.99,
  currency: "EUR",
};

let served: Promise<ServedApp> | null = null;
Deno.test.afterAll(async () => await (await served)?.[Symbol.asyncDispose]());

/** Registers one row as a test in a workspace of its own; all rows share one app. */
export function row(name: string, check: (app: TestApp) => Promise<void>): void {
  Deno.test({
    name: `specification ${name}`,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => await check(await newWorkspaceOn(await (served ??= serveApp()))),
  });
}

/** The body of an answer with this status; any other status throws with the body's text. */
export async function bodyOf(response: Response | Promise<Response>, status: number) {
  const answer = await response;
  const text = await answer.text();
  if (answer.status !== status) {
    throw new Error(`Expected ${status}, got ${answer.status}: ${text.slice(0, 500)}`);
  }
  return JSON.parse(text);
}
