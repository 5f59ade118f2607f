/** Whether hostile texts cost more than their length: by processor time of the thread that looks at them. */
import { leastCostMs, orRefusal } from "../processor_time.ts";
import { IS_LONG } from "../proof.ts";

/** The first ones stop what grows exponentially; each is measured against a quarter of itself. */
const SIZES = IS_LONG
  ? [8, 32, 128, 512, 2_048, 8_192, 32_768]
  // A quadratic expression takes about 3 ns a step: 600 ms for 20,480 characters, and 100 ms if it
  // restarts only at every fifth. From 64 ms on, GROWTH_MAX detects it, TICK_MS included.
  : [8, 32, 128, 1_024, 20_480];
/** Shorter times are not judged, because a pause of the garbage collector may take as long. */
const JUDGED_FROM_MS = 40;
/** Four times as much text may cost four times as much; sixteen times is quadratic. */
const GROWTH_MAX = 8;
/** So coarsely some kernels count. */
const TICK_MS = 4;

/**
 * Why `work` grows faster than its text, or null. `textOf(n)` is about `n` characters long. The clock
 * only finds what is worth measuring: it never says less than the processor time.
 */
export function superlinearity(
  textOf: (n: number) => string,
  work: (text: string) => unknown,
): string | null {
  const onText = (text: string) => orRefusal(() => work(text));
  for (const n of SIZES) {
    const whole = onText(textOf(n));
    const began = performance.now();
    whole();
    if (performance.now() - began < JUDGED_FROM_MS) continue;
    const four = leastCostMs(whole);
    if (four < JUDGED_FROM_MS) continue;
    const one = leastCostMs(onText(textOf(n / 4)));
    if (four > GROWTH_MAX * (one + TICK_MS)) {
      return `${n / 4} characters cost ${one.toFixed(1)} ms, ${n} cost ${four.toFixed(1)} ms`;
    }
  }
  return null;
}
