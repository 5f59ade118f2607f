/**
 * Generates clients from both OpenAPI documents with several generators, compiles the clients, and
 * lets them call a temporary server: `deno run -A scripts/generators.ts`. A generator is skipped if
 * a program that it needs is missing.
 */
import type { Schema } from "../src/app/reference/openapi_schemas.ts";
import { WORKBOOK_TYPE } from "../src/platform/tables/workbook.ts";
import { isDeepStrictEqual, stripVTControlCharacters } from "node:util";
import { type Asked, type Call, callOf, prepareCalls, type Way } from "./generator_calls.ts";
import {
  attempt,
  Broken,
  hasFile,
  installNpm,
  installPip,
  PROGRAMS_ROOT as ROOT,
  run,
  say,
} from "./foreign_programs.ts";
import { type OwnService, startOwnService } from "./own_service.ts";

interface Subject {
  readonly name: "external" | "in_app";
  readonly file: string;
  readonly base: string;
  readonly header: readonly [name: string, value: string];
  readonly calls: readonly Call[];
}

interface Generator {
  readonly name: string;
  readonly needs: readonly string[];
  install(): Promise<void>;
  /** Returns the values that the client read, one JSON line per call; a linter returns null. */
  use(subject: Subject, folder: string): Promise<string | null>;
}

const json = (value: unknown) => JSON.stringify(value);

function snake(name: string): string {
  return name.replaceAll(" ", "_").replaceAll(/[A-Z]/g, (letter) => `_${letter}`)
    .replaceAll("__", "_").replace(/^_/, "").toLowerCase();
}

const python = (value: unknown) => `json.loads(${json(json(value))})`;

interface Reading {
  entry(of: string, index: number): string;
  field(of: string, name: string): string;
  option(of: string, schema: string): string;
}

function readsOf({ ways }: Call, answer: string, { entry, field, option }: Reading): string {
  const readOf = (way: Way) =>
    way.reduce<string>((of, step) => {
      if (typeof step === "number") return entry(of, step);
      return typeof step === "string" ? field(of, step) : option(of, step.option);
    }, answer);
  return ways.map(readOf).join(", ");
}

const pythonReads = (call: Call, answer: string, name: (field: string) => string, option: string) =>
  readsOf(call, answer, {
    entry: (of, index) => `${of}[${index}]`,
    field: (of, field) => `${of}.${name(field)}`,
    option: (of) => of + option,
  });

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const NPM = `${ROOT}/npm-1`;
const PIP = `${ROOT}/pip-2`;
const GO = `${ROOT}/go-1`;
const MVN = ["--quiet", "--batch-mode", "-Dstyle.color=never"];
const JAR = `${ROOT}/openapi-generator-cli-7.25.0.jar`;

const REDOCLY_RULES = `extends: [recommended]
rules:
  # /products/{idOrSku} also matches /products/import, but the path without a parameter wins.
  no-ambiguous-paths: off
`;
const SPECTRAL_RULES = `extends: ["spectral:oas"]
rules:
  # OpenAPI 3.1 allows roles and scopes for every kind of credential; the rule knows only OAuth.
  oas3-operation-security-defined: off
  # Each installation has its own operator.
  info-contact: off
`;

const npmPackages = () =>
  installNpm(NPM, [
    "openapi-typescript@7.13.0",
    "openapi-fetch@0.17.0",
    "typescript@5.9.3",
    "@types/node@26.6.6",
    "@redocly/cli@2.41.0",
    "@stoplight/spectral-cli@6.16.3",
  ]);

const pipPackages = () =>
  installPip(PIP, [
    "openapi-python-client==0.29.1",
    "datamodel-code-generator==0.89.0",
    "pydantic[email]==2.14.4",
    "python-dateutil==2.9.0.post0",
  ]);

async function runTypeScript(folder: string, text: string): Promise<string> {
  await Deno.symlink(`${NPM}/node_modules`, `${folder}/node_modules`);
  await Deno.writeTextFile(`${folder}/package.json`, '{"private": true, "type": "module"}');
  await Deno.writeTextFile(
    `${folder}/call.ts`,
    `const show = (...values: unknown[]) => console.log(JSON.stringify(values));\n${text}`,
  );
  await run(folder, `${NPM}/node_modules/.bin/tsc`, [
    ...["--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"],
    ...["--allowImportingTsExtensions", "--rewriteRelativeImportExtensions", "call.ts"],
  ]);
  return await run(folder, "node", ["call.js"]);
}

