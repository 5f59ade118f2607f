export const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));

/**
 * The V8 flags of the tasks. Every process that runs the program uses them: with other flags,
 * compiled code is invalid, and compiling it again takes half a second.
 */
export const V8_FLAGS: string = /--v8-flags=\S+/.exec(tasks.start.command)?.[0] ?? "";
