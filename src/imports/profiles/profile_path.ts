/** One element on the way: its name without prefix, in lower case, and what it must carry. */
export interface PathStep {
  readonly name: string;
  readonly test: { readonly attribute: string; readonly value: string } | null;
}

/** One alternative of a path: where it starts, which elements it passes, what it takes. */
export interface PathRoute {
  /** `anywhere` is written `//A`; `root` is written `/A`. */
  readonly from: "here" | "root" | "anywhere";
  /** How many `../` it begins with. */
  readonly up: number;
  readonly steps: readonly PathStep[];
  /** The attribute that it takes; null takes the element's own text. */
  readonly attribute: string | null;
}

const STEP = /^([^\s/|@[\]='"]+)(?:\[@([^\s/|@[\]='"]+)=(?:'([^']*)'|"([^"]*)")\])?$/;
/** A `[` that nothing closes takes the rest: such a step is unreadable in any case. */
const SEPARATORS = /\[[^\]]*(?:\]|$)|[|/]/g;

/**
 * Reads a path of an import profile (docs/decisions/imports.md): `A/B`, `A|B` (whole alternatives,
 * the first counts most), `@attr`, `A[@t='x']/B`, and beyond these `.` (the element itself),
 * `../B`, `/A/B` from the root and `//A` at any depth. Names compare without case and without
 * prefix.
 */
export function parsePath(path: string): { routes: readonly PathRoute[] } | { reason: string } {
  const routes: PathRoute[] = [];
  for (const alternative of splitOutsideTests(path, "|")) {
    const route = parseRoute(alternative.trim());
    if ("reason" in route) return route;
    routes.push(route);
  }
  return { routes };
}

/** The name under which elements and attributes are compared: no prefix, lower case. */
export function comparedName(written: string): string {
  return written.slice(written.indexOf(":") + 1).toLowerCase();
}

function parseRoute(text: string): PathRoute | { reason: string } {
  const from = text.startsWith("//") ? "anywhere" : text.startsWith("/") ? "root" : "here";
  let parts = splitOutsideTests(text.replace(/^\/\/?/, ""), "/");
  const up = parts.findIndex((part) => part !== "..");
  if (up === -1 || (up > 0 && from !== "here")) return unreadable(text);
  parts = parts.slice(up);

  let attribute: string | null = null;
  const last = parts.at(-1) ?? "";
  if (/^@[^\s/|@[\]='"]+$/.test(last)) {
    attribute = comparedName(last.slice(1));
    parts.pop();
  } else if (last === "." && parts.length === 1) {
    parts.pop();
  }

  const steps: PathStep[] = [];
  for (const part of parts) {
    const step = parseStep(part);
    if (!step) return unreadable(text);
    steps.push(step);
  }
  return { from, up, steps, attribute };
}

function parseStep(part: string): PathStep | null {
  const [, name, attribute, single, double] = STEP.exec(part) ?? [];
  if (name === undefined || name === "." || name === "..") return null;
  if (attribute === undefined) return { name: comparedName(name), test: null };
  const value = (single ?? double ?? "").toLowerCase();
  return { name: comparedName(name), test: { attribute: comparedName(attribute), value } };
}

function unreadable(text: string): { reason: string } {
  return { reason: `"${text.slice(0, 80)}" is not a path: write it like "A/B", "A|B" or "@attr"` };
}

/** Splits at `separator`, but not within `[…]`, whose value may hold any character. */
function splitOutsideTests(text: string, separator: "|" | "/"): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const match of text.matchAll(SEPARATORS)) {
    if (match[0] !== separator) continue;
    parts.push(text.slice(start, match.index));
    start = match.index + 1;
  }
  parts.push(text.slice(start));
  return parts;
}
