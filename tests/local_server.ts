export type LocalServer = ReturnType<typeof serveHere>;

interface ServeOptions extends Pick<Deno.ServeOptions, "onError"> {
  /** The server takes another port if this one is in use. */
  readonly port?: number;
}

/** Disposal waits for the requests in progress. */
export function serveHere(
  handler: Deno.ServeHandler<Deno.NetAddr>,
  { onError, port: wanted = 0 }: ServeOptions = {},
) {
  const at = (port: number) =>
    Deno.serve(
      { hostname: "127.0.0.1", port, onListen: () => {}, ...(onError && { onError }) },
      handler,
    );
  const server = wanted === 0 ? at(0) : atEither(at, wanted);
  const { port } = server.addr;
  const host = `127.0.0.1:${port}`;
  return { port, host, url: `http://${host}`, [Symbol.asyncDispose]: () => server.shutdown() };
}

function atEither<Server>(at: (port: number) => Server, wanted: number): Server {
  try {
    return at(wanted);
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return at(0);
    throw error;
  }
}
