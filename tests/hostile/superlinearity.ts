/** Whether hostile texts cost more than their length: by processor time of the thread that looks at them. */
import { costMs, leastCostMs, orRefusal } from "../processor_time.ts";

/** Each is four times the one before. The first ones stop what grows exponentially. */
const SIZES = [8, 32, 128, 512, 2_048, 8_192, 32_768];
/** Below this nothing is judged: so much a pause of the collector may cost. */
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
    costMs(whole);
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
