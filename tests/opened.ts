/** Declares tests that get an opened object, such as an app. */

import { testNeeding } from "./needing.ts";

export interface TestsWith<Opened> {
  test(name: string, run: (opened: Opened) => unknown): void;
}

/** If this machine lacks something, `missing` names it, and the tests are ignored. */
export function testWith<Opened extends Disposable | AsyncDisposable>(
  open: () => Opened | Promise<Opened>,
  missing: string | null = null,
): TestsWith<Opened> {
  return {
    test: (name, run) =>
      testNeeding(missing, {
        name,
        async fn() {
          await using opened = await open();
          await run(opened);
        },
      }),
  };
}

/** Like `testWith`, but all tests share one object, which the first test opens. */
export function testWithOne<Opened extends AsyncDisposable>(
  open: () => Promise<Opened>,
): TestsWith<Opened> {
  let opening: Promise<Opened> | null = null;
  Deno.test.afterAll(async () => await (await opening)?.[Symbol.asyncDispose]());
  return {
    test: (name, run) => Deno.test(name, async () => void await run(await (opening ??= open()))),
  };
}
