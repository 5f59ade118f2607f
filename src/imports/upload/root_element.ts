import { ChunkDecoder, type Encoding } from "../../engine/xml/encoding.ts";
import { type XmlFault, type XmlLimits, XmlReader } from "../../engine/xml/reader.ts";
import type { ImportProfile } from "../profiles/profile.ts";
import { comparedName } from "../profiles/profile_path.ts";
import type { FileBytes } from "../files/byte_source.ts";

/** The outermost element, by which a profile is picked. */
export interface RootElement {
  readonly name: string;
  readonly namespace: string | null;
}

/** Reads on to the root element and no further. */
export async function rootElement(
  file: FileBytes,
  encoding: Encoding,
  limits: XmlLimits,
): Promise<RootElement | XmlFault> {
  let root: RootElement | null = null;
  const reader = new XmlReader({
    open(name, attributes) {
      root ??= { name, namespace: namespaceOf(name, attributes) };
    },
    text() {},
    close() {},
  }, limits);
  const found = (): RootElement | null => root;
  const decoder = new ChunkDecoder(encoding);
  for await (const chunk of file.chunks()) {
    const fault = reader.write(decoder.text(chunk));
    // What stands after the root is not asked for yet: a fault there comes up again, in its turn.
    const early = found();
    if (early) return early;
    if (fault) return fault;
  }
  const fault = reader.write(decoder.text(null)) ?? reader.end();
  return found() ?? fault ??
    { code: "malformed_xml", line: 1, message: "There is no root element" };
}

/** The first of `profiles` whose root this is; one that names a root goes before one that takes any. */
export function pickProfile(
  { name, namespace }: RootElement,
  profiles: readonly ImportProfile[],
): ImportProfile | null {
  const fits = profiles.filter(({ detect }) =>
    isRootOf(name, detect) &&
    (detect.namespace === null || detect.namespace === namespace)
  );
  return fits.find(({ detect }) => detect.root !== "*") ?? fits[0] ?? null;
}

/** Whether files of this profile may have such a root. */
export function isRootOf(name: string, detect: ImportProfile["detect"]): boolean {
  const wanted = comparedName(name);
  return detect.root === "*" ||
    detect.root.split("|").some((root) => comparedName(root) === wanted);
}

function namespaceOf(name: string, attributes: Readonly<Record<string, string>>): string | null {
  const colon = name.indexOf(":");
  const declaration = colon === -1 ? "xmlns" : `xmlns:${name.slice(0, colon)}`;
  return attributes[declaration] || null;
}
