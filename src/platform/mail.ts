/** Sends mail through one SMTP server, which the operator configures. */
import { z } from "zod";

export interface MailMessage {
  /** The first part of the header `Message-ID`, which is the same in every attempt to send. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

export interface MailTrouble {
  readonly message: string;
  readonly isFinal: boolean;
}

export interface Mailer {
  /** Resolves to null when the server has accepted at least one recipient. */
  send(message: MailMessage): Promise<MailTrouble | null>;
  greet(): Promise<MailTrouble | null>;
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
      return null;
    } catch (error) {
      return troubleOf(error);
    } finally {
      transport.close();
    }
  };
  return {
    greet: () => withTransport((transport) => transport.verify()),
    send({ id, to, ...text }) {
      const mail = { from, to: [...to], ...text, messageId: `<${id}@${host}>` };
      return withTransport((transport) => transport.sendMail(mail));
    },
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
function troubleOf(error: unknown): MailTrouble {
  const { code, responseCode = 0 } = Refusal.safeParse(error).data ?? {};
  const message = error instanceof Error ? error.message : String(error);
  const isFinal = code === "EENVELOPE" && responseCode >= 500;
  return { message: message.slice(0, 300).toWellFormed(), isFinal };
}
