/** Lists the elements and attributes at the beginning of an XML file. */

/** Number of bytes at the beginning of a file that are read. */
export const SAMPLE_BYTES = 400_000;
const PATHS_MAX = 500;
/** Maximum depth of elements that the service accepts. */
const DEPTH_MAX = 64;

export interface FilePaths {
  readonly root: string;
  /** Paths from the root, such as `A/B/@c`, in the order of the file. */
  readonly paths: readonly string[];
  /** Path of the element that is probably a record: the element is repeated and has children. */
  readonly itemPath: string | null;
}

/** The start and the end of comments and of CDATA sections, which contain no tags. */
const SKIPPED: readonly (readonly [string, string])[] = [["<!--", "-->"], ["<![CDATA[", "]]>"]];
const NAME = /\/?([^\s/>!?]+)/y;
const ATTRIBUTE = /\s*([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/y;

/** Null for a text without tags. */
export function filePathsOf(beginning: string): FilePaths | null {
  const counts = new Map<string, number>();
  const way: string[] = [];
  let below = 0;
  for (const tag of tagsOf(beginning)) {
    NAME.lastIndex = 0;
    const written = NAME.exec(tag)?.[1];
    if (written === undefined) continue;
    const name = written.slice(written.indexOf(":") + 1);
    if (tag.startsWith("/")) {
      if (below > 0) below -= 1;
      else way.pop();
      continue;
    }
    const isEmpty = tag.endsWith("/");
    if (way.length === DEPTH_MAX) {
      if (!isEmpty) below += 1;
      continue;
    }
    const path = [...way, name].join("/");
    count(counts, path);
    for (const attribute of attributesOf(tag, written.length)) {
      if (!attribute.startsWith("xmlns")) count(counts, `${path}/@${attribute}`);
    }
    if (!isEmpty) way.push(name);
  }
  const [root] = counts.keys();
  return root === undefined ? null : { root, paths: [...counts.keys()], itemPath: itemOf(counts) };
}

function* tagsOf(text: string): Generator<string> {
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at)) {
    const skipped = SKIPPED.find(([begin]) => text.startsWith(begin, at));
    if (skipped) {
      const [begin, end] = skipped;
      const endAt = text.indexOf(end, at + begin.length);
      if (endAt === -1) return;
      at = endAt + end.length;
      continue;
    }
    const isTag = !/[!?]/.test(text.charAt(at + 1));
    const end = isTag ? tagEnd(text, at + 1) : at + 1;
    if (end === -1) return;
    if (isTag) yield text.slice(at + 1, end);
    at = end;
  }
}

/** Index of the first `>` outside quotes; -1 if there is none. */
function tagEnd(text: string, from: number): number {
  let quote = "";
  for (let at = from; at < text.length; at++) {
    const sign = text.charAt(at);
    if (quote !== "") {
      if (sign === quote) quote = "";
    } else if (sign === ">") return at;
    else if (sign === '"' || sign === "'") quote = sign;
  }
  return -1;
}

function* attributesOf(tag: string, from: number): Generator<string> {
  ATTRIBUTE.lastIndex = from;
  for (let found = ATTRIBUTE.exec(tag); found; found = ATTRIBUTE.exec(tag)) yield found[1] ?? "";
}

function count(counts: Map<string, number>, path: string): void {
  if (counts.size < PATHS_MAX || counts.has(path)) counts.set(path, (counts.get(path) ?? 0) + 1);
}

function itemOf(counts: ReadonlyMap<string, number>): string | null {
  const holders = [...counts].filter(([path, times]) =>
    times > 1 && [...counts.keys()].some((other) => other.startsWith(`${path}/`))
  );
  const depth = (path: string) => path.split("/").length;
  return holders.map(([path]) => path).toSorted((a, b) => depth(a) - depth(b))[0] ?? null;
}

/** Relative to the element. `|` separates alternative elements. */
export function pathsBelow({ paths }: FilePaths, elementPath: string): readonly string[] {
  const names = elementPath.split("|").map((route) =>
    (withoutTest(route.trim()).split("/").at(-1) ?? "").toLowerCase()
  );
  const below = paths.flatMap((path) => {
    const parts = path.split("/");
    const at = parts.findIndex((part) => names.includes(part.toLowerCase()));
    return at < 0 || at === parts.length - 1 ? [] : [parts.slice(at + 1).join("/")];
  });
  return [...new Set(below)];
}

/** For example `A` for `A[@t='x']`. */
function withoutTest(route: string): string {
  return route.endsWith("]") ? route.slice(0, Math.max(0, route.lastIndexOf("["))) : route;
}

/** The first alternative in `known` that the file contains, in the file's spelling. */
export function fittingPath(known: string, below: readonly string[]): string | null {
  for (const alternative of known.split("|")) {
    const wanted = alternative.trim().toLowerCase();
    const found = below.find((path) => path.toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  return null;
}
