import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { glob } from "node:fs/promises";

const DECLARED =
  /^export (?:async |abstract )*(?:function\*?|const|class|interface|type|enum) ([\w$]+)/gm;
const LISTED = /^export (?:type )?\{([^}]*)\}/gm;
const TAKEN = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*"(\.[^"]+)"/g;
const LOADED = /\(await import\("(\.[^"]+)"\)\)\.([\w$]+)/g;

const namesIn = (list: string, side: 0 | 1) =>
  list.split(",").map((one) => one.trim().replace(/^type /, "")).filter(Boolean)
    .map((one) => one.split(" as ").at(side === 0 ? 0 : -1)!);

async function readModule(path: string) {
  const text = await Deno.readTextFile(path);
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:"'])\/\/.*$/gm, "");
  const exported = [
    ...[...code.matchAll(DECLARED)].map(([, name]) => name!),
    ...[...code.matchAll(LISTED)].flatMap(([, list]) => namesIn(list!, 1)),
  ];
  const placeOf = (target: string) => new URL(target, `file:///${path}`).pathname.slice(1);
  const taken = [...code.matchAll(TAKEN)].flatMap(([, list, target]) =>
    namesIn(list!, 0).map((name) => `${placeOf(target!)} ${name}`)
  );
  const loaded = [...code.matchAll(LOADED)].map(([, target, name]) =>
    `${placeOf(target!)} ${name}`
  );
  return { path, code, exported: [...new Set(exported)], taken: [...taken, ...loaded] };
}

const paths = await Array.fromAsync(
  glob(["src/**/*.{ts,tsx}", "main.ts", "scripts/*.ts", "tests/**/*.ts"]),
);
const modules = await Promise.all(paths.map((path) => readModule(path.replaceAll("\\", "/"))));
/** `scripts/` is not checked, because its template strings contain code with exports. */
const ofSrc = modules.filter(({ path }) => path.startsWith("src/"));
const ofTests = modules.filter(({ path }) => path.startsWith("tests/"));
const taken = new Set(modules.flatMap((module) => module.taken));

Deno.test("every export is imported by another file, and no module as a whole, which would hide unused exports", () => {
  const unused = [...ofSrc, ...ofTests].flatMap(({ path, exported }) =>
    exported.filter((name) => !taken.has(`${path} ${name}`))
      .map((name) => `${path} ${name}`)
  );
  assertEquals(unused, []);
  const whole = [...ofSrc, ...ofTests].filter(({ code }) =>
    /import\s+\*\s+as\s+\w+\s+from\s+"\./.test(code)
  );
  assertEquals(whole.map(({ path }) => path), []);
});
