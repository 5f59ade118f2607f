/** An SMTP server on 127.0.0.1 that keeps received mails, and can refuse recipients. */

interface ReceivedMail {
  readonly to: readonly string[];
  readonly text: string;
  readonly messageId: string;
  readonly subject: string;
}

export function startSmtpServer(port = 0) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port });
  const mails: ReceivedMail[] = [];
  const connections = new Set<Deno.TcpConn>();
  const state = { code: 250 };
  let notify = () => {};
  const talks = new Set<Promise<void>>();
  const accepting = (async () => {
    for await (const connection of listener) {
      connections.add(connection);
      const talk: Promise<void> = converse(connection, state, (mail) => {
        mails.push(mail);
        notify();
      }).catch(() => {
        // The client has closed the connection in the middle of a command.
      }).finally(() => {
        connections.delete(connection);
        talks.delete(talk);
      });
      talks.add(talk);
    }
  })();
  return {
    url: `smtp://127.0.0.1:${listener.addr.port}`,
    mails,
    /** Sets the reply for each recipient: `250`, `451` (try later) or `550` (never). */
    answer: (code: 250 | 451 | 550) => void (state.code = code),
    async received(count: number) {
      while (mails.length < count) await new Promise<void>((resolve) => notify = resolve);
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of connections) connection.close();
      await Promise.all([accepting, ...talks]);
    },
  };
}

async function converse(
  connection: Deno.TcpConn,
  state: { readonly code: number },
  keep: (mail: ReceivedMail) => void,
): Promise<void> {
  const encoder = new TextEncoder();
  const say = (line: string) => connection.write(encoder.encode(`${line}\r\n`));
  let to: string[] = [];
  let data: string[] | null = null;
  await say("220 test");
  for await (const line of linesOf(connection)) {
    const verb = line.slice(0, 4).toUpperCase();
    if (data !== null && line !== ".") data.push(line);
    else if (data !== null) {
      keep(mailOf(to, data));
      data = null;
      to = [];
      await say("250 kept");
    } else if (verb === "RCPT") {
      if (state.code === 250) to.push(/<([^>]*)>/.exec(line)?.[1] ?? "");
      await say(`${state.code} as the test wants`);
    } else {
      if (verb === "DATA") data = [];
      for (const reply of REPLIES[verb] ?? ["250 fine"]) await say(reply);
      if (verb === "QUIT") return connection.close();
    }
  }
}

const REPLIES: Readonly<Record<string, readonly string[]>> = {
  DATA: ["354 go on"],
  EHLO: ["250-test", "250 AUTH PLAIN"],
  AUTH: ["235 welcome"],
  QUIT: ["221 bye"],
};

async function* linesOf({ readable }: Deno.TcpConn): AsyncGenerator<string> {
  let text = "";
  for await (const piece of readable.pipeThrough(new TextDecoderStream())) {
    const lines = (text + piece).split("\r\n");
    text = lines.pop() ?? "";
    yield* lines;
  }
}

function mailOf(to: readonly string[], lines: readonly string[]): ReceivedMail {
  const text = lines.join("\n");
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(text)?.[1] ?? "";
  return { to, text, messageId: header("Message-ID"), subject: header("Subject") };
}
