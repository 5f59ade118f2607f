/**
 * Calls a function of a module that is read when it is called first: most commands need a small part of
 * the program, and reading all of it takes most of a second.
 */
export function lazily<Args extends readonly unknown[], Result>(
  load: () => Promise<(...args: Args) => Result | Promise<Result>>,
): (...args: Args) => Promise<Result> {
  return async (...args) => await (await load())(...args);
}
