/**
 * What `source` yields; `held` is let go when that is over: at its end, by an error, and when whoever
 * takes it leaves, also before the first. A generator by itself does not hear of who left before that.
 */
export function releasing<T>(
  source: AsyncGenerator<T, void>,
  held: Disposable,
): AsyncIterableIterator<T, void> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      try {
        const step = await source.next();
        if (step.done) held[Symbol.dispose]();
        return step;
      } catch (error) {
        held[Symbol.dispose]();
        throw error;
      }
    },
    async return() {
      using _ = held;
      return await source.return();
    },
  };
}
