import { deepStrictEqual as assertEquals, ok, throws } from "node:assert/strict";
import {
  ChunkDecoder,
  decideEncoding,
  fallbackEncoding,
  StrictCheck,
} from "../../../src/base/bytes.ts";
import { XML_LIMITS, XmlReader } from "../../../src/engine/xml/reader.ts";
import fc from "fast-check";

function read(pieces: readonly string[], limits = XML_LIMITS) {
  const events: string[] = [];
  let text = "";
  const flush = () => {
    if (text !== "") events.push(text);
    text = "";
  };
  const reader = new XmlReader({
    open(name, attributes, line) {
      flush();
      const written = Object.entries(attributes).map(([key, value]) => ` ${key}=${value}`);
      events.push(`<${name}${written.join("")}>@${line}`);
    },
    text: (piece) => void (text += piece),
    close() {
      flush();
      events.push("/");
    },
  }, limits);
  for (const piece of pieces) reader.write(piece);
  return { fault: reader.end(), events };
}

const MALFORMED = {
  "a bare ampersand": "<a>1 & 2</a>",
  "a less-than sign in text": "<a>1 < 2</a>",
  "an attribute without quotes": "<a b=1/>",
  "an attribute without a value": "<a b/>",
  "a less-than sign in an attribute": '<a b="<"/>',
  "the end of CDATA in text": "<a>]]></a>",
  "a late declaration": ' <?xml version="1.0"?><a/>',
  "a comment with two dashes": "<a><!-- -- --></a>",
  "a control character by reference, as XML 1.1 has it": '<?xml version="1.1"?><a>&#1;</a>',
};

for (const [what, xml] of Object.entries(MALFORMED)) {
  Deno.test(`XmlReader refuses ${what}`, () => {
    assertEquals(read([xml]).fault?.code, "malformed_xml");
    assertEquals(read([...xml]).fault, read([xml]).fault, "whatever the chunks");
  });
}

Deno.test("XmlReader reports names as written, attributes, texts and lines", () => {
  const { events } = read(['<a>\n<p:B x="1"\ny="2">t<![CDATA[&]]>&gt;</p:B></a>']);
  assertEquals(events, ["<a>@1", "\n", "<p:B x=1 y=2>@3", "t&>", "/", "/"]);
});

Deno.test("XmlReader normalises line ends as XML requires, also across chunks", () => {
  assertEquals(read(["<a>x\r", "\ny\r", "z</a>"]).events, ["<a>@1", "x\ny\nz", "/"]);
});

Deno.test("XmlReader reports the line of a fault", () => {
  const fault = { code: "malformed_xml", line: 4, message: "Unexpected close tag" };
  assertEquals(read(["<a>\n\n<b>\n</c></a>"]).fault, fault);
});

Deno.test("XmlReader gives the same events however a document is chunked", () => {
  const xml = `<?xml version="1.0"?>\n<r a="ä&amp;1"><i>x &lt; 😀</i>\r\n<j/><![CDATA[ ]] ]]></r>`;
  const whole = read([xml]);
  fc.assert(fc.property(fc.array(fc.nat(xml.length)), (cuts) => {
    const places = [0, ...cuts.sort((one, other) => one - other), xml.length];
    const pieces = places.slice(1).map((end, at) => xml.slice(places[at], end));
    assertEquals(read(pieces), whole);
  }));
});

Deno.test("XmlReader accepts 64 levels and refuses 65 as too_deep", () => {
  const nested = (depth: number) => "<a>".repeat(depth) + "</a>".repeat(depth);
  assertEquals(read([nested(64)]).fault, null);
  assertEquals(read([nested(65)]).fault?.code, "too_deep");
});

Deno.test("XmlReader limits texts, attributes, comments and markup", () => {
  const limits = { depthMax: 64, textCharsMax: 100 };
  const long = "x".repeat(101);
  const documents = [
    `<a>${long}</a>`,
    `<a>${"x".repeat(60)}<![CDATA[${"x".repeat(60)}]]></a>`,
    `<a b="${long}"/>`,
    `<a><!--${long}--></a>`,
    `<a><?pi ${long}?></a>`,
    `<${long}/>`,
    `<!DOCTYPE a [<!-- ${long}`,
  ];
  for (const xml of documents) assertEquals(read([xml], limits).fault?.code, "too_large", xml);
  assertEquals(read([`<a>${"x".repeat(100)}<b/>${"x".repeat(100)}</a>`], limits).fault, null);
});

Deno.test("XmlReader stops an endless text before its end", () => {
  const reader = new XmlReader({ open() {}, text() {}, close() {} });
  reader.write("<a>");
  let written = 0;
  while (!reader.write("x".repeat(65_536))) written += 65_536;
  ok(written <= XML_LIMITS.textCharsMax, `${written} characters`);
});

