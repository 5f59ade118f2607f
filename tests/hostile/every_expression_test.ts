/**
 * Code of `src/` may take only linear time for untrusted text. Measures every regular expression of
 * `src/`, and every exported function that takes a single text.
 */
import ts from "typescript";
import { leastCostMs, orRefusal } from "../processor_time.ts";
import { IS_LONG } from "../proof.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { hostileTexts, textsAgainst } from "./hostile_texts.ts";

const SRC = new URL("../../src/", import.meta.url);

const LANGUAGE: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

interface SourceFile {
  readonly path: string;
  readonly url: string;
  readonly tree: ts.SourceFile;
}

interface FoundExpression {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
  readonly isSplit: boolean;
}

function sourceFiles(): SourceFile[] {
  return [...filesBelow(SRC)].sort().map((url) => {
    const text = Deno.readTextFileSync(new URL(url));
    const kind = url.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    const tree = ts.createSourceFile(url, text, LANGUAGE, true, kind);
    return { path: url.slice(SRC.href.length), url, tree };
  });
}

function* filesBelow(folder: URL): Generator<string> {
  for (const entry of Deno.readDirSync(folder)) {
    if (entry.isDirectory) yield* filesBelow(new URL(`${entry.name}/`, folder));
    else if (/\.tsx?$/.test(entry.name)) yield new URL(entry.name, folder).href;
  }
}

/**
 * Finds all regular expressions of the files. Literals are found in the source, and calls of `new
 * RegExp` are observed while the modules load. A call that is not observed must have a string or a
 * template as pattern; placeholders become `0`.
 */
async function foundExpressions(files: readonly SourceFile[]): Promise<FoundExpression[]> {
  const found: FoundExpression[] = [];
  const made: Made[] = [];
  for (const { path, url, tree } of files) {
    const placeOf = (node: ts.Node) => {
      const { line, character } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
      return { place: `${path}:${line + 1}`, at: `${url}:${line + 1}:${character + 1}` };
    };
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const { place } = placeOf(node);
        const end = node.text.lastIndexOf("/");
        const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
        found.push({ place, source, flags, isSplit: isOfSplit(node) });
      } else if (
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        node.expression.getText(tree) === "RegExp"
      ) {
        made.push({ ...placeOf(node), url, tree, node });
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  const seen = await madeWhileLoading(new Set(made.map(({ url }) => url)));
  for (const one of made) {
    const atLoad = seen.filter(({ stack }) =>
      new RegExp(`${RegExp.escape(one.at)}\\b`).test(stack)
    );
    for (const { source, flags } of atLoad.length > 0 ? atLoad : [fromTemplate(one)]) {
      found.push({ place: one.place, source, flags, isSplit: false });
    }
  }
  return found;
}

interface Made {
  readonly place: string;
  /** Place of the call as in a stack trace, such as `file:///src/a.ts:3:7`. */
  readonly at: string;
  readonly url: string;
  readonly tree: ts.SourceFile;
  readonly node: ts.NewExpression | ts.CallExpression;
}

function isOfSplit({ parent }: ts.Node): boolean {
  return ts.isCallExpression(parent) && ts.isPropertyAccessExpression(parent.expression) &&
    parent.expression.name.text === "split";
}

async function madeWhileLoading(urls: ReadonlySet<string>) {
  const made: { source: string; flags: string; stack: string }[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, args: [string, string?], newTarget) {
      const expression: RegExp = Reflect.construct(target, args, newTarget);
      const { source, flags } = expression;
      made.push({ source, flags, stack: new Error().stack ?? "" });
      return expression;
    },
  });
  try {
    for (const url of urls) await import(url);
  } finally {
    globalThis.RegExp = original;
  }
  return made;
}

function fromTemplate({ place, tree, node }: Made): { source: string; flags: string } {
  const [pattern, flags] = node.arguments ?? [];
  const flagText = flags && ts.isStringLiteralLike(flags) ? flags.text : "";
  if (pattern && ts.isStringLiteralLike(pattern)) return { source: pattern.text, flags: flagText };
  if (pattern && ts.isTemplateExpression(pattern)) {
    const parts = pattern.templateSpans.map(({ literal }) => `0${literal.text}`);
    return { source: pattern.head.text + parts.join(""), flags: flagText };
  }
  throw new Error(`${place} cannot be judged: ${node.getText(tree)}`);
}

/**
 * Lengths of the texts; each is compared with a text of a quarter of its length. Short texts
 * suffice for exponential growth.
 */
const SIZES = IS_LONG
  ? [8, 32, 128, 512, 2_048, 8_192, 32_768]
  // For 20,480 characters, a quadratic expression takes 100 to 600 ms. Below 64 ms it would go
  // unnoticed, because `TICK_MS` is added to the time for a quarter of the text.
  : [8, 32, 128, 512, 2_048, 20_480];
/**
 * If the second longest text takes less, short test runs skip the longest, which is ten times as
 * long. Even quadratic work on it would take at most 60 ms, too little to be noticed.
 */
