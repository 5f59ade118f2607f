/** Makes the files in `dist/`, which the service serves. */
import { promisify } from "node:util";
import { brotliCompress, constants, gzipSync } from "node:zlib";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
// Importing a file of each package makes Deno download missing packages.
import "@fontsource-variable/inter/package.json" with { type: "json" };
import "swagger-ui-dist/package.json" with { type: "json" };

const PROJECT = new URL("../", import.meta.url);
const DIST = new URL("dist/", PROJECT);

/** The server reads all fields except `bytes` from `dist/files.json`. */
interface Served {
  readonly path: string;
  readonly file: string;
  readonly bytes: Uint8Array;
  /** If true, the file's name changes with its content, so browsers may keep the file for ever. */
  readonly isLasting: boolean;
}

const TYPES: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  woff2: "font/woff2",
};

const hashOf = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const typeOf = (file: string) => TYPES[file.split(".").at(-1) ?? ""];

function packageFolder(name: string): URL {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return pathToFileURL(`${dirname(manifest)}/`);
}

async function docsFiles(): Promise<Served[]> {
  const page = new URL("src/app/reference/page/", PROJECT);
  const swagger = packageFolder("swagger-ui-dist");
  const sources: readonly (readonly [name: string, from: URL])[] = [
    ...["index.html", "page.js", "page.css"].map((name) => [name, page] as const),
    ...["swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt", "swagger-ui.css"]
      .map((name) => [name, swagger] as const),
    ...["favicon-32x32.png", "LICENSE", "NOTICE"].map((name) => [name, swagger] as const),
  ];
  return await Promise.all(sources.map(async ([name, from]) => ({
    path: name === "index.html" ? "/docs" : `/docs/${name}`,
    file: `docs/${name}`,
    bytes: await Deno.readFile(new URL(name, from)),
    isLasting: false,
  })));
}

async function inputsHash(): Promise<string> {
  const paths = [
    ...await filesBelow("src/base/"),
    ...await filesBelow("src/engine/wording/"),
    ...await filesBelow("src/client/"),
    ...await filesBelow("src/app/reference/page/"),
    ...["deno.lock", "deno.json", "scripts/build.ts"],
  ];
  const hashes = paths.map(async (path) => {
    return `${path} ${hashOf(await Deno.readFile(new URL(path, PROJECT)))}`;
  });
  return hashOf((await Promise.all(hashes)).join("\n"));
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(new URL(folder, PROJECT)));
  const names = entries.toSorted((a, b) => a.name < b.name ? -1 : 1);
  const below = await Promise.all(
    names.map(async ({ name, isDirectory }) =>
      isDirectory ? await filesBelow(`${folder}${name}/`) : [folder + name]
    ),
  );
  return below.flat();
}

async function clientFiles(): Promise<Served[]> {
  const { success, outputFiles, errors } = await Deno.bundle({
    entrypoints: ["src/client/main.tsx"],
    platform: "browser",
    minify: true,
    codeSplitting: true,
    outputDir: "dist/assets",
    write: false,
  });
  if (!success) {
    throw new Error(errors.map(({ text, location }) => `${location?.file}: ${text}`).join("\n"));
  }
  const icon = await Deno.readFile(new URL("src/client/icon.svg", PROJECT));
  const { font, license, face } = await typeface();
  const assets = [
    ...(outputFiles ?? []).map(({ path, contents = new Uint8Array() }) => {
      if (path.endsWith(".css")) return lasting(path, joined(face, contents));
      return /\/main\.\w+$/.test(path) ? lasting(path, contents) : asset(path, contents);
    }),
    lasting("icon.svg", icon),
    font,
    license,
  ];
  const pathOf = (name: RegExp) =>
    assets.find(({ path }) => name.test(path))?.path ?? fail(`No ${name} was built`);
  const page = indexPage({
    script: pathOf(/main-.*\.js$/),
    style: pathOf(/\.css$/),
    icon: pathOf(/\.svg$/),
    font: font.path,
  });
  return [...assets, {
    path: "/",
    file: "client/index.html",
    bytes: new TextEncoder().encode(page),
    isLasting: false,
  }];
}

async function typeface() {
  const folder = packageFolder("@fontsource-variable/inter");
  const read = (name: string) => Deno.readFile(new URL(name, folder));
  const font = lasting("inter.woff2", await read("files/inter-latin-wght-normal.woff2"));
  const license = lasting("inter-license.txt", await read("LICENSE"));
  const face = `@font-face{font-family:Inter;font-weight:100 900;font-display:swap;` +
    `src:url(${font.path}) format("woff2")}\n`;
  return { font, license, face };
}

