export const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));

/**
 * V8's flags of the tasks. Every process that runs the program uses the same ones, because other flags
 * invalidate compiled code, and to compile it again takes half a second per start.
 */
export const V8_FLAGS: string = /--v8-flags=\S+/.exec(tasks.start.command)?.[0] ?? "";
