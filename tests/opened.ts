/** Tests that open the same thing at the start and close it at the end. */

interface TestsWith<Opened> {
  /** Declares a test; `run` gets its own opened thing. */
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
