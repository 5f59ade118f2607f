/** Every regular expression of `src/`, found by parsing the sources. */
import ts from "typescript";

const SRC = new URL("../../src/", import.meta.url);

const LANGUAGE: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

export interface SourceFile {
  /** Relative to `src/`, such as `base/text.ts`. */
  readonly path: string;
  readonly url: string;
  readonly tree: ts.SourceFile;
}

export interface FoundExpression {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
  readonly isSplit: boolean;
}

export function sourceFiles(): SourceFile[] {
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
 * Finds the literals of regular expressions in the syntax trees. Expressions that `new RegExp`
 * creates while a module loads are found by observing the calls. Calls of `new RegExp` after
 * loading need a template as argument. Each placeholder of the template is replaced by a digit.
 * This function throws for any other call.
 */
export async function foundExpressions(files: readonly SourceFile[]): Promise<FoundExpression[]> {
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
  /** The place, as stack traces write it. */
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
