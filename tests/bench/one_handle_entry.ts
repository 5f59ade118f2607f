/**
 * The program with one store handle for reads and commits, so that reads wait for earlier commits.
 * It is compared with the program that has a separate handle for reads. `Deno.openKv` returns the
 * existing handle, and direct reads of the file throw.
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

/** A copy of the handle with its current methods. Closing the copy has no effect. */
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
