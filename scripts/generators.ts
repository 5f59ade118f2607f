/**
 * Has generators of clients read both OpenAPI documents, compiles what they make, and calls a server
 * of its own with it: `deno run -A scripts/generators.ts`. A generator is installed once, by the
 * package manager of its language; where that is not there, the generator is said to be lacking. Ends
 * with 1 when one of those that are there fails.
 *
 * The short form takes those that judge documents and make no client. The others are for `LONG_PROOFS=1`,
 * and named as left for it; what openapi-typescript makes is also asked in `tests/api/client_types_test.ts`.
 */
import { WORKBOOK_TYPE } from "../src/platform/tables/workbook_parts.ts";
import { stdout } from "node:process";
import { stripVTControlCharacters } from "node:util";
import { IS_LONG } from "../tests/proof.ts";
import { type OwnService, post, startOwnService } from "./own_service.ts";

const ROOT = `${Deno.env.get("HOME") ?? "/tmp"}/.cache/kurant/generators`;
const SKU = "KS-300";

/** One of the documents, and a product that its clients have to find. */
interface Subject {
  readonly name: "external" | "in_app";
  /** The file with the document. */
  readonly file: string;
  readonly base: string;
  /** The header that lets a client in. */
  readonly header: readonly [name: string, value: string];
  /** What the operation `getProduct` is asked for. */
  readonly id: string;
  readonly path: string;
  readonly parameter: string;
  /** The fields from the answer of `getProduct` to the SKU. */
  readonly fields: readonly string[];
  /** How many parameters the operation has besides, none of them needed. */
  readonly more: number;
}

interface Generator {
  readonly name: string;
  /** It judges a document and makes nothing: the short form has it, too. */
  readonly isQuick: boolean;
  /** Programs without which it cannot be. */
  readonly needs: readonly string[];
  /** Into `ROOT`, unless it is there. */
  install(): Promise<void>;
  /** Generates, compiles, and calls in `folder`; answers what the call has printed. */
  use(subject: Subject, folder: string): Promise<string>;
}

class Broken extends Error {}

function say(text: string): void {
  stdout.write(`${text}\n`);
}

