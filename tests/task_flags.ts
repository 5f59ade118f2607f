export const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));

/**
 * Tests start processes with these flags, because Deno's cache of compiled code is valid only for
 * the same flags. Compiling again takes half a second.
 */
export const V8_FLAGS: string = /--v8-flags=\S+/.exec(tasks.start.command)?.[0] ?? "";
