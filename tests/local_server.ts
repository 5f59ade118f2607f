/** A server in this process: the app under test, or somebody whom it talks to. */
export interface LocalServer extends AsyncDisposable {
  readonly port: number;
  /** `127.0.0.1:port` */
  readonly host: string;
  /** `http://127.0.0.1:port` */
  readonly url: string;
}

/** Listens on 127.0.0.1, at a port that the system gives; disposing lets what is under way end. */
export function serveHere(
  handler: Deno.ServeHandler<Deno.NetAddr>,
  { onError }: Pick<Deno.ServeOptions, "onError"> = {},
): LocalServer {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {}, ...(onError && { onError }) },
    handler,
  );
  const { port } = server.addr;
  const host = `127.0.0.1:${port}`;
  return {
    port,
    host,
    url: `http://${host}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
