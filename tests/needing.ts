/**
 * Registers a test that needs something not every machine has. `missing` names it, or is null. With a
 * missing thing the test is ignored; its name and the last lines of `deno task test` say why.
 */
export function testNeeding(
  missing: string | null,
  test: Omit<Deno.TestDefinition, "ignore">,
): void {
  const name = missing === null ? test.name : `${test.name} (ignored: ${missing})`;
  Deno.test({ ...test, name, ignore: missing !== null });
}
