const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const HALF_SIZE = 2 ** 40;
/** Two digits at a time: every request has a ULID. */
const PAIRS = Array.from(
  { length: 1_024 },
  (_, n) => ALPHABET.charAt(n >> 5) + ALPHABET.charAt(n & 31),
);

/**
 * A source of ULIDs: 10 characters of milliseconds, 16 of randomness, in Crockford's base32. Each
 * is greater than the one before: within a millisecond, and while the clock is behind, the random
 * part counts up and carries into the time.
 */
export function createUlidSource(
  nowMs: () => number,
  randomBytes: (count: number) => Uint8Array,
): () => string {
  let timeMs = -1;
  let high = 0;
  let low = 0;

  const draw = () => {
    const bytes = randomBytes(10);
    high = numberOf(bytes.subarray(0, 5));
    low = numberOf(bytes.subarray(5));
  };
  const countUp = () => {
    low = (low + 1) % HALF_SIZE;
    if (low === 0) high = (high + 1) % HALF_SIZE;
    if (low === 0 && high === 0) timeMs += 1;
  };

  return () => {
    const now = Math.floor(nowMs());
    if (now > timeMs) {
      timeMs = now;
      draw();
    } else {
      countUp();
    }
    return base32(timeMs, 10) + base32(high, 8) + base32(low, 8);
  };
}

/** `length` is even. */
function base32(value: number, length: number): string {
  let text = "";
  let rest = value;
  for (let n = 0; n < length; n += 2) {
    text = PAIRS[rest % 1_024] + text;
    rest = Math.floor(rest / 1_024);
  }
  return text;
}

function numberOf(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}
