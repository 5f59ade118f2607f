/** Puts together what the service serves as files, in `dist/`; writes only what has changed. */
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
// Makes Deno fetch the package on a machine that does not have it yet.
import "swagger-ui-dist/package.json" with { type: "json" };

const PROJECT = new URL("../", import.meta.url);
const PAGE = new URL("src/reference/page/", PROJECT);
const DOCS = new URL("dist/docs/", PROJECT);

/** Where the files of a package lie; `nodeModulesDir: none` keeps them in Deno's own cache. */
function packageFolder(name: string): URL {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return pathToFileURL(`${dirname(manifest)}/`);
}

const swagger = packageFolder("swagger-ui-dist");
const sources: readonly (readonly [name: string, from: URL])[] = [
  ...["index.html", "page.js", "page.css"].map((name) => [name, new URL(name, PAGE)] as const),
  ...[
    "swagger-ui-bundle.js",
    "swagger-ui-bundle.js.LICENSE.txt",
    "swagger-ui.css",
    "favicon-32x32.png",
    "LICENSE",
    "NOTICE",
  ].map((name) => [name, new URL(name, swagger)] as const),
];

/** True when the file had to be written. */
async function copyChanged(name: string, from: URL): Promise<boolean> {
  const bytes = await Deno.readFile(from);
  const target = new URL(name, DOCS);
  const present = await Deno.readFile(target).catch((error: unknown) => {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  });
  if (present !== null && isSame(bytes, present)) return false;
  await Deno.writeFile(target, bytes);
  return true;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

await Deno.mkdir(DOCS, { recursive: true });
const written = await Promise.all(sources.map(([name, from]) => copyChanged(name, from)));
const count = written.filter(Boolean).length;
if (count > 0) await Deno.stdout.write(new TextEncoder().encode(`dist: ${count} files written\n`));
