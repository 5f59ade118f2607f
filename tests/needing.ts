/**
 * Registers a test that needs what not every machine has. `missing` says what is not there, or is null:
 * the test is ignored then, its name says why, and so do the closing lines of `deno task test`.
 */
export function testNeeding(
  missing: string | null,
  test: Omit<Deno.TestDefinition, "ignore">,
): void {
  const name = missing === null ? test.name : `${test.name} (ignored: ${missing})`;
  Deno.test({ ...test, name, ignore: missing !== null });
}
