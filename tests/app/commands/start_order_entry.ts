/** Starts Kurant and prints each call of `Deno.cron`, `Deno.openKv` and `Deno.serve`. */
const told = new TextEncoder();
for (const name of ["cron", "openKv", "serve"] as const) {
  const original = Deno[name];
  Object.defineProperty(Deno, name, {
    value: (...args: unknown[]) => {
      Deno.stderr.writeSync(told.encode(`starts Deno.${name}\n`));
      return Reflect.apply(original, Deno, args);
    },
  });
}
await import("../../../main.ts");
