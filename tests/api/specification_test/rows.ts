/** Rows of the customer's specification, one test each: `§2.1 sku` + what must hold, in our own words. */
import { newWorkspaceOn, serveApp, type ServedApp, type TestApp } from "../../harness.ts";

/** A product over the in-app interface, as the pricing manager would make it. */
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

/** Registers one row as a test in a workspace of its own; the app is that of all rows. */
export function row(name: string, check: (app: TestApp) => Promise<void>): void {
  Deno.test({
    name: `specification ${name}`,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => await check(await newWorkspaceOn(await (served ??= serveApp()))),
  });
}

/** The body of an answer that must have the status; the message shows what came instead. */
export async function bodyOf(response: Response | Promise<Response>, status: number) {
  const answer = await response;
  const text = await answer.text();
  if (answer.status !== status) {
    throw new Error(`Expected ${status}, got ${answer.status}: ${text.slice(0, 500)}`);
  }
  return JSON.parse(text);
}
