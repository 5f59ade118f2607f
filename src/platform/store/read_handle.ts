/**
 * A file store has a thread per handle, which does one thing after the other: on one handle every
 * read waits for the commits before it. So a process reads by a handle of its own. What was committed
 * is there for every read that begins after the commit was answered.
 */

/** The store of `writer`, whose reads go to `reader`, and which closes both. */
export function readingBy(reader: Deno.Kv, writer: Deno.Kv): Deno.Kv {
  for (const name of ["get", "getMany", "list"] as const) {
    const value = reader[name].bind(reader);
    Object.defineProperty(writer, name, { value, configurable: true, writable: true });
  }
  const close = writer.close.bind(writer);
  const value = () => {
    reader.close();
    close();
  };
  Object.defineProperty(writer, "close", { value, configurable: true, writable: true });
  return writer;
}
