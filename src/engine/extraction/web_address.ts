/** An address of a page, as far as it tells one product from another. */
export interface WebAddress {
  /** Host without `www.` and path, without a slash at the end. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
}

const ADDRESS_CHARACTERS_MAX = 4096;

/** Null for what is no address of the web, and for a home page, which is no product's. */
export function parseAddress(address: string, baseUrl: string): WebAddress | null {
  const url = absoluteUrl(address, baseUrl);
  if (url === null) return null;
  const path = withoutSlashes(decoded(url.pathname)).toLowerCase();
  if (path === "") return null;
  return { path: url.host.replace(/^www\./, "") + path, query: new Map(url.searchParams) };
}

/** True unless path or a parameter that both have says otherwise; pages add parameters of their own. */
export function isSamePage(one: WebAddress, other: WebAddress): boolean {
  if (one.path !== other.path) return false;
  return [...one.query].every(([name, value]) => (other.query.get(name) ?? value) === value);
}

export function isSameAddress(one: WebAddress, other: WebAddress): boolean {
  return one.query.size === other.query.size && isSamePage(one, other) &&
    [...one.query.keys()].every((name) => other.query.has(name));
}

export function wordsOfAddress(url: string): string[] {
  return decoded(url.slice(0, ADDRESS_CHARACTERS_MAX)).split(/[/?&=#;]/);
}

/** Null for what is no address of the web. */
export function absoluteUrl(address: string, baseUrl: string): URL | null {
  if (address.length > ADDRESS_CHARACTERS_MAX || address.trim() === "") return null;
  const url = URL.parse(address.trim(), baseUrl);
  return url && /^https?:$/.test(url.protocol) ? url : null;
}

export function withoutSlashes(path: string): string {
  let end = path.length;
  while (path.charAt(end - 1) === "/") end -= 1;
  return path.slice(0, end);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign: the text stands for itself.
    return text;
  }
}
