import fc from "fast-check";
import { deepStrictEqual as assertEquals, match, rejects, throws } from "node:assert/strict";
import { type JsonValue, memoize, releasing } from "../../src/base/collections.ts";
import { createCursorSealer } from "../../src/platform/store/context.ts";

Deno.test("a result in use is computed once and then comes from the cache", () => {
  const drawn = fc.array(fc.string({ maxLength: 12 }), { maxLength: 50 });
  fc.assert(fc.property(drawn, (texts) => {
    const made: string[] = [];
    const ask = memoize((text) => {
      made.push(text);
      return [text];
    }, 8);
    for (const text of texts) assertEquals(ask(text), [text]);
    const short = texts.filter(({ length }) => length <= 8);
    const long = texts.filter(({ length }) => length > 8);
    assertEquals(made.toSorted(), [...new Set(short), ...long].toSorted());
  }));
});

Deno.test("the cache keeps the most recent of many texts", () => {
  let made = 0;
  const ask = memoize((text) => {
    made++;
    return text.toUpperCase();
  }, 8);
  for (let n = 0; n < 10_000; n++) assertEquals([ask(`a${n}`), ask("b")], [`A${n}`, "B"]);
  assertEquals(made, 10_001);
  ask("a9999");
  assertEquals(made, 10_001);
  ask("a0");
  assertEquals(made, 10_002);
});

Deno.test("a call that throws is not cached", () => {
  let fails = true;
  const ask = memoize((text) => {
    if (fails) throw new Error(text);
    return text;
  }, 8);
  throws(() => ask("a"), /a/);
  fails = false;
  assertEquals(ask("a"), "a");
});

function held() {
  const state = { isHeld: true, [Symbol.dispose]: () => void (state.isHeld = false) };
  return state;
}

async function* two() {
  yield await Promise.resolve(1);
  yield 2;
}

Deno.test("releasing() releases at the end, after an error, and when the reader stops, even before the first item", async () => {
  const ended = held();
  assertEquals(await Array.fromAsync(releasing(two(), ended)), [1, 2]);
  assertEquals(ended.isHeld, false);

  const left = held();
  for await (const _ of releasing(two(), left)) {
    assertEquals(left.isHeld, true);
    break;
  }
  assertEquals(left.isHeld, false);

  const unread = held();
  await ReadableStream.from(releasing(two(), unread)).cancel();
  assertEquals(unread.isHeld, false);

  const torn = held();
  async function* failing(): AsyncGenerator<number, void> {
    yield await Promise.reject(new Error("torn"));
  }
  await rejects(Array.fromAsync(releasing(failing(), torn)), /torn/);
  assertEquals(torn.isHeld, false);
});

const sealer = createCursorSealer(new Uint8Array(32).fill(7));

Deno.test("seal() and open() carry any position, in a token that needs no escaping in a URL", () => {
  fc.assert(fc.property(fc.string(), fc.jsonValue(), (scope, value) => {
    const position: JsonValue = JSON.parse(JSON.stringify(value));
    const token = sealer.seal(scope, position);
    match(token, /^[\w-]+$/);
    assertEquals(sealer.open(scope, token), position);
  }));
});

Deno.test("open() is null for every other character at every place, and for other lengths", () => {
  for (const position of [[], [1], [12]]) {
    const cursor = sealer.seal("s", position);
    for (let at = 0; at < cursor.length; at++) {
      for (const other of "AQgwz09-_+/= é".replace(cursor[at]!, "")) {
        const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
        assertEquals(sealer.open("s", changed), null);
      }
    }
    for (const changed of [cursor.slice(1), cursor.slice(0, -1), cursor + "A", cursor + "=", ""]) {
      assertEquals(sealer.open("s", changed), null);
    }
  }
});

Deno.test("open() is null for another scope and another secret", () => {
  const cursor = sealer.seal("w1 products", 1);
  assertEquals(sealer.open("w2 products", cursor), null);
  assertEquals(createCursorSealer(new Uint8Array(32)).open("w1 products", cursor), null);
});
