/** Finds exported functions of `src/` that take one text, by parsing the sources. */
import ts from "typescript";
import type { SourceFile } from "./source_expressions.ts";

interface TextFunction {
  /** For example `base/text.ts normaliseSku`. */
  readonly name: string;
  readonly call: (text: string) => unknown;
}

const TEXTS = new Set(["string", "string | null", "string | undefined", "string | number"]);
/** Return types of functions that do more than read a text. */
const NO_READER = /^(?:void|never|Promise<|AsyncGenerator<|AsyncIterable<)/;

/** Finds exported functions that take a text, in files that can be imported alone. */
export async function textFunctions(files: readonly SourceFile[]): Promise<TextFunction[]> {
  const found: TextFunction[] = [];
  for (const { path, url, tree } of files) {
    const names = tree.statements.filter(ts.isFunctionDeclaration)
      .filter((one) => isExported(one) && takesOneText(one, tree) && isReader(one, tree))
      .flatMap(({ name }) => name ? [name.text] : []);
    // A function with access to the system might use a hostile text as a path.
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