Deno.test("XmlReader accepts a DOCTYPE that declares no general entity", () => {
  const subset = '<!ENTITY % USER "(A|B)">\n<!ELEMENT A (#PCDATA)>';
  assertEquals(read([`<!DOCTYPE a [${subset}]><a/>`]).fault, null);
});

Deno.test("XmlReader refuses an entity after a line break, and a DOCTYPE that is too long", () => {
  const subsets = ["<!ENTITY\n\tx 'y'>", `<!ELEMENT a ANY>${" ".repeat(70_000)}`];
  for (const subset of subsets) {
    const { fault } = read([`<!DOCTYPE a [${subset}]><a/>`]);
    assertEquals(fault?.code, "forbidden_doctype", subset.slice(0, 40));
  }
});

Deno.test("XmlReader throws an error of its sink instead of blaming the document", () => {
  const open = () => {
    throw new TypeError("Defect");
  };
  const reader = new XmlReader({ open, text() {}, close() {} });
  throws(() => reader.write("<a/>"), /Defect/);
});

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const declares = (label: string) => ascii(`<?xml version="1.0" encoding="${label}"?><a/>`);
const utf16be = (text: string) =>
  Uint8Array.from([...text].flatMap((character) => [0, character.charCodeAt(0)]));

function labelOf(head: Uint8Array, charset: string | null): string {
  const decided = decideEncoding(head, charset);
  return "unknown" in decided ? `unknown ${decided.unknown}` : decided.encoding.label;
}

/** Each case has a name, the expected encoding, the first bytes and perhaps a declared charset. */
const CASES: readonly (readonly [string, string, head: Uint8Array, charset?: string])[] = [
  ["a byte order mark first", "utf-8", ascii("\xef\xbb\xbf<?xml encoding='x'?>"), "latin1"],
  ["UTF-8 where the declaration names none", "utf-8", ascii('<?xml version="1.0"?>')],
  ["no declaration in an attribute of the root", "utf-8", ascii('<a encoding="x"/>')],
  ["UTF-16 BE though only UTF-16 is named", "utf-16be", utf16be("<?xml?>"), "utf-16"],
  ["the charset before the declaration", "iso-8859-15", declares("UTF-8"), "ISO-8859-15"],
  ["the declaration", "windows-1250", declares("windows-1250")],
  ["single quotes", "windows-1252", ascii("<?xml version='1.0' encoding = 'latin1' ?>")],
  ["IBM850 as unknown", "unknown IBM850", declares("IBM850")],
  ["a charset that is none as unknown", "unknown klingon", ascii("<a/>"), "klingon"],
];

for (const [what, label, head, charset = null] of CASES) {
  Deno.test(`decideEncoding() recognises ${what}`, () =>
    assertEquals(labelOf(head, charset), label));
}

const UTF_8 = { label: "utf-8", bomBytes: 0, canFail: true, guess: null };

Deno.test("decideEncoding() ignores UTF-16 declared in ASCII, with a warning", () => {
  const decided = decideEncoding(declares("UTF-16"), null);
  const guess = 'The file says "UTF-16" but is not UTF-16';
  assertEquals("encoding" in decided && decided.encoding, { ...UTF_8, guess });
});

Deno.test("StrictCheck finds an invalid byte, also in a character across chunks", () => {
  const whole = new StrictCheck(UTF_8);
  ok([ascii("a\xc3"), ascii("\xbc"), null].every((chunk) => whole.accepts(chunk)));
  const cut = new StrictCheck(UTF_8);
  assertEquals([ascii("a\xc3"), null].map((chunk) => cut.accepts(chunk)), [true, false]);
  assertEquals(new StrictCheck(UTF_8).accepts(ascii("\xc0\xbc")), false, "an overlong form");
});

Deno.test("fallbackEncoding() is windows-1252 without the byte order mark, except for UTF-16", () => {
  const failed = { ...UTF_8, bomBytes: 3 };
  const guess = "The file is not utf-8 throughout: read as windows-1252";
  const fallback = { label: "windows-1252", bomBytes: 3, canFail: false, guess };
  assertEquals(fallbackEncoding(failed), fallback);
  assertEquals(fallbackEncoding({ ...failed, label: "utf-16le" }), null);
});

Deno.test("ChunkDecoder joins characters across chunks and removes the byte order mark", () => {
  const decoder = new ChunkDecoder({ ...UTF_8, bomBytes: 3 });
  const chunks = [ascii("\xef"), ascii("\xbb\xbfa\xe2\x82"), ascii("\xac"), null];
  assertEquals(chunks.map((chunk) => decoder.text(chunk)), ["", "a", "€", ""]);
});
