/**
 * A file store has a thread per handle, which does one thing after the other: on one handle every
 * read waits for the commits before it. So a process reads by a handle of its own. What was committed
 * is there for every read that begins after the commit was answered.
 */

import { beforeClosing, replaceMethod } from "./replace_method.ts";

/** The store of `writer`, whose reads go to `reader`, and which closes both. */
export function readingBy(reader: Deno.Kv, writer: Deno.Kv): Deno.Kv {
  for (const name of ["get", "getMany", "list"] as const) {
    replaceMethod(writer, name, reader[name].bind(reader));
  }
  beforeClosing(writer, () => reader.close());
  return writer;
}