const GENERATORS: readonly Generator[] = [
  {
    name: "openapi-typescript and openapi-fetch",
    needs: ["npm", "node"],
    install: npmPackages,
    async use({ file, base, header, calls }, folder) {
      await run(folder, `${NPM}/node_modules/.bin/openapi-typescript`, [file, "-o", "kurant.d.ts"]);
      // The generated types refuse `{}`, so a `path` or `query` without parameters is omitted.
      const part = (name: string, of: Call["inPath"]) =>
        Object.keys(of).length > 0 ? ` ${name}: ${json(of)},` : "";
      const headers = json({ [header[0]]: header[1] });
      return await runTypeScript(
        folder,
        `import createClient from "openapi-fetch";
import type { components, paths } from "./kurant.d.ts";
const client = createClient<paths, "application/json">({ baseUrl: ${
          json(base)
        }, headers: ${headers} });
${
          calls.map((call, n) => {
            const { method, path, status, inPath, inQuery, body } = call;
            const read = readsOf(call, `answer${n}.${status < 400 ? "data" : "error"}`, {
              entry: (of, index) => `${of}?.[${index}]`,
              field: (of, field) => `${of}?.${field}`,
              option: (of, schema) => `(${of} as components["schemas"]["${schema}"] | undefined)`,
            });
            return `const answer${n} = await client.${method.toUpperCase()}(${json(path)}, {
  params: {${part("path", inPath)}${part("query", inQuery)} },${body ? ` body: ${json(body)},` : ""}
});
show(${read});`;
          }).join("\n")
        }
`,
      );
    },
  },
  {
    name: "redocly",
    needs: ["npm", "node"],
    install: npmPackages,
    async use({ file }, folder) {
      await Deno.writeTextFile(`${folder}/redocly.yaml`, REDOCLY_RULES);
      const found = await run(
        folder,
        `${NPM}/node_modules/.bin/redocly`,
        ["lint", "--config", "redocly.yaml", "--format", "json", file],
        { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      );
      const { totals, problems } = JSON.parse(found.slice(found.indexOf("{")));
      if (totals.warnings > 0) throw new Broken(`redocly warns: ${JSON.stringify(problems)}`);
      return null;
    },
  },
  {
    name: "spectral",
    needs: ["npm", "node"],
    install: npmPackages,
    async use({ file }, folder) {
      await Deno.writeTextFile(`${folder}/spectral.yaml`, SPECTRAL_RULES);
      await run(folder, `${NPM}/node_modules/.bin/spectral`, [
        "lint",
        ...["--ruleset", "spectral.yaml", "--fail-severity", "warn", file],
      ]);
      return null;
    },
  },
  {
    name: "datamodel-code-generator",
    needs: ["python3"],
    install: pipPackages,
    async use({ file, base, header, calls }, folder) {
      await run(folder, `${PIP}/bin/datamodel-codegen`, [
        ...["--input", file, "--input-file-type", "openapi", "--output", "kurant.py"],
        ...["--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin"],
        ...["--openapi-scopes", "schemas", "paths", "--use-operation-id-as-name"],
      ]);
      // `datamodel-codegen` generates no HTTP client, so `urllib` sends the requests.
      await Deno.writeTextFile(
        `${folder}/call.py`,
        `import json, urllib.error, urllib.parse, urllib.request
import kurant, pydantic_core
def ask(method, path, query, body, model):
    request = urllib.request.Request(${
          json(base)
        } + path + "?" + urllib.parse.urlencode(query), method=method)
    request.add_header(${json(header[0])}, ${json(header[1])})
    if body:
        request.add_header("Content-Type", "application/json")
        request.data = body.model_dump_json(by_alias=True, exclude_unset=True).encode()
    try:
        with urllib.request.urlopen(request) as answer:
            return model.model_validate_json(answer.read())
    except urllib.error.HTTPError as refusal:
        return model.model_validate_json(refusal.read())
def show(*values):
    print(json.dumps(values, default=pydantic_core.to_jsonable_python))
${
          calls.map((call) => {
            const { method, operationId, body, bodyName, answerName } = call;
            const sent = body ? `kurant.${bodyName}.model_validate(${python(body)})` : "None";
            const asked = [json(method.toUpperCase()), json(pathOf(call)), python(call.inQuery)];
            const model = `kurant.${answerName ?? `${capital(operationId)}Response`}`;
            return `answer = ask(${[...asked, sent, model].join(", ")})
show(${pythonReads(call, "answer", (field) => field, ".root")})`;
          }).join("\n")
        }
`,
      );
      return await run(folder, `${PIP}/bin/python`, ["call.py"]);
    },
  },
  {
    name: "openapi-python-client",
    needs: ["python3"],
    install: pipPackages,
    async use({ name, file, base, header, calls }, folder) {
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
        `import importlib, json, pkgutil
import kurant_${name} as package
from kurant_${name} import models
from kurant_${name}.client import Client
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(module.name)
client = Client(base_url=${json(base)}).with_headers({${json(header[0])}: ${json(header[1])}})
def show(*values):
    print(json.dumps(values, default=lambda value: value.to_dict()))
${
          calls.map((call) => {
            const { tag, operationId, inPath, inQuery, body, bodyName } = call;
            const module = `package.api.${snake(tag)}.${snake(operationId)}`;
            const given = [
              ...Object.values(inPath).map(json),
              "client=client",
              ...Object.entries(inQuery).map(([key, value]) => `${snake(key)}=${json(value)}`),
              ...(body ? [`body=models.${bodyName}.from_dict(${python(body)})`] : []),
            ];
            return `answer = ${module}.sync(${given.join(", ")})
show(${pythonReads(call, "answer", snake, "")})`;
          }).join("\n")
        }
`,
      );
      return await run(folder, `${PIP}/bin/python`, ["call.py"]);
    },
  },
  {
    name: "oapi-codegen",
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
    async use({ file, base, header, calls }, folder) {
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
	"encoding/json"
	"fmt"
	"net/http"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func pointer[T any](value T) *T {
	return &value
}

func read[T any](text string) (value T) {
	must(0, json.Unmarshal([]byte(text), &value))
	return value
}

func show(values ...any) {
	fmt.Println(string(must(json.Marshal(values))))
}

func main() {
	always := context.Background()
	admit := func(_ context.Context, request *http.Request) error {
		request.Header.Set(${json(header[0])}, ${json(header[1])})
		return nil
	}
	client := must(kurant.NewClientWithResponses(${json(base)}, kurant.WithRequestEditorFn(admit)))
	_ = pointer[int]
${
          calls.map((call, n) => {
            const { operationId, inPath, inQuery, outsidePath, body, status } = call;
            const name = capital(operationId);
            const query = Object.entries(inQuery).map(([key, value]) =>
              `${capital(key)}: pointer(${json(value)})`
            );
            const given = [
              "always",
              ...Object.values(inPath).map(json),
              ...(outsidePath.length > 0 ? [`&kurant.${name}Params{${query.join(", ")}}`] : []),
              ...(body ? [`read[kurant.${name}JSONRequestBody](\`${json(body)}\`)`] : []),
            ];
            const read = readsOf(call, `answer${n}.JSON${status}`, {
              entry: (of, index) => `${of}[${index}]`,
              field: (of, field) => `${of}.${capital(field)}`,
              option: (of, schema) => `must(${of}.As${schema}())`,
            });
            return `	answer${n} := must(client.${name}WithResponse(${given.join(", ")}))
	show(${read})`;
          }).join("\n")
        }
}
`,
      );
      await run(folder, "go", ["mod", "tidy"]);
      return await run(folder, "go", ["run", "."]);
    },
  },
  {
    name: "openapi-generator, Java",
    needs: ["java", "mvn"],
    async install() {
      if (await hasFile(JAR)) return;
      await Deno.mkdir(ROOT, { recursive: true });
      await run(ROOT, "mvn", [
        "--quiet",
        "dependency:copy",
        "-Dartifact=org.openapitools:openapi-generator-cli:7.25.0",
        `-DoutputDirectory=${ROOT}`,
      ]);
    },
    async use(subject, folder) {
      // Without `containerDefaultToNull`, the generated client sends omitted lists as empty lists.
      await run(folder, "java", [
        ...["-jar", JAR, "generate", "-g", "java", "-i", subject.file, "-o", folder],
        "--additional-properties=containerDefaultToNull=true",
      ]);
      await Deno.writeTextFile(
        `${folder}/src/main/java/Call.java`,
        `import java.util.Arrays;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;
public class Call {
  static <T> void show(T answer, java.util.function.Function<T, java.util.List<?>> read) {
    System.out.println(org.openapitools.client.JSON.getGson().newBuilder().serializeNulls().create()
      .toJson(read.apply(answer)));
  }
  public static void main(String[] args) throws Exception {
    org.openapitools.client.ApiClient client = new org.openapitools.client.ApiClient();
    client.setBasePath(${json(subject.base)});
    client.addDefaultHeader(${json(subject.header[0])}, ${json(subject.header[1])});
${
          subject.calls.map((call) => {
            const { tag, operationId, inPath, inQuery, outsidePath, body, bodyName, status } = call;
            const given = [
              ...Object.values(inPath).map(json),
              ...(body ? [`${bodyName}.fromJson(${json(json(body))})`] : []),
              ...outsidePath.map((name) => name in inQuery ? json(inQuery[name]) : "null"),
            ];
            const asked = `new ${tag.replaceAll(" ", "")}Api(client).${operationId}(${given})`;
            const read = `answer -> Arrays.asList(${
              readsOf(call, "answer", {
                entry: (of, index) => `${of}.get(${index})`,
                field: (of, field) => `${of}.get${capital(field)}()`,
                option: (of, schema) => `${of}.get${schema}()`,
              })
            })`;
            if (status < 400) return `    show(${asked}, ${read});`;
            return `    try {
      ${asked};
    } catch (org.openapitools.client.ApiException refusal) {
      show(org.openapitools.client.model.Error.fromJson(refusal.getResponseBody()), ${read});
    }`;
          }).join("\n")
        }
  }
}
`,
      );
      await run(folder, "mvn", [...MVN, "-DskipTests", "compile"]);
      return await run(folder, "mvn", [...MVN, "exec:java", "-Dexec.mainClass=Call"]);
    },
  },
];

await using service = await startOwnService();
const subjects = await subjectsOf(service);
for (const generator of GENERATORS.filter(({ name }) => name.includes(Deno.args[0] ?? ""))) {
  await attempt(generator.name, generator.needs, async () => {
    try {
      await generator.install();
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      return say(`lacking  ${generator.name}: it cannot be installed\n${error.message}`);
    }
    for (const subject of subjects) {
      const name = `${generator.name}: ${subject.name}`;
      await attempt(name, [], async () => {
        const folder = await Deno.makeTempDir({ dir: service.folder });
        const printed = await generator.use(await letIn(subject), folder);
        const calls = printed === null ? "read" : countOfCalls(subject.calls, printed);
        say(`ok       ${name}, ${calls}`);
      });
    }
  });
}

async function letIn(subject: Subject): Promise<Subject> {
  if (subject.name === "external") return subject;
  return { ...subject, header: ["Cookie", `pr_session=${await service.signIn()}`] };
}

function countOfCalls(calls: readonly Call[], printed: string): string {
  // Maven prints escape sequences, even with `-Dstyle.color=never`.
  const lines = stripVTControlCharacters(printed).split("\n").filter((line) =>
    line.startsWith("[")
  );
  for (const [n, { operationId, values }] of calls.entries()) {
    const line = lines[n] ?? "null";
    if (isDeepStrictEqual(JSON.parse(line), values)) continue;
    throw new Broken(`${operationId}: the client found ${line}, not ${json(values)}`);
  }
  return `${calls.length} calls`;
}

function pathOf({ path, inPath }: Call): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(inPath[name] ?? ""));
}

async function subjectsOf(service: OwnService): Promise<Subject[]> {
  const { base, key, session, folder } = service;
  const { external, inApp } = await prepareCalls(service);
  const subject = async (
    name: Subject["name"],
    path: string,
    header: Subject["header"],
    asked: readonly Asked[],
  ) => {
    const file = `${folder}/${name}.json`;
    const document: Schema = await (await fetch(base + path)).json();
    await Deno.writeTextFile(file, json(document));
    return { name, file, base, header, calls: asked.map((one) => callOf(document, one)) };
  };
  return [
    await subject(
      "external",
      "/api/public/v1/openapi.json",
      ["Authorization", `Bearer ${key}`],
      external,
    ),
    await subject("in_app", "/api/openapi.json", ["Cookie", `pr_session=${session}`], inApp),
  ];
}
