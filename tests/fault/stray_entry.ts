/** The program with a defect of two kinds in it: SIGUSR1 rejects where nobody awaits, SIGUSR2 throws from a timer. */
Deno.addSignalListener("SIGUSR1", () => {
  Promise.reject(new Error("STRAY REJECTION"));
});
Deno.addSignalListener("SIGUSR2", () => {
  setTimeout(() => {
    throw new Error("STRAY EXCEPTION");
  });
});
await import("../../main.ts");
