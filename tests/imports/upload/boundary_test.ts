/** Boundaries that RFC 2046 allows are read. A longer boundary is refused without reading. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { type TestApp, withApp } from "../../harness.ts";
import { exchange } from "../../raw_http.ts";
import { refusalOf, refusedField } from "../../api/answers.ts";
import { withBench } from "../import_bench.ts";
import { IMPORT, itemsXml } from "../import_calls.ts";
import { processMs } from "../../processor_time.ts";

const XML = itemsXml([{ sku: "A", title: "Apfel", price: "1,00" }]);

function formWith(boundary: string): string {
  const head = 'Content-Disposition: form-data; name="file"; filename="a.xml"\r\n\r\n';
  return `--${boundary}\r\n${head}${XML}\r\n--${boundary}--\r\n`;
}

const typeOf = (boundary: string) => `multipart/form-data; boundary=${boundary}`;

withBench.test("POST import reads forms with boundaries of 1 to 70 characters, quoted or not", async ({ key }) => {
  for (const length of [1, 69, 70]) {
    const boundary = "x".repeat(length);
    for (const written of [boundary, `"${boundary}"`]) {
      const headers = { "Content-Type": typeOf(written) };
      const { data } = await key.act(IMPORT, formWith(boundary), headers);
      assertEquals([length, data.status], [length, "succeeded"]);
    }
  }
});

/** Sends a request without its body, so the server can only answer before it reads the body. */
function askUnsent({ base }: TestApp, path: string, credential: string, type: string) {
  const head = `POST ${path} HTTP/1.1\r\nHost: kurant\r\n${credential}\r\n` +
    `Content-Type: ${type}\r\nContent-Length: 1000000\r\n\r\n`;
  return exchange(base, head);
}

withApp.test("POST import refuses a longer boundary without reading the body, on both interfaces", async (app) => {
  const { text } = await app.newKey(["products:write"]);
  const doors = [
    [IMPORT, `Authorization: Bearer ${text}`],
    ["/api/imports", `Cookie: ${app.ownerCookie}`],
  ] as const;
  for (const [path, credential] of doors) {
    for (const length of [71, 255, 256, 1_000, 50_000]) {
      for (const boundary of ["x".repeat(length), `"${"x ".repeat(length / 2)}x"`]) {
        const refused = askUnsent(app, path, credential, typeOf(boundary));
        assertEquals(await refusedField(refused), "Content-Type", `${length}`);
      }
    }
  }
});

const LONG = 60_000;
const HOSTILE_TYPES = [
  `multipart/form-data;${" ".repeat(LONG)}x`,
  `multipart/form-data${"; ".repeat(LONG / 2)}x`,
  `multipart/form-data; boundary${" ".repeat(LONG)}x`,
  `multipart/form-data; boundary=${" ".repeat(LONG)}x`,
  `multipart/form-data; boundary="${"x".repeat(LONG)}`,
  `multipart/form-data; ${"boundary".repeat(LONG / 8)}`,
  `application/xml; charset${" ".repeat(LONG)}x`,
  `application/xml${";\t".repeat(LONG / 2)}x`,
  `${" ".repeat(10)}${"x".repeat(LONG)}/y`,
];

withApp.test("POST import parses hostile content types in little time", async (app) => {
  const { text } = await app.newKey(["products:write"]);
  const best = [];
  for (const type of HOSTILE_TYPES) {
    const spentMs = [];
    for (let round = 0; round < 3; round++) {
      const before = processMs();
      const asked = askUnsent(app, IMPORT, `Authorization: Bearer ${text}`, type);
      const { code } = await refusalOf(asked);
      spentMs.push(processMs() - before);
      ok(["validation_failed", "unsupported_media_type"].includes(code), code);
    }
    best.push(Math.min(...spentMs));
  }
  ok(Math.max(...best) < 500, `Processor time in ms: ${best.map(Math.round).join(", ")}`);
});
