/** The text of a page and how its bytes were read. */
export interface DecodedPage {
  readonly text: string;
  /** Name of the WHATWG Encoding Standard. */
  readonly encoding: string;
}

const PRESCAN_BYTES = 4096;
const HEADER_CHARACTERS_MAX = 500;
const LABEL_OF_HEADER = /^["']?([^\s"',]{1,100})/;
const LABEL_OF_META = /^[\w.:-]{1,100}/;
const BOMS = [
  { label: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { label: "utf-16le", bytes: [0xff, 0xfe] },
  { label: "utf-16be", bytes: [0xfe, 0xff] },
] as const;

/**
 * Decodes the bytes of a page: byte order mark, `charset` of the Content-Type, then of a `meta`
 * element, else UTF-8 where all bytes fit, else windows-1252. A label that the decoder does not know
 * is read as windows-1252. Never throws; broken bytes become U+FFFD.
 */
export function decodePage(bytes: Uint8Array, contentType: string | null): DecodedPage {
  const bom = BOMS.find(({ bytes: mark }) => mark.every((byte, at) => bytes[at] === byte));
  if (bom) return decodedAs(bytes, bom.label);

  const head = bytes.subarray(0, PRESCAN_BYTES);
  for (const label of [headerLabel(contentType), metaLabel(head, contentType)]) {
    if (label === null) continue;
    // A page that was readable as ASCII so far is not UTF-16, whatever it says.
    if (/^utf-?16/i.test(label) && !head.includes(0)) continue;
    return decodedAs(bytes, label);
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "utf-8" };
  } catch {
    // Not UTF-8: that is the answer.
    return decodedAs(bytes, "windows-1252");
  }
}

function decodedAs(bytes: Uint8Array, label: string): DecodedPage {
  const decoder = decoderOf(label);
  return { text: decoder.decode(bytes), encoding: decoder.encoding };
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    // An unknown label; every byte has a meaning in windows-1252.
    return new TextDecoder("windows-1252");
  }
}

function headerLabel(contentType: string | null): string | null {
  const parameters = (contentType ?? "").slice(0, HEADER_CHARACTERS_MAX).split(";").slice(1);
  for (const parameter of parameters) {
    const [name = "", value = ""] = parameter.split("=", 2).map((part) => part.trim());
    const label = name.toLowerCase() === "charset" ? LABEL_OF_HEADER.exec(value)?.[1] : undefined;
    if (label !== undefined) return label;
  }
  return null;
}

/** `charset` of the first `meta` element that has one; JSON is not looked at. */
function metaLabel(head: Uint8Array, contentType: string | null): string | null {
  if (/[/+]json\b/i.test((contentType ?? "").slice(0, HEADER_CHARACTERS_MAX))) return null;
  const text = new TextDecoder("windows-1252").decode(head).replace(/<!--[^]*?(?:-->|$)/g, "");
  for (const [tag] of text.matchAll(/<meta\b[^>]*/gi)) {
    const label = labelIn(tag);
    if (label !== null) return label;
  }
  return null;
}

/** The first `charset=` of a tag that a name follows, with or without a quote before it. */
function labelIn(tag: string): string | null {
  for (const { index } of tag.matchAll(/charset/gi)) {
    const rest = tag.slice(index + "charset".length).trimStart();
    if (!rest.startsWith("=")) continue;
    const value = rest.slice(1).trimStart().replace(/^["']/, "").trimStart();
    const label = LABEL_OF_META.exec(value)?.[0];
    if (label !== undefined) return label;
  }
  return null;
}
