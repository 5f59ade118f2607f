/**
 * The program with one handle of its store's file for reads and commits, so that a read waits for the
 * commits before it: what a handle for reads is measured against. `Deno.openKv` answers the handle that
 * there is already, and nobody reads rows past the engine.
 */
import { DatabaseSync } from "node:sqlite";

const { openKv } = Deno;
const handles = new Map<string, Deno.Kv>();

async function openOnce(path?: string): Promise<Deno.Kv> {
  const handle = handles.get(path ?? "");
  if (handle) return sharing(handle);
  const opened = await openKv(path);
  handles.set(path ?? "", opened);
  return opened;
}

/** The same handle by another name, with its methods as they are now; its end is that of the first one. */
function sharing(handle: Deno.Kv): Deno.Kv {
  const methods = new Map<PropertyKey, unknown>([["close", () => {}]]);
  for (const name of ["get", "getMany", "set", "delete", "list", "atomic"] as const) {
    methods.set(name, handle[name].bind(handle));
  }
  return new Proxy(handle, {
    get: (_, name) => methods.get(name),
    defineProperty(_, name, { value }) {
      methods.set(name, value);
      return true;
    },
  });
}

Object.defineProperty(Deno, "openKv", { value: openOnce });

const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (sql) {
  if (/\b(from|join)\s+kv\b/i.test(sql)) throw new Error("Rows are read by the engine alone");
  return prepare.call(this, sql);
};

await import("../../main.ts");
