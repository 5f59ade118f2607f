/** `request` is the data of the first read, which may be only the beginning of the request. */
type WireAnswering = (connection: Deno.Conn, request: string) => Promise<void>;

/**
 * Listens on 127.0.0.1. Closes each connection after `answer`, which may write bytes that are not
 * valid HTTP.
 */
export function openWire(
  answer: WireAnswering,
  listener: Deno.TcpListener | Deno.TlsListener = Deno.listen({ hostname: "127.0.0.1", port: 0 }),
) {
  const requests: string[] = [];
  let bytes = 0;
  const work = new Set<Promise<void>>();
  const serve = async (connection: Deno.Conn) => {
    const write = connection.write.bind(connection);
    connection.write = async (data) => {
      const count = await write(data);
      bytes += count;
      return count;
    };
    try {
      const buffer = new Uint8Array(64 * 1024);
      const count = await connection.read(buffer) ?? 0;
      const request = new TextDecoder().decode(buffer.subarray(0, count));
      requests.push(request);
      await answer(connection, request);
    } catch {
      // Reading or writing fails if the client has closed the connection.
    } finally {
      connection.close();
    }
  };
  const accepting = (async () => {
    for await (const connection of listener) {
      const served = serve(connection).finally(() => work.delete(served));
      work.add(served);
    }
  })();
  const { port } = listener.addr;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    sent: () => bytes,
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      await Promise.all(work);
    },
  };
}

export async function writeAll(connection: Deno.Conn, data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

export function withoutEnd(text: string): (connection: Deno.Conn) => Promise<void> {
  const many = new TextEncoder().encode(text.repeat(Math.ceil(64_000 / text.length)));
  return async (connection) => {
    for (;;) await writeAll(connection, many);
  };
}
