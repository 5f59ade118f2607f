/** Tests that open the same thing, each for itself or one for all tests of a file. */

export interface TestsWith<Opened> {
  /** Declares a test, for which a new thing is opened. */
  test(name: string, run: (opened: Opened) => unknown): void;
}

export function testWith<Opened extends Disposable | AsyncDisposable>(
  open: () => Opened | Promise<Opened>,
): TestsWith<Opened> {
  return {
    test: (name, run) =>
      Deno.test(name, async () => {
        await using opened = await open();
        await run(opened);
      }),
  };
}

/** Like `testWith`, but all tests use the same thing, which is opened by the first one. */
export function testWithOne<Opened extends AsyncDisposable>(
  open: () => Promise<Opened>,
): TestsWith<Opened> {
  let opening: Promise<Opened> | null = null;
  Deno.test.afterAll(async () => await (await opening)?.[Symbol.asyncDispose]());
  return {
    test: (name, run) => Deno.test(name, async () => void await run(await (opening ??= open()))),
  };
}
