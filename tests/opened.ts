/** Tests that begin by opening the same thing, which is closed at their end. */

interface TestsWith<Opened> {
  /** Declares a test; `run` gets what was opened for it alone. */
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
