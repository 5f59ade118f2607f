import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { parse } from "yaml";
import { billOfMaterials } from "../../scripts/sbom.ts";
import { VERSION } from "../../src/base/version.ts";
import { outputOf } from "../program.ts";
import { readServices } from "../fault/compose_services.ts";

const workflowText = await Deno.readTextFile(".github/workflows/release.yml");
const dockerText = await Deno.readTextFile("Dockerfile");
const settings = JSON.parse(await Deno.readTextFile("deno.json"));

interface Job {
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

const { on, permissions, jobs } = parse(workflowText);
const steps = Object.values<Job>(jobs).flatMap(({ steps }) => steps);

function requireTasks(text: string): void {
  const named = [...text.matchAll(/deno task (?:--quiet )?([\w:]+)/g)].map(([, name]) => name);
  ok(named.length > 0);
  for (const name of named) ok(settings.tasks[name ?? ""], `There is no task "${name}"`);
}

Deno.test("a tag begins a release, which has programs for four systems that this version of Deno can compile for", async () => {
  assertEquals([on.push.tags, permissions], [["v*"], { contents: "read" }]);
  const machines: { target: string; runner: string }[] = jobs.programs.strategy.matrix.include;
  assertEquals(machines.map(({ target, runner }) => [target, runner.split("-")[0]]), [
    ["x86_64-unknown-linux-gnu", "ubuntu"],
    ["aarch64-unknown-linux-gnu", "ubuntu"],
    ["aarch64-apple-darwin", "macos"],
    ["x86_64-pc-windows-msvc", "windows"],
  ]);
  for (const { target } of machines) {
    const args = ["compile", "--target", target, "no-such-module.ts"];
    const { code, err } = await outputOf("deno", args, { NO_COLOR: "1" });
    assertEquals(code, 1);
    match(err, /no-such-module\.ts/, target);
  }
  assertEquals(jobs.publish.needs, ["programs", "image"]);
});

Deno.test("the release workflow pins actions by commit, and uses the tested version of Deno", () => {
  const used = [...workflowText.matchAll(/uses: (\S+)( # v\d+\.\d+\.\d+)?$/gm)];
  assertEquals(used.length, steps.filter(({ uses }) => uses).length);
  for (const [line, action = "", version] of used) {
    match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/, line);
    ok(version, `${line} names no version`);
  }
  const versions = steps.flatMap((step) => step.with?.["deno-version"] ?? []);
  assertEquals(versions, [Deno.version.deno, Deno.version.deno]);
});

Deno.test("the steps of a release are valid shell scripts that call existing tasks", async () => {
  for (const { run } of steps) {
    if (run === undefined) continue;
    const script = run.replaceAll(/\$\{\{.*?\}\}/g, "value");
    const { code, err } = await outputOf("bash", ["-n", "-c", script]);
    assertEquals([code, err], [0, ""], run);
  }
  requireTasks(workflowText);
});

Deno.test("the newest release of the changelog is the version of the program, and its part is the release's notes", async () => {
  const changelog = await Deno.readTextFile("CHANGELOG.md");
  assertEquals(/^## (\d\S+)$/m.exec(changelog)?.[1], VERSION);
  match(VERSION, /^\d+\.\d+\.\d+$/);
  const script = steps.flatMap(({ run = "" }) => /^sed .* CHANGELOG\.md/m.exec(run) ?? [])[0];
  const release = { GITHUB_REF_NAME: `v${VERSION}` };
  const { out } = await outputOf("bash", ["-c", script ?? "false"], release);
  const [, part] = changelog.split(`\n## ${VERSION}\n`);
  assertEquals(out, part?.split("\n## ")[0]);
});

Deno.test("the image is built from existing files by the tested version, and runs without privileges", async () => {
  const lines = dockerText.replaceAll("\\\n", " ").split("\n");
  const of = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  for (const from of of("FROM")) {
    match(from, new RegExp(`denoland/deno:debian-${RegExp.escape(Deno.version.deno)}( |$)`));
  }
  requireTasks(dockerText);
  const [command, ...args]: string[] = JSON.parse(of("ENTRYPOINT")[0] ?? "[]");
  assertEquals([command, args.at(-1), of("CMD").at(-1)], ["deno", "kurant", '["serve"]']);
  ok(settings.tasks[args.at(-1) ?? ""]);
  // The build stage generates these paths; all other copied paths are files of the project.
  const built = ["/deno-dir", "/data", "/app/dist"];
  for (const copy of of("COPY").filter((copy) => copy.includes("--from=build"))) {
    const [_, ...sources] = copy.split(" ").filter((word) => !word.startsWith("--from"))
      .filter((word) => !word.startsWith("--chown")).reverse();
    for (const source of sources.filter((source) => !built.includes(source))) {
      ok(await Deno.stat(source.replace("/app/", "")), source);
    }
  }
  assertEquals(of("USER"), ["deno"]);
  // A `RUN` step in the last stage would need a machine of the image's architecture.
  assertEquals(dockerText.slice(dockerText.lastIndexOf("\nFROM ")).includes("\nRUN "), false);
  const ignored = (await Deno.readTextFile(".dockerignore")).split("\n");
  for (const path of [".git", "data", "tests"]) ok(ignored.includes(path), path);
});

Deno.test("the bill of materials has each package of the program once, with checksum and licence", async () => {
  const { components, dependencies, metadata } = await billOfMaterials();
  assertEquals(metadata.component.version, VERSION);
  const names = components.map(({ name }) => name);
  const refs = new Set(components.map((component) => component["bom-ref"]));
  assertEquals(refs.size, components.length);
  for (const name of ["deno", "hono", "zod", "preact", "swagger-ui-dist", "nodemailer"]) {
    ok(names.includes(name), name);
  }
  const tools = ["playwright-core", "typescript", "fast-check"];
  assertEquals(tools.filter((name) => names.includes(name)), []);
  for (const component of components) {
    if (!("hashes" in component)) continue;
    match(component.purl, /^pkg:npm\/[^@]+@[\w.-]+$/);
    for (const { content } of component.hashes) match(content, /^[0-9a-f]{128}$/);
  }
  const licences = new Set(components.flatMap(({ licenses }) => licenses).map(licenceOf));
  const free = "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause ISC MIT MIT-0 OFL-1.1 Unlicense".split(
    " ",
  );
  assertEquals([...licences].filter((id) => !free.includes(id)), []);
  const known = new Set([...refs, metadata.component["bom-ref"]]);
  for (const { ref, dependsOn } of dependencies) {
    assertEquals([ref, ...dependsOn].filter((one) => !known.has(one ?? "")), []);
  }
  assertEquals(dependencies.length, components.length);
});

function licenceOf(licence: object): string {
  return "license" in licence ? Object(licence.license).id : JSON.stringify(licence);
}

Deno.test("deploy/compose.yaml has one server with a file, and two on one store with the same settings", async () => {
  const { kurant, first, second, kv, ...others } = await readServices();
  assertEquals(Object.keys(others), []);
  assertEquals([kurant?.profiles, kurant?.environment.KV_URL], [[], undefined]);
  for (const server of [first, second]) {
    const { profiles, depends_on, env_file, environment, volumes } = server!;
    assertEquals([profiles, depends_on, volumes], [["several"], ["kv"], []]);
    assertEquals([env_file, environment.KV_URL], [kv?.env_file, "http://kv:4512"]);
  }
  assertEquals({ ...first, ports: [] }, { ...second, ports: [] });
  const ports = [kurant, first, second, kv].flatMap((service) => service?.ports ?? []);
  assertEquals(ports.map((port) => /^127\.0\.0\.1:\d+:8000$/.test(port)), [true, true, true]);
  assertEquals(new Set(ports).size, 3);
  match(kv?.image ?? "", /:\d+\.\d+\.\d+$/);
});
