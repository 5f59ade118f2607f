/** Addresses of a generated shop, and which of its articles are ours. */

const OURS_SHARE = 0.015;

const slug = (text: string) =>
  text.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll(/[^a-z0-9]+/g, "-");

/** Every third address contains a number instead of the title, as in some real shops. */
export function shopPaths(titles: readonly string[]): string[] {
  return titles.map((title, n) => `/p/${n % 3 === 2 ? "artikel" : slug(title)}-${n}.html`);
}

/** Number of our products. The shop sells every second one. */
export function oursAmong(pages: number): number {
  return Math.round(2 * OURS_SHARE * pages);
}

/** Article `n` of the shop is our product `n` if `n` is even and less than `ours`. */
export function isOurs(n: number, ours: number): boolean {
  return n < ours && n % 2 === 0;
}
