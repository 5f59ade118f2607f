export const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));

/**
 * All processes use the same flags, because compiled code is invalid with other flags, and
 * compiling it again takes half a second.
 */
export const V8_FLAGS: string = /--v8-flags=\S+/.exec(tasks.start.command)?.[0] ?? "";
