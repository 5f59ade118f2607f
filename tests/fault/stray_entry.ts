/** Starts Kurant. SIGUSR1 causes an unhandled rejection, and SIGUSR2 an uncaught exception. */
Deno.addSignalListener("SIGUSR1", () => {
  Promise.reject(new Error("STRAY REJECTION"));
});
Deno.addSignalListener("SIGUSR2", () => {
  setTimeout(() => {
    throw new Error("STRAY EXCEPTION");
  });
});
await import("../../main.ts");
