/**
 * Registers a test that needs something that not every machine has. `missing` is its name, or null
 * if it is there. Without it the test is ignored, and its name and the last lines of `deno task
 * test` say why.
 */
export function testNeeding(
  missing: string | null,
  test: Omit<Deno.TestDefinition, "ignore">,
): void {
  const name = missing === null ? test.name : `${test.name} (ignored: ${missing})`;
  Deno.test({ ...test, name, ignore: missing !== null });
}
