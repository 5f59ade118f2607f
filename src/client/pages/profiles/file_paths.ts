/**
 * Which elements and attributes stand where in an XML file, for who writes paths by looking at one.
 * Only its beginning is looked at, and no more than the names: what a path finds the service says.
 */

/** So much of a file says how it is built. */
export const LOOKED_AT_BYTES = 400_000;
const PATHS_MAX = 500;

export interface FilePaths {
  readonly root: string;
  /** From the root to each element and attribute, in the order of the file: `A/B/@c`. */
  readonly paths: readonly string[];
  /** The element that comes again and again and holds others: most likely the record. */
  readonly itemPath: string | null;
}

const TAG = /<(\/?)([^\s/>!?]+)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/g;

/** Null for what does not begin like XML. */
export function filePathsOf(beginning: string): FilePaths | null {
  const text = beginning.replaceAll(/<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>/g, "");
  const counts = new Map<string, number>();
  const way: string[] = [];
  for (const [, closing, written = "", attributes = "", closed] of text.matchAll(TAG)) {
    const name = written.slice(written.indexOf(":") + 1);
    if (closing) {
      way.pop();
      continue;
    }
    const path = [...way, name].join("/");
    count(counts, path);
    for (const [, attribute = ""] of attributes.matchAll(ATTRIBUTE)) {
      if (!attribute.startsWith("xmlns")) count(counts, `${path}/@${attribute}`);
    }
    if (!closed) way.push(name);
  }
  const [root] = counts.keys();
  return root === undefined ? null : { root, paths: [...counts.keys()], itemPath: itemOf(counts) };
}

function count(counts: Map<string, number>, path: string): void {
  if (counts.size < PATHS_MAX || counts.has(path)) counts.set(path, (counts.get(path) ?? 0) + 1);
}

/** The shallowest element with children that stands there more than once. */
function itemOf(counts: ReadonlyMap<string, number>): string | null {
  const holders = [...counts].filter(([path, times]) =>
    times > 1 && [...counts.keys()].some((other) => other.startsWith(`${path}/`))
  );
  const depth = (path: string) => path.split("/").length;
  return holders.map(([path]) => path).toSorted((a, b) => depth(a) - depth(b))[0] ?? null;
}

/** What stands below the element that a path of a profile leads to, as paths from there. */
export function pathsBelow({ paths }: FilePaths, elementPath: string): readonly string[] {
  const names = elementPath.split("|").map((route) =>
    (route.trim().replace(/\[[^\]]*\]$/, "").split("/").at(-1) ?? "").toLowerCase()
  );
  const below = paths.flatMap((path) => {
    const parts = path.split("/");
    const at = parts.findIndex((part) => names.includes(part.toLowerCase()));
    return at < 0 || at === parts.length - 1 ? [] : [parts.slice(at + 1).join("/")];
  });
  return [...new Set(below)];
}

/** The first alternative of a known path that the file has, as the file writes it. */
export function fittingPath(known: string, below: readonly string[]): string | null {
  for (const alternative of known.split("|")) {
    const wanted = alternative.trim().toLowerCase();
    const found = below.find((path) => path.toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  return null;
}