async function run(cwd: string, program: string, args: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd,
    env: { CI: "1", ...env },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  if (code === 0) return text.decode(stdout);
  const said = (text.decode(stdout) + text.decode(stderr)).trim().split("\n").slice(-25).join("\n");
  throw new Broken(`${program} ${args.join(" ")} ended with ${code}:\n${said}`);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

async function isThere(program: string): Promise<boolean> {
  try {
    await new Deno.Command(program, {
      args: [program === "go" ? "version" : "--version"],
      stdout: "null",
      stderr: "null",
    }).output();
    return true;
  } catch {
    return false;
  }
}

async function hasFile(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch {
    return false;
  }
}

const NPM = `${ROOT}/npm-1`;
const PIP = `${ROOT}/pip-1`;
const GO = `${ROOT}/go-1`;
const MVN = ["--quiet", "--batch-mode", "-Dstyle.color=never"];
const JAR = `${ROOT}/openapi-generator-cli-7.17.0.jar`;

async function npmPackages(): Promise<void> {
  if (await hasFile(`${NPM}/node_modules/.bin/spectral`)) return;
  await Deno.mkdir(NPM, { recursive: true });
  await Deno.writeTextFile(`${NPM}/package.json`, '{"private": true, "type": "module"}');
  await run(NPM, "npm", [
    "install",
    "--no-fund",
    "--no-audit",
    "--save-exact",
    "openapi-typescript@7.13.0",
    "openapi-fetch@0.17.0",
    "typescript@5.9.3",
    "@types/node@26.6.6",
    "@redocly/cli@2.41.0",
    "@stoplight/spectral-cli@6.16.3",
  ]);
}

async function pipPackages(): Promise<void> {
  if (await hasFile(`${PIP}/bin/openapi-python-client`)) return;
  await Deno.mkdir(ROOT, { recursive: true });
  await run(ROOT, "python3", ["-m", "venv", "--clear", PIP]);
  await run(ROOT, `${PIP}/bin/pip`, [
    "install",
    "--quiet",
    "openapi-python-client==0.29.1",
    "pydantic==2.14.3",
    "urllib3==2.8.0",
    "python-dateutil==2.9.0.post0",
  ]);
}

async function jar(): Promise<void> {
  if (await hasFile(JAR)) return;
  await Deno.mkdir(ROOT, { recursive: true });
  await run(ROOT, "mvn", [
    "--quiet",
    "dependency:copy",
    "-Dartifact=org.openapitools:openapi-generator-cli:7.17.0",
    `-DoutputDirectory=${ROOT}`,
  ]);
}

const generate = (kind: string, { file }: Subject, folder: string, ...more: string[]) =>
  run(folder, "java", ["-jar", JAR, "generate", "-g", kind, "-i", file, "-o", folder, ...more]);

const GENERATORS: readonly Generator[] = [
  {
    name: "openapi-typescript and openapi-fetch",
    isQuick: false,
    needs: ["npm", "node"],
    install: npmPackages,
    async use({ file, base, header, id, path, parameter, fields }, folder) {
      const bin = `${NPM}/node_modules/.bin`;
      await Deno.symlink(`${NPM}/node_modules`, `${folder}/node_modules`);
      await Deno.writeTextFile(`${folder}/package.json`, '{"private": true, "type": "module"}');
      await run(folder, `${bin}/openapi-typescript`, [file, "-o", "kurant.d.ts"]);
      const headers = JSON.stringify({ [header[0]]: header[1] });
      await Deno.writeTextFile(
        `${folder}/call.ts`,
        `import createClient from "openapi-fetch";
import type { paths } from "./kurant.d.ts";
const client = createClient<paths>({ baseUrl: ${JSON.stringify(base)}, headers: ${headers} });
const { data, error } = await client.GET(${JSON.stringify(path)}, {
  params: { path: { ${parameter}: ${JSON.stringify(id)} } },
});
if (error) throw new Error(error.error.code);
const sku: string = data.${fields.join(".")};
console.log(sku);
`,
      );
      await run(folder, `${bin}/tsc`, [
        ...["--strict", "--target", "es2022", "--module", "nodenext"],
        ...[
          "--skipLibCheck",
          "false",
          "--allowImportingTsExtensions",
          "--rewriteRelativeImportExtensions",
        ],
        "call.ts",
      ]);
      return await run(folder, "node", ["call.js"]);
    },
  },
  {
    name: "redocly and spectral",
    isQuick: true,
    needs: ["npm", "node"],
    install: npmPackages,
    async use({ file }, folder) {
      await Deno.writeTextFile(`${folder}/spectral.yaml`, 'extends: ["spectral:oas"]\n');
      await run(folder, `${NPM}/node_modules/.bin/redocly`, ["lint", file]);
      await run(folder, `${NPM}/node_modules/.bin/spectral`, [
        "lint",
        ...["--ruleset", "spectral.yaml", "--fail-severity", "error", file],
      ]);
      // They read and call nothing.
      return SKU;
    },
  },
  {
    name: "openapi-python-client",
    isQuick: false,
    needs: ["python3"],
    install: pipPackages,
    async use({ name, file, base, header, id, fields }, folder) {
      // It knows text and bytes, but not these by their names.
      const config = `${folder}/config.json`;
      const known = {
        "application/x-ndjson": "text/plain",
        [WORKBOOK_TYPE]: "application/octet-stream",
      };
      await Deno.writeTextFile(config, JSON.stringify({ content_type_overrides: known }));
      await run(folder, `${PIP}/bin/openapi-python-client`, [
        ...["generate", "--path", file, "--output-path", `${folder}/kurant_${name}`],
        ...["--meta", "none", "--fail-on-warning", "--config", config],
      ], { PATH: `${PIP}/bin:${Deno.env.get("PATH") ?? ""}` });
      await Deno.writeTextFile(
        `${folder}/call.py`,
        `import importlib, pkgutil
import kurant_${name} as package
from kurant_${name}.client import Client
from kurant_${name}.api.products import get_product
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(module.name)
client = Client(base_url=${JSON.stringify(base)}).with_headers({${JSON.stringify(header[0])}: ${
          JSON.stringify(header[1])
        }})
print(get_product.sync(${JSON.stringify(id)}, client=client).${fields.join(".")})
`,
      );
      return await run(folder, `${PIP}/bin/python`, ["call.py"]);
    },
  },
  {
    name: "oapi-codegen",
    isQuick: false,
    needs: ["go"],
    async install() {
      if (await hasFile(`${GO}/oapi-codegen`)) return;
      await Deno.mkdir(GO, { recursive: true });
      await run(GO, "go", [
        "install",
        "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2",
      ], {
        GOBIN: GO,
      });
    },
    async use({ file, base, header, id, fields, more }, folder) {
      await Deno.mkdir(`${folder}/kurant`);
      await run(folder, `${GO}/oapi-codegen`, [
        ...["-generate", "types,client", "-package", "kurant", "-o", "kurant/kurant.go", file],
      ]);
      await Deno.writeTextFile(`${folder}/go.mod`, "module call\n\ngo 1.24\n");
      await Deno.writeTextFile(
        `${folder}/main.go`,
        `package main

import (
	"call/kurant"
	"context"
	"fmt"
	"net/http"
)

func main() {
	admit := func(_ context.Context, request *http.Request) error {
		request.Header.Set(${JSON.stringify(header[0])}, ${JSON.stringify(header[1])})
		return nil
	}
	client, err := kurant.NewClientWithResponses(${
          JSON.stringify(base)
        }, kurant.WithRequestEditorFn(admit))
	if err != nil {
		panic(err)
	}
	answer, err := client.GetProductWithResponse(context.Background(), ${JSON.stringify(id)}${
          more > 0 ? ", nil" : ""
        })
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.JSON200.${fields.map(capital).join(".")})
}
`,
      );
      await run(folder, "go", ["mod", "tidy"]);
      return await run(folder, "go", ["run", "."]);
    },
  },
  {
    name: "openapi-generator, Java",
    isQuick: false,
    needs: ["java", "mvn"],
    install: jar,
    async use(subject, folder) {
      await generate("java", subject, folder);
      await Deno.writeTextFile(
        `${folder}/src/main/java/Call.java`,
        `public class Call {
  public static void main(String[] args) throws Exception {
    org.openapitools.client.ApiClient client = new org.openapitools.client.ApiClient();
    client.setBasePath(${JSON.stringify(subject.base)});
    client.addDefaultHeader(${JSON.stringify(subject.header[0])}, ${
          JSON.stringify(subject.header[1])
        });
    org.openapitools.client.api.ProductsApi products =
      new org.openapitools.client.api.ProductsApi(client);
    System.out.println(products.getProduct(${JSON.stringify(subject.id)}${
          ", null".repeat(subject.more)
        })${subject.fields.map((field) => `.get${capital(field)}()`).join("")});
  }
}
`,
      );
      await run(folder, "mvn", [...MVN, "-DskipTests", "compile"]);
      return await run(folder, "mvn", [...MVN, "exec:java", "-Dexec.mainClass=Call"]);
    },
  },
  {
    name: "openapi-generator, Python",
    isQuick: false,
    needs: ["java", "mvn", "python3"],
    async install() {
      await jar();
      await pipPackages();
    },
    async use(subject, folder) {
      await generate("python", subject, folder);
      await Deno.writeTextFile(
        `${folder}/call.py`,
        `import openapi_client
configuration = openapi_client.Configuration(host=${JSON.stringify(subject.base)})
with openapi_client.ApiClient(configuration) as client:
    client.default_headers[${JSON.stringify(subject.header[0])}] = ${
          JSON.stringify(subject.header[1])
        }
    print(openapi_client.ProductsApi(client).get_product(${JSON.stringify(subject.id)}).${
          subject.fields.join(".")
        })
`,
      );
      return await run(folder, `${PIP}/bin/python`, ["call.py"]);
    },
  },
  ...["csharp", "php"].map((kind): Generator => ({
    name: `openapi-generator, ${kind} (made, not compiled)`,
    isQuick: false,
    needs: ["java", "mvn"],
    install: jar,
    async use(subject, folder) {
      await generate(kind, subject, folder);
      return SKU;
    },
  })),
];

await using service = await startOwnService();
const subjects = await subjectsOf(service);
for (const generator of GENERATORS) {
  if (!IS_LONG && !generator.isQuick) {
    say(`for the long form: ${generator.name}`);
    continue;
  }
  const there = await Promise.all(generator.needs.map(isThere));
  const lacking = generator.needs.filter((_, n) => !there[n]);
  if (lacking.length > 0) {
    say(`lacking  ${generator.name}: there is no ${lacking.join(", no ")}`);
    continue;
  }
  try {
    await generator.install();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    say(`lacking  ${generator.name}: it cannot be installed\n${error.message}`);
    continue;
  }
  for (const subject of subjects) {
    const folder = await Deno.makeTempDir({ dir: service.folder });
    try {
      // Maven resets the colours of the terminal, whatever it is told.
      const printed = stripVTControlCharacters(await generator.use(subject, folder)).trim();
      if (printed !== SKU) throw new Broken(`The client found "${printed}"`);
      say(`ok       ${generator.name}: ${subject.name}`);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      say(`failed   ${generator.name}: ${subject.name}\n${error.message}`);
      Deno.exitCode = 1;
    }
  }
}

async function subjectsOf({ base, key, session, folder }: OwnService): Promise<Subject[]> {
  const cookie = `pr_session=${session}`;
  const made = await post(base, "/api/products", { sku: SKU, title: "Kühlschrank" }, {
    Cookie: cookie,
  });
  const { id } = await made.json();
  const save = async (name: string, path: string) => {
    const file = `${folder}/${name}.json`;
    await Deno.writeTextFile(file, await (await fetch(base + path)).text());
    return file;
  };
  return [{
    name: "external",
    file: await save("external", "/api/public/v1/openapi.json"),
    base,
    header: ["Authorization", `Bearer ${key}`],
    id: SKU,
    path: "/api/public/v1/products/{idOrSku}",
    parameter: "idOrSku",
    fields: ["data", "sku"],
    more: 0,
  }, {
    name: "in_app",
    file: await save("in_app", "/api/openapi.json"),
    base,
    header: ["Cookie", cookie],
    id: String(id),
    path: "/api/products/{id}",
    parameter: "id",
    fields: ["sku"],
    more: 2,
  }];
}
