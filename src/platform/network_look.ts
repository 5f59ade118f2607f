/**
 * The event loop need not look at the network while work only waits for what other threads have done
 * already: hundreds of turns of such work went by before it did (`setImmediate` and threads' words) or
 * more than a millisecond is lost (a timer). It must look when the work waits for the network itself, so
 * a byte is sent over a connection within the process, which takes 20 µs.
 */

const BYTE = new Uint8Array(1);

/** Makes the event loop look at the network, once for all who ask at the same time. */
export class NetworkLook implements Disposable {
  /** Undefined until a look was asked for. */
  #line: Line | null | undefined;
  #looking: Promise<void> | null = null;
  #isOver = false;
  #lookedAtMs = performance.now();

  /** Looks when the last look was longer ago than `ms` milliseconds. */
  async after(ms: number): Promise<void> {
    if (this.#isOver || performance.now() - this.#lookedAtMs <= ms) return;
    this.#looking ??= this.#look();
    await this.#looking;
  }

  async #look(): Promise<void> {
    if (this.#line === undefined) this.#line = await openLine();
    await this.#line?.pass();
    this.#lookedAtMs = performance.now();
    this.#looking = null;
    if (this.#isOver) this.#hangUp();
  }

  /** Whoever waits for a look has it before the connection ends. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    if (this.#looking === null) this.#hangUp();
  }

  #hangUp(): void {
    this.#line?.end();
    this.#line = null;
  }
}

/** A connection of the process with itself. */
export interface Line {
  /** Resolves when a byte has gone from one end to the other. */
  pass(): Promise<void>;
  end(): void;
}

/** Null where a host allows none: not permitted, not there, or no descriptor left. */
export async function openLine(): Promise<Line | null> {
  try {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const near = await Deno.connect({ hostname: "127.0.0.1", port: listener.addr.port });
    const far = await listener.accept();
    const end = () => {
      near.close();
      far.close();
    };
    const pass = async () => {
      await Promise.all([far.read(new Uint8Array(1)), near.write(BYTE)]);
    };
    // Another program of this machine may have come first: it is not talked to.
    if (far.remoteAddr.port === near.localAddr.port) return { pass, end };
    end();
  } catch {
    // Work goes on without: it only gives way less often.
  }
  return null;
}
