/**
 * Writes the client packages of `clients/` to `dist/clients`, and tests each package with ten calls
 * of the API. `deno task clients` makes all clients, `deno task clients n8n` only one.
 */
import type { Schema } from "../src/app/reference/openapi_schemas.ts";
import { WORKBOOK_TYPE } from "../src/platform/tables/workbook.ts";
import { prepareCalls } from "./generator_calls.ts";
import {
  attempt,
  Broken,
  installNpm,
  installPip,
  PROGRAMS_ROOT,
  run,
  say,
} from "./foreign_programs.ts";
import { nodeOperationsOf } from "./n8n_operations.ts";
import { type OwnService, startOwnService } from "./own_service.ts";

const OUT = `${Deno.cwd()}/dist/clients`;
const NPM = `${PROGRAMS_ROOT}/clients-npm`;
const TSC = `${NPM}/node_modules/native-typescript/bin/tsc`;
const PIP = `${PROGRAMS_ROOT}/clients-pip`;

const EXPECTED = [
  '["contract","EUR"]',
  "[false,null]",
  '["succeeded",2]',
  '["updated","updated"]',
  '["Wasserkocher",4790]',
  '["dearest",1000]',
  '["KS-300",28999]',
  '["applied","As the market"]',
  '[["EX-1",4790],["KS-300",28999]]',
  "[2]",
];

interface Made {
  readonly service: OwnService;
  readonly document: string;
}

interface Client {
  readonly name: string;
  readonly needs: readonly string[];
  make(made: Made, folder: string): Promise<string>;
}

const npm = () =>
  installNpm(NPM, [
    "openapi-typescript@7.13.0",
    "openapi-fetch@0.17.0",
    // `openapi-typescript` needs TypeScript 5, and the packages are compiled with TypeScript 7.
    "typescript@5.9.3",
    "native-typescript@npm:typescript@7.0.2",
    "@types/node@26.6.6",
    "n8n-workflow@2.41.0",
    "openapi-to-postmanv2@6.3.3",
    "newman@6.2.2",
  ]);

const CLIENTS: readonly Client[] = [
  {
    name: "typescript",
    needs: ["npm", "node"],
    async make({ service, document }, folder) {
      await npm();
      const types = [document, "-o", "src/kurant.ts"];
      await run(folder, `${NPM}/node_modules/.bin/openapi-typescript`, types);
      await linkModules(folder);
      await run(folder, TSC, []);
      // The example imports the package by its name, like a user who has installed the package.
      const user = `${service.folder}/typescript`;
      await Deno.mkdir(`${user}/node_modules`, { recursive: true });
      await Deno.symlink(folder, `${user}/node_modules/kurant-client`);
      await Deno.symlink(`${NPM}/node_modules/@types`, `${user}/node_modules/@types`);
      await Deno.copyFile(`${folder}/examples/ten_calls.ts`, `${user}/ten_calls.ts`);
      await Deno.writeTextFile(`${user}/package.json`, '{"private": true, "type": "module"}');
      await run(user, TSC, [
        ...["--strict", "--target", "es2022", "--module", "nodenext", "--types", "node"],
        "ten_calls.ts",
      ]);
      return await run(user, "node", ["ten_calls.js"], addressOf(service));
    },
  },
  {
    name: "python",
    needs: ["python3"],
    async make({ service, document }, folder) {
      const packages = ["openapi-python-client==0.29.1", "build==1.3.0", "setuptools==80.9.0"];
      await installPip(PIP, packages);
      const config = `${service.folder}/python.json`;
      // Replaces media types that the Python generator does not know.
      const known = {
        "application/x-ndjson": "text/plain",
        [WORKBOOK_TYPE]: "application/octet-stream",
      };
      await Deno.writeTextFile(config, JSON.stringify({ content_type_overrides: known }));
      const path = { PATH: `${PIP}/bin:${Deno.env.get("PATH") ?? ""}` };
      await run(folder, `${PIP}/bin/openapi-python-client`, [
        ...["generate", "--path", document, "--output-path", "src/kurant_api"],
        ...["--meta", "none", "--fail-on-warning", "--config", config],
      ], path);
      await run(folder, `${PIP}/bin/python`, ["-m", "build", "--no-isolation", "--wheel"], path);
      const env = { ...addressOf(service), PYTHONPATH: `${folder}/src` };
      return await run(folder, `${PIP}/bin/python`, ["examples/ten_calls.py"], env);
    },
  },
  {
    name: "n8n",
    needs: ["npm", "node"],
    async make({ service, document }, folder) {
      await npm();
      const operations = nodeOperationsOf(JSON.parse(await Deno.readTextFile(document)));
      await Deno.writeTextFile(`${folder}/nodes/Kurant/operations.ts`, operations);
      await linkModules(folder);
      await run(folder, TSC, []);
      await Deno.copyFile(
        `${folder}/nodes/Kurant/kurant.svg`,
        `${folder}/dist/nodes/Kurant/kurant.svg`,
      );
      await Deno.copyFile("clients/n8n/ten_calls.mjs", `${service.folder}/n8n_ten_calls.mjs`);
      const args = [`${service.folder}/n8n_ten_calls.mjs`, folder];
      return await run(folder, "node", args, addressOf(service));
    },
  },
  {
    name: "postman",
    needs: ["npm", "node"],
    async make({ service, document }, folder) {
      await npm();
      await Deno.copyFile("clients/postman/collection.mjs", `${NPM}/postman_collection.mjs`);
      const args = ["postman_collection.mjs", document, `${folder}/kurant.postman_collection.json`];
      return await run(NPM, "node", args, addressOf(service));
    },
  },
];

const addressOf = ({ base, key }: OwnService) => ({ KURANT: base, KEY: key });

async function linkModules(folder: string): Promise<void> {
  await Deno.symlink(`${NPM}/node_modules`, `${folder}/node_modules`);
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

/** Each client package is tested with its own server, because the test calls change data. */
async function makeClient({ name, make }: Client): Promise<void> {
  await using service = await startOwnService();
  await prepareCalls(service);
  const folder = `${OUT}/${name}`;
  await copyFolder(`clients/${name}`, folder);
  const document = `${service.folder}/openapi.json`;
  const answer: Schema = await (await fetch(`${service.base}/api/public/v1/openapi.json`)).json();
  await Deno.writeTextFile(document, JSON.stringify(answer));
  const printed = (await make({ service, document }, folder)).trim().split("\n");
  for (const [n, expected] of EXPECTED.entries()) {
    if (printed[n] !== expected) {
      throw new Broken(`Call ${n + 1} found ${printed[n]}, not ${expected}`);
    }
  }
  say(`ok       ${name}: ${EXPECTED.length} calls`);
}

for (const client of CLIENTS.filter(({ name }) => (Deno.args[0] ?? name) === name)) {
  await Deno.remove(`${OUT}/${client.name}`, { recursive: true }).catch(() => {});
  await attempt(client.name, client.needs, () => makeClient(client));
}
