/**
 * Random texts and URL paths for tests with fast-check. `fc.webUrl()` and `fc.string({ unit:
 * "binary" })` need more than a second to prepare all characters, so they are not used.
 */
import fc from "fast-check";

/** Any Unicode character; half of the generated characters are ASCII. */
export const anyCharacter: fc.Arbitrary<string> = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0x80, max: 0xd7ff }),
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0xe000, max: 0x10ffff }),
).map((code) => String.fromCodePoint(code));

const part = fc.string({ unit: anyCharacter, maxLength: 8 }).map(encodeURIComponent);

/** A URL path without the leading slash. */
export const anyPath: fc.Arbitrary<string> = fc.array(part, { maxLength: 5 })
  .map((parts) => parts.join("/"));

export function anyUrl(schemes: readonly string[] = ["http", "https"]): fc.Arbitrary<string> {
  const query = fc.array(fc.tuple(part, part), { maxLength: 3 });
  return fc.tuple(fc.constantFrom(...schemes), fc.domain(), anyPath, query)
    .map(([scheme, host, path, pairs]) => {
      const search = pairs.map(([name, value]) => `${name}=${value}`).join("&");
      return `${scheme}://${host}/${path}${search && `?${search}`}`;
    });
}
