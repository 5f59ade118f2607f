/** The program with two defects. SIGUSR1 causes an unhandled rejection, SIGUSR2 an exception. */
Deno.addSignalListener("SIGUSR1", () => {
  Promise.reject(new Error("STRAY REJECTION"));
});
Deno.addSignalListener("SIGUSR2", () => {
  setTimeout(() => {
    throw new Error("STRAY EXCEPTION");
  });
});
await import("../../main.ts");
