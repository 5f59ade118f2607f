/** What the tasks of `deno.json` tell the runtime. */
export const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));

/**
 * V8's options of the tasks. Every process that reads the program has them: code that was compiled under
 * others is thrown away, and to compile it again takes half a second of each start.
 */
export const V8_FLAGS: string = /--v8-flags=\S+/.exec(tasks.start.command)?.[0] ?? "";
