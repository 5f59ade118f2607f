/** Sends mail through one SMTP server, which the operator configures. */
import { z } from "zod";

export interface MailMessage {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** The header `Message-ID`, in the form `<…@…>`; the same in all attempts to send a mail. */
  readonly messageId: string;
}

export interface Mailer {
  /** Resolves when the server accepts at least one recipient; otherwise throws `MailTrouble`. */
  send(message: MailMessage): Promise<void>;
  greet(): Promise<void>;
  readonly host: string;
}

export class MailTrouble extends Error {
  constructor(
    message: string,
    readonly isFinal: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "MailTrouble";
  }
}

interface MailerSetup {
  readonly smtpUrl: string;
  readonly from: string;
}

const CONNECT_MS = 10_000;

export function createMailer({ smtpUrl, from }: MailerSetup): Mailer {
  const host = /@([^\s@>]+)>?\s*$/.exec(from)?.[1] ?? "kurant.invalid";
  const withTransport = async (work: (transport: Transport) => Promise<unknown>) => {
    const transport = await openTransport(smtpUrl, host);
    try {
      await work(transport);
    } catch (cause) {
      throw troubleOf(cause);
    } finally {
      transport.close();
    }
  };
  return {
    host,
    greet: () => withTransport((transport) => transport.verify()),
    send: ({ to, ...message }) =>
      withTransport((transport) => transport.sendMail({ from, to: [...to], ...message })),
  };
}

interface Transport {
  sendMail(mail: Record<string, unknown>): Promise<unknown>;
  verify(): Promise<unknown>;
  close(): void;
}

/** The mail library has no type declarations, so this schema describes the part that is used. */
const Library = z.object({
  createTransport: z.custom<(options: Record<string, unknown>) => Transport>((value) =>
    typeof value === "function"
  ),
});

async function openTransport(smtpUrl: string, host: string): Promise<Transport> {
  const loaded: { default: unknown } = await import("nodemailer");
  const url = new URL(smtpUrl);
  const isTls = url.protocol === "smtps:";
  return Library.parse(loaded.default).createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (isTls ? 465 : 587) : Number(url.port),
    secure: isTls,
    ...(url.username === "" ? {} : {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    // Without `name`, the library would read the host name, which this process may not do.
    name: host,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

const Refusal = z.object({ code: z.string().optional(), responseCode: z.int().optional() });

/** Only a refusal of sender or recipients with an SMTP code of at least 500 is final. */
function troubleOf(cause: unknown): MailTrouble {
  const refusal = Refusal.safeParse(cause);
  const { code, responseCode = 0 } = refusal.success ? refusal.data : {};
  const message = cause instanceof Error ? cause.message : String(cause);
  const isFinal = code === "EENVELOPE" && responseCode >= 500;
  return new MailTrouble(message.slice(0, 300).toWellFormed(), isFinal, { cause });
}