function joined(head: string, rest: Uint8Array): Uint8Array {
  return new TextEncoder().encode(head + new TextDecoder().decode(rest));
}

function fail(message: string): never {
  throw new Error(message);
}

function lasting(path: string, bytes: Uint8Array): Served {
  const [, stem, ending] = /([^/]+)\.(\w+)$/.exec(path) ?? fail(`"${path}" has no ending`);
  return asset(`${stem}-${hashOf(bytes).slice(0, 12)}.${ending}`, bytes);
}

function asset(path: string, bytes: Uint8Array): Served {
  const name = path.split("/").at(-1);
  return { path: `/assets/${name}`, file: `client/${name}`, bytes, isLasting: true };
}

interface PageParts {
  readonly script: string;
  readonly style: string;
  readonly icon: string;
  readonly font: string;
}

function indexPage({ script, style, icon, font }: PageParts): string {
  return `<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Kurant</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
<link rel="preload" as="font" type="font/woff2" crossorigin href="${font}">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript>Kurant braucht JavaScript. Kurant needs JavaScript.</noscript>
</body>
</html>
`;
}

async function writeChanged(file: string, bytes: Uint8Array): Promise<boolean> {
  const target = new URL(file, DIST);
  const present = await readIfThere(target);
  if (present !== null && hashOf(present) === hashOf(bytes)) return false;
  await Deno.mkdir(new URL("./", target), { recursive: true });
  await Deno.writeFile(target, bytes);
  return true;
}

async function readIfThere(target: URL): Promise<Uint8Array | null> {
  return await Deno.readFile(target).catch((error: unknown) => {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  });
}

/** The hash of the sources is written last, so that an interrupted build is repeated. */
async function writeAll(served: readonly Served[], inputs: string): Promise<number> {
  const table = Object.fromEntries(
    served.filter(({ file }) => typeOf(file) !== undefined).map((
      { path, file, isLasting },
    ) => [path, {
      ...{ file, type: typeOf(file), isLasting },
      ...{ isPacked: isPacked(file), hasBrotli: hasBrotli(file) },
    }]),
  );
  const writes = await Promise.all([
    ...served.map(({ file, bytes }) => writeChanged(file, bytes)),
    ...served.filter(({ file }) => isPacked(file))
      .map(({ file, bytes }) => writeChanged(`${file}.gz`, gzipSync(bytes, { level: 9 }))),
    ...served.filter(({ file }) => hasBrotli(file))
      .map(async ({ file, bytes }) => await writeChanged(`${file}.br`, await brotliOf(bytes))),
    writeChanged("files.json", new TextEncoder().encode(JSON.stringify(table, null, 1))),
  ]);
  await writeChanged(BUILT_FROM, new TextEncoder().encode(inputs));
  return writes.filter(Boolean).length;
}

function isPacked(file: string): boolean {
  return !/\.(?:png|woff2)$/.test(file);
}

function hasBrotli(file: string): boolean {
  return /^client\/.*\.(?:js|css)$/.test(file);
}

const compress = promisify(brotliCompress);

async function brotliOf(bytes: Uint8Array): Promise<Uint8Array> {
  return await compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } });
}

async function sweepClient(served: readonly Served[]): Promise<void> {
  const wanted = new Set(served.flatMap(({ file }) => [file, `${file}.gz`, `${file}.br`]));
  for await (const { name } of Deno.readDir(new URL("client/", DIST))) {
    if (!wanted.has(`client/${name}`)) await Deno.remove(new URL(`client/${name}`, DIST));
  }
}

const BUILT_FROM = "built_from.txt";

const inputs = await inputsHash();

async function isBuilt(): Promise<boolean> {
  const builtFrom = await readIfThere(new URL(BUILT_FROM, DIST));
  return builtFrom !== null && new TextDecoder().decode(builtFrom) === inputs;
}

/** Locks the folder, because another build would remove or overwrite the files of this build. */
async function build(): Promise<void> {
  await Deno.mkdir(DIST, { recursive: true });
  using lock = await Deno.open(new URL("build.lock", DIST), { create: true, write: true });
  await lock.lock(true);
  if (await isBuilt()) return;
  const served = [...await docsFiles(), ...await clientFiles()];
  const count = await writeAll(served, inputs);
  await sweepClient(served);
  await Deno.stdout.write(new TextEncoder().encode(`dist: ${count} files written\n`));
}

// If `dist/` is up to date, write nothing, because the folder may be read-only.
if (!await isBuilt()) await build();
