/** Reads a stream to its end, even if nobody waits for the text. */
export function readText(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let text = "";
  let isOver = false;
  let change = Promise.withResolvers<void>();
  const wake = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const ended = (async () => {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      wake();
    }
    isOver = true;
    wake();
  })();
  return {
    ended,
    text: () => text,
    /** Resolves when the text matches the pattern; null if the stream ends before. */
    async until(pattern: RegExp) {
      while (!pattern.test(text) && !isOver) await change.promise;
      return pattern.exec(text);
    },
  };
}