const SUSPECT_FROM_MS = 0.6;
/** Garbage collection alone may take this long, so less time proves nothing. */
const JUDGED_FROM_MS = 40;
/** Allowed growth for a text four times as long: linear work grows by 4, quadratic by 16. */
const GROWTH_MAX = 8;
/** Some kernels measure CPU time only in steps of this size. */
const TICK_MS = 4;

/**
 * Returns a message if the cost of `work` grows faster than its text, otherwise null. `textOf(n)`
 * has about `n` characters. If the elapsed time is short, the CPU time is not measured.
 */
function superlinearity(textOf: (n: number) => string, work: (text: string) => unknown) {
  const onText = (text: string) => orRefusal(() => work(text));
  for (const n of SIZES) {
    const whole = onText(textOf(n));
    const tookMs = wallMs(whole);
    if (
      !IS_LONG && n === SIZES.at(-2) &&
      (tookMs < SUSPECT_FROM_MS || wallMs(whole) < SUSPECT_FROM_MS)
    ) return null;
    if (tookMs < JUDGED_FROM_MS) continue;
    const four = leastCostMs(whole);
    if (four < JUDGED_FROM_MS) continue;
    const one = leastCostMs(onText(textOf(n / 4)));
    if (four > GROWTH_MAX * (one + TICK_MS)) {
      return `${n / 4} characters cost ${one.toFixed(1)} ms, ${n} cost ${four.toFixed(1)} ms`;
    }
  }
  return null;
}

function wallMs(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

interface TextFunction {
  readonly name: string;
  readonly call: (text: string) => unknown;
}

const TEXTS = new Set(["string", "string | null", "string | undefined", "string | number"]);
/** Return types of functions that do more than read a text. */
const NO_READER = /^(?:void|never|Promise<|AsyncGenerator<|AsyncIterable<)/;

async function textFunctions(files: readonly SourceFile[]): Promise<TextFunction[]> {
  const found: TextFunction[] = [];
  for (const { path, url, tree } of files) {
    const names = tree.statements.filter(ts.isFunctionDeclaration)
      .filter((one) => isExported(one) && takesOneText(one, tree) && isReader(one, tree))
      .flatMap(({ name }) => name ? [name.text] : []);
    // Code with access to the system might use the hostile text as a path.
    if (names.length === 0 || /\bDeno\.|from "node:(?!buffer|crypto)/.test(tree.text)) continue;
    const module: Record<string, unknown> = await import(url);
    for (const name of names) {
      const call = module[name];
      if (typeof call !== "function") throw new Error(`${path} exports no function ${name}`);
      found.push({ name: `${path} ${name}`, call: (text) => Reflect.apply(call, null, [text]) });
    }
  }
  return found;
}

function isExported(one: ts.FunctionDeclaration): boolean {
  return one.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function takesOneText(one: ts.FunctionDeclaration, tree: ts.SourceFile): boolean {
  const [first, ...rest] = one.parameters;
  return first !== undefined && TEXTS.has(first.type?.getText(tree) ?? "") &&
    rest.every(({ questionToken, initializer }) => questionToken || initializer);
}

function isReader(one: ts.FunctionDeclaration, tree: ts.SourceFile): boolean {
  const isAsync = one.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
  return !isAsync && !NO_READER.test(one.type?.getText(tree) ?? "void");
}

const files = sourceFiles();

Deno.test("every regular expression and every reader of src takes linear time for any text", async () => {
  const found = await foundExpressions(files);
  const keyOf = ({ source, flags, isSplit }: FoundExpression) => `${source}/${flags} ${isSplit}`;
  const expressions = new Map(found.map((one) => [keyOf(one), one])).values().toArray();
  const readers = await textFunctions(files);
  ok(expressions.length > 250 && readers.length > 50, "the sources are read");
  const slow = [
    ...expressions.flatMap((one) => {
      const trouble = tried(one);
      return trouble === null ? [] : [`${one.place} /${one.source}/${one.flags}: ${trouble}`];
    }),
    ...readers.flatMap(({ name, call }) => {
      const trouble = triedWith(hostileTexts(), call);
      return trouble === null ? [] : [`${name}: ${trouble}`];
    }),
  ];
  assertEquals(slow, []);
});

Deno.test("a run is tried with each end that an expression distinguishes", () => {
  const names = textsAgainst("[+-]?0+(?:[.,]0+)?(?![\\d.,])", "").map(({ name }) => name);
  const ends = "0 1 , +".split(" ");
  assertEquals(ends.filter((end) => !names.includes(JSON.stringify(["", "0", end]))), []);
});

function tried({ source, flags, isSplit }: FoundExpression): string | null {
  const expression = new RegExp(source, flags);
  return triedWith(textsAgainst(source, flags), (text) => {
    expression.lastIndex = 0;
    if (expression.global) text.replace(expression, "");
    else expression.test(text);
    if (isSplit) text.split(expression);
  });
}

function triedWith(texts: ReturnType<typeof hostileTexts>, work: (text: string) => unknown) {
  for (const { name, of } of texts) {
    const trouble = superlinearity(of, work);
    if (trouble !== null) return `${name}: ${trouble}`;
  }
  return null;
}
