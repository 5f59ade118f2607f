import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readPartHead } from "../../../src/imports/upload/multipart.ts";

/** Headers as the parser gives them: each byte a character. */
function headOf(disposition: string, type?: string) {
  const bytes = (text: string) => [Buffer.from(text, "utf8").toString("latin1")];
  return readPartHead({
    "content-disposition": bytes(disposition),
    ...(type === undefined ? {} : { "content-type": bytes(type) }),
  });
}

const FILE_NAMES = [
  ['form-data; name="file"; filename="Käse.xml"', "Käse.xml"],
  ["form-data; name=file; filename=a.xml", "a.xml"],
  ['Form-Data; Name="file"; FileName="a;b.xml"', "a;b.xml"],
  [String.raw`form-data; name="file"; filename="C:\data\a.xml"`, "a.xml"],
  [String.raw`form-data; name="file"; filename="a \"b\".xml"`, 'a "b".xml'],
  ['form-data; name="file"; filename="../../etc/a.xml"', "a.xml"],
  [`form-data; name="file"; filename="K.xml"; filename*=UTF-8''K%C3%A4se.xml`, "Käse.xml"],
  [`form-data; name="file"; filename="K.xml"; filename*=UTF-8''K%C3.xml`, "K.xml"],
  ['form-data; name="file"', ""],
] as const;

Deno.test("readPartHead() reads the names of field and file in every writing", () => {
  for (const [disposition, fileName] of FILE_NAMES) {
    assertEquals(
      headOf(disposition),
      { field: "file", fileName, type: "", charset: null },
      disposition,
    );
  }
});

Deno.test("readPartHead() reads the charset of the type", () => {
  const disposition = 'form-data; name="f"';
  for (const type of ["text/xml; charset=ISO-8859-15", 'text/xml;charset="ISO-8859-15"; x=y']) {
    assertEquals(headOf(disposition, type)?.charset, "ISO-8859-15");
  }
  assertEquals(headOf(disposition, "text/xml")?.charset, null);
});

Deno.test("readPartHead() is null for what is no part of a form", () => {
  assertEquals(headOf('attachment; filename="a.xml"'), null);
  assertEquals(readPartHead({}), null);
});
