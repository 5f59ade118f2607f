/**
 * Registers a test that some machines cannot run. `missing` names what this machine lacks, or is
 * null. The name of an ignored test says why it is ignored, as do the last lines of `deno task
 * test`.
 */
export function testNeeding(
  missing: string | null,
  test: Omit<Deno.TestDefinition, "ignore">,
): void {
  const name = missing === null ? test.name : `${test.name} (ignored: ${missing})`;
  Deno.test({ ...test, name, ignore: missing !== null });
}
