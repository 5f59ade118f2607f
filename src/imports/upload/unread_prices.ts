/**
 * Elements and attributes of an XML file that look like prices and that its profile does not read. Only
 * the beginning of the file is looked at, before its records are read: an element that is not there
 * within a hundred items is no column of it.
 */
import { ChunkDecoder, type Encoding } from "../../engine/xml/encoding.ts";
import { type XmlLimits, XmlReader, type XmlSink } from "../../engine/xml/reader.ts";
import type { FileBytes } from "../files/byte_source.ts";
import { looksLikePrice } from "../files/guess_roles.ts";
import { comparedName, type PathNode } from "../profiles/profile_path.ts";
import { type CompiledProfile, STARTS } from "../records/compiled_profile.ts";

const ITEMS_MAX = 100;
const BYTES_MAX = 1_048_576;
/** A hostile file may have any number of names. */
const NAMES_MAX = 1_000;
const VALUE_CHARS_MAX = 64;

/** Their paths from the item, names as the file writes them, in the order in which they come. */
export async function unreadPrices(
  file: FileBytes,
  encoding: Encoding,
  compiled: CompiledProfile,
  limits: XmlLimits,
): Promise<string[]> {
  const values = new UnreadValues(compiled);
  const reader = new XmlReader(values, limits);
  const decoder = new ChunkDecoder(encoding);
  let bytes = 0;
  for await (const chunk of file.chunks()) {
    bytes += chunk.length;
    // A fault comes up again when the records are read.
    const fault = reader.write(decoder.text(chunk));
    if (fault !== null || values.items > ITEMS_MAX || bytes >= BYTES_MAX) break;
  }
  return values.pricesLike();
}

interface Leaf {
  readonly path: string;
  text: string;
}

/** Gathers the values of items that no path of the profile leads to. */
class UnreadValues implements XmlSink {
  items = 0;
  readonly #compiled: CompiledProfile;
  readonly #values = new Map<string, string[]>();
  readonly #nodes: PathNode[];
  /** Of the open elements within the item. */
  readonly #names: string[] = [];
  /** How deep the item is; 0 outside of items. */
  #itemDepth = 0;
  /** The innermost open element, as long as it holds no other one and its text is not read. */
  #leaf: Leaf | null = null;

  constructor(compiled: CompiledProfile) {
    this.#compiled = compiled;
    this.#nodes = [compiled.file.root];
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const found = (this.#nodes.at(-1) ?? this.#compiled.file.root).child(name, attributes);
    const isItem = (found.starts & STARTS.item) > 0;
    const node = isItem ? this.#compiled.item.root : found;
    this.#nodes.push(node);
    if (isItem) {
      this.items += 1;
      this.#itemDepth = this.#nodes.length;
    }
    if (this.#itemDepth === 0) return;
    if (!isItem) this.#names.push(name);
    const path = this.#names.join("/");
    this.#leaf = node.text.length > 0 || isItem ? null : { path, text: "" };
    for (const written in attributes) {
      const isRead = node.attributes.some((one) => one.name === comparedName(written));
      if (!isRead) this.#note([...this.#names, `@${written}`].join("/"), attributes[written] ?? "");
    }
  }

  text(piece: string): void {
    const leaf = this.#leaf;
    if (leaf !== null && leaf.text.length <= VALUE_CHARS_MAX) leaf.text += piece;
  }

  close(): void {
    if (this.#leaf !== null) this.#note(this.#leaf.path, this.#leaf.text);
    this.#leaf = null;
    if (this.#nodes.length === this.#itemDepth) this.#itemDepth = 0;
    this.#names.pop();
    this.#nodes.pop();
  }

  pricesLike(): string[] {
    return [...this.#values].filter(([path, values]) =>
      looksLikePrice(comparedName(path.slice(path.lastIndexOf("/") + 1).replace(/^@/, "")), values)
    ).map(([path]) => path);
  }

  #note(path: string, written: string): void {
    const value = written.trim();
    if (value === "" || this.items > ITEMS_MAX) return;
    const known = this.#values.get(path);
    if (known !== undefined) {
      // An element may stand any number of times in an item.
      if (known.length < ITEMS_MAX) known.push(value.slice(0, VALUE_CHARS_MAX + 1));
    } else if (this.#values.size < NAMES_MAX) this.#values.set(path, [value]);
  }
}
