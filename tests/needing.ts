/**
 * Registers a test that needs something that some machines lack. `missing` names what this machine
 * lacks; null means that the test can run. If something is missing, the test is ignored, and its
 * name and the last lines of `deno task test` say why.
 */
export function testNeeding(
  missing: string | null,
  test: Omit<Deno.TestDefinition, "ignore">,
): void {
  const name = missing === null ? test.name : `${test.name} (ignored: ${missing})`;
  Deno.test({ ...test, name, ignore: missing !== null });
}
