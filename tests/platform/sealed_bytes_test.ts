import fc from "fast-check";
import { sha256 } from "../../src/base/bytes.ts";
import { openBytes, sealBytes } from "../../src/platform/store/value_bytes.ts";
import { deepStrictEqual as assertEquals, notDeepStrictEqual, throws } from "node:assert/strict";

Deno.test("sealed bytes open only with their secret", () => {
  fc.assert(fc.property(fc.uint8Array(), fc.string(), fc.string(), (bytes, mine, other) => {
    const sealed = sealBytes(sha256(mine), bytes);
    assertEquals([...openBytes(sha256(mine), sealed)], [...bytes]);
    if (mine !== other) throws(() => openBytes(sha256(other), sealed));
  }));
});

Deno.test("sealed bytes with a changed byte do not open", () => {
  const secret = sha256("secret");
  const sealed = sealBytes(secret, new TextEncoder().encode("a link that is shown once"));
  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.slice();
    changed[at] = (changed[at] ?? 0) ^ 1;
    throws(() => openBytes(secret, changed), `byte ${at}`);
  }
});

Deno.test("the same bytes are sealed differently each time", () => {
  const bytes = new Uint8Array([1, 2, 3]);
  notDeepStrictEqual(sealBytes(sha256("s"), bytes), sealBytes(sha256("s"), bytes));
});
