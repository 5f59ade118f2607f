/**
 * Calls every operation of both OpenAPI documents with input generated from its schemas, and
 * compares the answers with the document. For other input, choose another seed: `CONTRACT_SEED=7
 * deno test -A tests/api/contract_test.ts`.
 */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { startTestApp } from "../harness.ts";
import { extent, IS_LONG } from "../proof.ts";
import { refusalOf } from "./answers.ts";
import { type DocumentedOperation, jsonBodyOf } from "./contract/document.ts";
import {
  type Bias,
  brokenOf,
  brokenText,
  type Input,
  inputsOf,
  type Scene,
  SCENE_ENV,
  send,
  setScene,
} from "./contract/requests.ts";
import { errorsOf } from "./contract/errors.ts";

const SEED = Number(Deno.env.get("CONTRACT_SEED") ?? 1);
/** Number of invalid inputs of each kind per operation. */
const REFUSED_RUNS = extent(6, 1);
/** Number of valid inputs of each kind per operation. */
const RUNS = extent(6, 1);
const TURNS_MAX = extent(4, 2);
/** Requests with edge values rarely succeed, so short test runs do not repeat them. */
const EDGE_TURNS_MAX = extent(TURNS_MAX, 1);
const EXTERNAL = "/api/public/v1/";

Deno.test(`contract (seed ${SEED}): every operation does what its document says`, async (t) => {
  await using app = await startTestApp({ env: SCENE_ENV });
  const { operations, sceneNow } = await setScene(app);
  const succeeded = new Set<string>();
  let scene = await sceneNow(succeeded);
  let known = 0;
  for (const [guarantee, check] of CHECKS) {
    await t.step(guarantee, async () => {
      // Requests that succeeded may have created or deleted objects, so read the ids again.
      if (succeeded.size > known) scene = await sceneNow(succeeded);
      known = succeeded.size;
      const failures: string[] = [];
      for (const operation of operations) {
        await check(scene, operation).catch((error: Error) => {
          const { message } = error.cause instanceof Error ? error.cause : error;
          const [, input = ""] = /Counterexample: (.*)/.exec(error.message) ?? [];
          failures.push(`${nameOf(operation)}: ${message}\n  ${input.slice(0, 500)}`);
        });
      }
      assertEquals(failures.join("\n"), "");
    });
  }
  // With few successes, this test would check little more than refusals.
  const share = succeeded.size / operations.length;
  const carriedOut = `${succeeded.size} of ${operations.length} operations`;
  ok(share > extent(0.7, 0.6), `only ${carriedOut} were ever carried out`);
});

function nameOf({ method, path }: DocumentedOperation): string {
  return `${method} ${path}`;
}

type Check = (scene: Scene, operation: DocumentedOperation) => Promise<void>;

/** Checks that the document allows the answer's status, type and body; returns the status. */
async function requireAsDocumented(
  { succeeded }: Scene,
  operation: DocumentedOperation,
  answer: Response,
): Promise<number> {
  const { responses, schemas } = operation;
  const text = await answer.clone().text();
  const what = `${answer.status} ${text.slice(0, 300)}`;
  if (answer.ok) succeeded.add(nameOf(operation));
  ok(answer.status < 500, what);
  const documented = responses[answer.status];
  ok(documented, `${what}: not documented`);
  if (answer.status >= 400) await refusalOf(answer);
  else await answer.body?.cancel();
  const type = answer.headers.get("Content-Type")?.split(";")[0]?.trim();
  const contents = documented.content ?? {};
  if (type === undefined) {
    assertEquals([Object.keys(contents), text], [[], ""], what);
    return answer.status;
  }
  const content = contents[type];
  ok(content, `${what}: ${type} is not documented`);
  const body = type.endsWith("/json") ? JSON.parse(text) : text;
  assertEquals(errorsOf(content.schema, schemas, body), [], what);
  const location = answer.headers.get("Location");
  if (answer.status === 201 && location !== null) {
    const { id } = body.data ?? body;
    ok(location.endsWith(`/${id}`), `${what}: ${location}`);
    assertEquals(location.startsWith(EXTERNAL), operation.path.startsWith(EXTERNAL), what);
  }
  return answer.status;
}

async function forEachInput(
  scene: Scene,
  operation: DocumentedOperation,
  inputs: fc.Arbitrary<Input>,
  check: (input: Input, answer: Response) => Promise<unknown>,
  { numRuns, seed } = { numRuns: REFUSED_RUNS, seed: SEED },
): Promise<void> {
  const property = fc.asyncProperty(inputs, async (input) => {
    await check(input, await send(scene.callerOf(operation), operation, input));
  });
  await fc.assert(property, { seed, numRuns, endOnFailure: true });
}

function answersAsDocumented(bias: Bias): Check {
  return async (scene, operation) => {
    const inputs = inputsOf(operation, scene, bias);
    const turns = bias === "edges" ? EDGE_TURNS_MAX : TURNS_MAX;
    for (let turn = 0; turn < turns; turn++) {
      if (turn > 0 && scene.succeeded.has(nameOf(operation))) return;
      const check = (_: Input, answer: Response) => requireAsDocumented(scene, operation, answer);
      await forEachInput(scene, operation, inputs, check, { numRuns: RUNS, seed: SEED + turn });
    }
  };
}

