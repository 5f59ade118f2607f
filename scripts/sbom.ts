/**
 * Prints the bill of materials of a release in CycloneDX 1.6: `deno task sbom > kurant.cdx.json`.
 * The same commit always gives the same bill of materials.
 */
import { VERSION } from "../src/base/version.ts";
import { INCLUDED } from "./compile.ts";
import { type NpmPackage, programOf } from "./program_packages.ts";

const ENTRIES = [
  "main.ts",
  ...INCLUDED.filter((path) => path.endsWith(".ts")),
  "src/client/main.tsx",
  "scripts/build.ts",
];

export async function billOfMaterials() {
  const { packages } = await programOf(ENTRIES);
  const lock: Record<string, { readonly integrity: string } | undefined> =
    JSON.parse(await Deno.readTextFile(new URL("../deno.lock", import.meta.url))).npm;
  const sorted = [...packages].sort(([one], [other]) => one < other ? -1 : 1);
  const refs = new Map(sorted.map(([id, found]) => [id, purlOf(found)]));
  const components = await Promise.all(
    sorted.map(([id, found]) => componentOf(found, lock[id]?.integrity)),
  );
  const own = `pkg:generic/kurant@${VERSION}`;
  const runtime = `pkg:generic/deno@${Deno.version.deno}`;
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { type: "application", "bom-ref": own, name: "kurant", version: VERSION },
    },
    components: [
      {
        type: "platform",
        "bom-ref": runtime,
        name: "deno",
        version: Deno.version.deno,
        purl: runtime,
        licenses: [{ license: { id: "MIT" } }],
      },
      ...components,
    ],
    dependencies: [
      { ref: own, dependsOn: [runtime, ...refs.values()] },
      ...sorted.map(([id, { dependencies }]) => ({
        ref: refs.get(id),
        dependsOn: dependencies.map((other) => refs.get(other)),
      })),
    ],
  };
}

const purlOf = ({ name, version }: NpmPackage) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

async function componentOf(found: NpmPackage, integrity: string | undefined) {
  const { name, version, localPath } = found;
  const [algorithm, checksum = ""] = (integrity ?? "").split("-");
  if (algorithm !== "sha512") throw new Error(`"${name}" has no checksum in deno.lock`);
  const { license } = JSON.parse(await Deno.readTextFile(`${localPath}/package.json`));
  const purl = purlOf(found);
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    hashes: [{ alg: "SHA-512", content: Uint8Array.fromBase64(checksum).toHex() }],
    licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
  };
}

if (import.meta.main) {
  const text = `${JSON.stringify(await billOfMaterials(), null, 2)}\n`;
  await Deno.stdout.write(new TextEncoder().encode(text));
}
