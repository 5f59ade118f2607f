/** The declaration of a table, and the conversion of a row's fields to parts of keys and back. */
import { idBytes, idText } from "../../base/id.ts";
import type { WorkspaceStore } from "./context.ts";

/** How a field stands in a key: `id` and `hex` are texts that are bytes there. */
type PartKind = "id" | "hex" | "text" | "number" | "bytes";
/** The kinds that a field of type `T` may have. */
type KindOf<T> = T extends number ? "number" : T extends Uint8Array ? "bytes"
: "id" | "hex" | "text";
/** The fields of a key in the order in which they stand there. */
type KeyFields = Readonly<Record<string, PartKind>>;

interface IndexKeys {
  readonly prefix: string;
  /** Fields of the row, or of what `of` answers. */
  readonly key: KeyFields;
  /** At most one row has the key. */
  readonly unique?: boolean;
}

export interface TableIndex<Row> extends IndexKeys {
  /** Which index rows the row has; by default one, of its own fields. */
  readonly of?: (row: Row) => readonly object[];
  /** The value of an index row, where it is not empty. */
  readonly value?: (row: Row) => unknown;
}

/** The keys of a table. */
export interface TableKeys {
  /** The first part of every key; no other table has it. */
  readonly prefix: string;
  /** A description of a row for docs/keys.md. */
  readonly about: string;
  readonly key: KeyFields;
  readonly indexes?: Readonly<Record<string, IndexKeys>>;
  /** The prefix of an empty row `prefix W` that every write sets, so that a commit can check all rows at once. */
  readonly version?: string;
}

export interface TableOptions<Row> extends TableKeys {
  readonly keyOnly?: readonly string[];
  /** Where the stored value is not the row; `decode` leaves out the fields of `keyOnly`, and may read them in `key`. */
  readonly codec?: { encode?(row: Row): unknown; decode?(value: unknown, key: Row): Partial<Row> };
  readonly indexes?: Readonly<Record<string, TableIndex<Row>>>;
  /** A workspace has at most so many. */
  readonly most?: number;
  /** A further check of a row for check-store: answers a sentence when it fails. */
  check?(row: Row, place: WorkspaceStore): Promise<string | null>;
  /** The store may sweep a row so long after its last write; readers judge by a time in the row. */
  readonly expireInMs?: number;
}

/** The options by the names of the row's key fields and of its indexes. */
export interface Declaration<Row, Names extends keyof Row, Indexes extends string>
  extends TableOptions<Row> {
  readonly key: { readonly [Name in Names]: KindOf<Row[Name]> };
  readonly keyOnly?: readonly (Names & string)[];
  readonly indexes?: Readonly<Record<Indexes, TableIndex<Row>>>;
}

/** The parts of the leading fields that have a value. */
export function partsOf(fields: KeyFields, values: object): Deno.KvKeyPart[] {
  const parts: Deno.KvKeyPart[] = [];
  for (const [name, kind] of Object.entries(fields)) {
    const value: unknown = Reflect.get(values, name);
    if (value === null || value === undefined) break;
    if (kind === "id") parts.push(idBytes(String(value)));
    else if (kind === "hex") parts.push(Uint8Array.fromHex(String(value)));
    else if (typeof value === "string" || typeof value === "number") parts.push(value);
    else if (value instanceof Uint8Array) parts.push(value);
    else throw new Error(`The field "${name}" cannot stand in a key`);
  }
  return parts;
}

/** The field that is a part of a key. */
export function partIn(kind: PartKind | undefined, part: unknown): unknown {
  if (!(part instanceof Uint8Array) || kind === "bytes") return part;
  return kind === "id" ? idText(part) : part.toHex();
}

/** A key as people read it. */
export function serialiseKey(key: Deno.KvKey): string {
  return key.map((part) => part instanceof Uint8Array ? part.toHex() : String(part)).join(" ");
}