/** Routes that refuse invalid items one by one, with the array field of their body. */
const JUDGED_ONE_BY_ONE: Readonly<Record<string, string>> = {
  "/api/competitor-products/bulk": "links",
  "/api/public/v1/competitor-products/bulk": "links",
  "/api/link-checks": "lines",
  "/api/public/v1/link-checks": "lines",
  "/api/public/v1/observations": "observations",
  "/api/public/v1/products/batch": "items",
  "/api/public/v1/sales": "rows",
};

const refusesBrokenBody: Check = async (scene, operation) => {
  const schema = jsonBodyOf(operation);
  if (!schema) return;
  const inputs = inputsOf(operation, scene, "anything").chain((input) =>
    brokenOf(schema, operation.schemas, input.body).map((body) => ({ ...input, body }))
  );
  const list = JUDGED_ONE_BY_ONE[operation.path] ?? "";
  await forEachInput(scene, operation, inputs, async (input, answer) => {
    if (Array.isArray(Object(input.body)[list])) {
      await requireAsDocumented(scene, operation, answer);
    } else await requireRefused(scene, operation, input, answer);
  });
};

function refusesAll(scene: Scene, operation: DocumentedOperation, inputs: fc.Arbitrary<Input>) {
  return forEachInput(
    scene,
    operation,
    inputs,
    (input, answer) => requireRefused(scene, operation, input, answer),
  );
}

async function requireRefused(
  scene: Scene,
  operation: DocumentedOperation,
  input: Input,
  answer: Response,
): Promise<void> {
  const status = await requireAsDocumented(scene, operation, answer);
  const schema = jsonBodyOf(operation);
  const validationErrors = schema ? errorsOf(schema, operation.schemas, input.body) : [];
  const sent = JSON.stringify(input).slice(0, 500);
  ok(status >= 400, `taken, although ${validationErrors.join()}: ${sent}`);
}

const refusesUnknownNames: Check = async (scene, operation) => {
  const inputs = inputsOf(operation, scene, "anything");
  const withParameter = inputs.map((input) => ({ ...input, query: { surprise: "x" } }));
  await forEachInput(scene, operation, withParameter, async (_, answer) => {
    assertEquals(await requireAsDocumented(scene, operation, answer), 400);
  });
  if (!jsonBodyOf(operation)) return;
  const surprising = (body: unknown) => ({ ...Object(body), surprise: 1 });
  const withField = inputs.map((input) => ({ ...input, body: surprising(input.body) }));
  await refusesAll(scene, operation, withField);
  // A change of an unknown profile is refused before its fields are checked.
  if (operation.path.endsWith("/import-profiles/{id}")) return;
  // Sends `surprise` alone, because an error in another field would hide an ignored `surprise`.
  const alone = inputs.map((input) => ({ ...input, body: { surprise: 1 } }));
  await forEachInput(scene, operation, alone, async (input, answer) => {
    const { error } = await answer.clone().json();
    await requireRefused(scene, operation, input, answer);
    const isNamed = ({ path }: { path: string }) => path === "surprise" || path === "";
    ok(error.details?.fields.some(isNamed), JSON.stringify(error));
  });
};

/** In short test runs, each parameter is tested on only one route per resource. */
const sentParameters = new Set<string>();

const refusesBrokenParameters: Check = async (scene, operation) => {
  const room = operation.path.replace(EXTERNAL, "/api/").split("/", 3).join("/");
  for (const { name, in: place, schema } of operation.parameters) {
    const parameter = JSON.stringify([room, place, name, schema]);
    if (!IS_LONG && sentParameters.has(parameter)) continue;
    sentParameters.add(parameter);
    const broken = brokenText(schema, operation.schemas);
    if (broken === null || place === "header") continue;
    const inputs = inputsOf(operation, scene, "anything")
      .map((input) => ({ ...input, [place]: { ...input[place], [name]: broken } }));
    await refusesAll(scene, operation, inputs);
  }
};

const BROKEN_JSON = ["{", "[1,]", '"\\ud800', "\u0000"];

const refusesOtherBodies: Check = async (scene, operation) => {
  if (operation.body === null) return;
  const caller = scene.callerOf(operation);
  const path = operation.path.replaceAll(/\{\w+\}/g, "x");
  const ask = async (body: string, type: string) => {
    const answer = await caller.send(operation.method, path, body, { "Content-Type": type });
    return await requireAsDocumented(scene, operation, answer);
  };
  assertEquals(await ask("a=b", "application/pdf"), 415);
  if (!jsonBodyOf(operation)) return;
  const sent = IS_LONG ? BROKEN_JSON : [BROKEN_JSON[operation.path.length % BROKEN_JSON.length]!];
  for (const broken of [...(operation.needsBody ? [""] : []), ...sent]) {
    assertEquals(await ask(broken, "application/json"), 400, broken);
  }
};

const CHECKS: readonly (readonly [string, Check])[] = [
  ["a body of another type, or of broken JSON, is refused", refusesOtherBodies],
  ["a parameter that does not fit is refused", refusesBrokenParameters],
  ["a parameter or a field that is not documented is refused", refusesUnknownNames],
  ["a body with one broken place is refused", refusesBrokenBody],
  ["input at the bounds of its schema is answered as documented", answersAsDocumented("edges")],
  ["input of its schema is answered as documented", answersAsDocumented("anything")],
];
