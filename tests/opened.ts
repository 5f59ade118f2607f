/** Tests that open the same thing at their start and close it at their end. */

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
