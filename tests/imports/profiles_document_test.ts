import { isRecord } from "../../src/client/api/call.ts";
import { PROFILE_EXAMPLES, profileSchema } from "../../src/imports/profiles/import_profiles.ts";
import { markdownTable } from "../markdown_table.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

/*
 * docs/import_profiles.md is generated from the schema of import profiles. To update it:
 * UPDATE_DOCS=1 deno test -A tests/imports/profiles_document_test.ts
 */
const DOCUMENT = "docs/import_profiles.md";

const HEAD = `<!-- deno-fmt-ignore-file -->

# Import profiles

An import profile names the columns of a table, or the paths of an XML file, that an import reads. The
client creates a profile from a sample file (_Importe_, _Datei importieren_). Programs try a profile
with \`POST /api/import-profiles/preview\`, and create a profile with \`POST /api/import-profiles\`. The
tables below are generated from the JSON Schema of \`GET /api/import-profile-schema\`. A field may
be omitted unless the JSON Schema lists it as \`required\`. The column _Default_ is empty if the
default is \`null\` (no value), a list or an object.

A column is written as \`{columns, constant, transform}\`. An import reads the first column in
\`columns\` that the file has (\`#3\` is the third column). If the file has none of \`columns\`, each value is
\`constant\`. \`transform\` changes each value before it is checked: \`upper\`, \`lower\`, \`digits\` or
\`strip_leading_zeros\`.

A path is written as \`A/B\`, \`A|B\` (the first that exists), \`@attribute\`, \`A[@t='x']/B\` (the
B in an A whose attribute \`t\` is \`x\`), \`.\` (the element itself), \`../B\`, \`/A/B\` (from the
root of the file), or \`//A\` (an A at any depth). In \`fields\`, a path is written as
\`{path, transform}\`.
`;

Deno.test("docs/import_profiles.md describes the schema", () => {
  const { $defs } = profileSchema();
  ok(isRecord($defs));
  const [table, xml] = PROFILE_EXAMPLES;
  const tables = section("Tables", $defs.TableProfile, table);
  const text = [HEAD, tables, section("XML", $defs.ImportProfile, xml)].join("\n");
  if (Deno.env.get("UPDATE_DOCS")) Deno.writeTextFileSync(DOCUMENT, text);
  else assertEquals(Deno.readTextFileSync(DOCUMENT), text);
});

function section(title: string, schema: unknown, example: unknown): string {
  const table = markdownTable([["Part", "Is", "Default"], ...rowsOf(schema, "")]);
  const json = JSON.stringify(example, null, 2);
  return `## ${title}\n\n${table}\n\`\`\`json\n${json}\n\`\`\`\n`;
}

type Row = readonly [part: string, is: string, byDefault: string];

function rowsOf(schema: unknown, prefix: string): Row[] {
  const { properties, items } = resolved(schema);
  if (isRecord(items)) return rowsOf(items, `${prefix}[]`);
  if (!isRecord(properties) || "columns" in properties || isPathOnly(properties)) return [];
  return Object.entries(properties).flatMap(([name, part]): Row[] => {
    if (!isRecord(part)) return [];
    const path = prefix === "" ? name : `${prefix}.${name}`;
    const hasDefault = part.default !== undefined && typeof part.default !== "object";
    const byDefault = hasDefault ? `\`${JSON.stringify(part.default)}\`` : "";
    const choices = choicesOf(part);
    const words = String(part.description ?? "");
    const is = [words, choices && words ? `One of ${choices}` : choices].filter(Boolean).join(". ");
    ok(is !== "", `${path} has no description`);
    return [[`\`${path}\``, escaped(is), escaped(byDefault)], ...rowsOf(part, path)];
  });
}

const escaped = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function isPathOnly(properties: Record<string, unknown>): boolean {
  return Object.keys(properties).join() === "path,transform";
}

function resolved(schema: unknown): Record<string, unknown> {
  if (!isRecord(schema)) return {};
  return [schema.anyOf].flat().filter(isRecord)
    .find((one) => "properties" in one || "items" in one) ?? schema;
}

function choicesOf(part: Record<string, unknown>): string {
  const given = [part.anyOf ?? part].flat().filter(isRecord)
    .find((one) => Array.isArray(one.enum) || "const" in one);
  const choices: unknown[] = [given?.enum ?? given?.const ?? []].flat();
  return choices.map((choice) => `\`${choice === "\t" ? "tab" : choice}\``).join(", ");
}
