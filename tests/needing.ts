/**
 * Registers a test that some machines cannot run. `missing` names what this machine lacks, or is
 * null. The name of an ignored test contains the reason.
 */
export function testNeeding(
  missing: string | null,
  test: Omit<Deno.TestDefinition, "ignore">,
): void {
  const name = missing === null ? test.name : `${test.name} (ignored: ${missing})`;
  Deno.test({ ...test, name, ignore: missing !== null });
}
