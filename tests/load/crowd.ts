/**
 * Measures how long three honest workspaces wait, alone and next to a hostile one. The two cases
 * alternate in slices of time and have separate stores and processes, so that neither remains of an
 * attack nor other load on the machine distort the comparison.
 */
import { cp } from "node:fs/promises";
import { startServer } from "../program.ts";
import { createCalls } from "./calls.ts";
import { type Ambush, type Attackers, setAmbush, startAttackers } from "./crowd_attack.ts";
import { type Desk, setDesk, type Span, startWitness, startWork } from "./crowd_work.ts";
import { type Seat, seedSeat, takeSeat, type Tenant } from "./crowd_workspace.ts";
import { quantile } from "./quantile.ts";
import { pause } from "../patience.ts";

const HONEST = ["Adler", "Birke", "Clemens"] as const;
const HOSTILE = "Doppelzunge";
const ROUNDS = 4;
const WARM_UP_MS = 5_000;
const SLICE_MS = 25_000;

/** Durations of a kind of work, from request to effect. */
export interface Waits {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A kind of honest work, with and without the hostile workspace. */
export interface CrowdRow {
  readonly kind: string;
  readonly alone: Waits;
  readonly beside: Waits;
}

interface House {
  readonly settings: Record<string, string>;
  readonly seats: readonly Seat[];
  desks: readonly Desk[] | null;
  ambush: Ambush | null;
}

/** `settings` are those of the mixed load, except folder, port and the rate limit of keys. */
export async function measureCrowd(
  folder: string,
  settings: Record<string, string>,
  say: (text: string) => void,
): Promise<CrowdRow[]> {
  using attackers = await startAttackers();
  await using witnesses = new AsyncDisposableStack();
  const dirs = { alone: `${folder}/alone`, beside: `${folder}/beside` };
  const seeded = { ...settings, DATA_DIR: dirs.alone };
  say("seeding a crowd");
  const seats: Seat[] = [];
  for (const name of [...HONEST, HOSTILE]) seats.push(await seedSeat(seeded, folder, name));
  await cp(dirs.alone, dirs.beside, { recursive: true });
  const houseOf = (DATA_DIR: string): House => ({
    settings: { ...settings, DATA_DIR },
    seats,
    desks: null,
    ambush: null,
  });
  const houses = { alone: houseOf(dirs.alone), beside: houseOf(dirs.beside) };
  const spans = { alone: [] as Span[], beside: [] as Span[] };
  for (let round = 1; round <= ROUNDS; round++) {
    for (const side of ["alone", "beside"] as const) {
      say(`round ${round} of ${ROUNDS}, ${side}`);
      const seen = await slice(
        houses[side],
        side === "beside" ? attackers : null,
        async () => witnesses.use(await Promise.resolve(startWitness())),
      );
      spans[side].push(...seen);
    }
  }
  const kinds = [...new Set(spans.alone.map(({ kind }) => kind))];
  return kinds.map((kind) => ({
    kind,
    alone: waitsOf(spans.alone, kind),
    beside: waitsOf(spans.beside, kind),
  }));
}

/** Durations in one slice of time, in which one server process runs. */
async function slice(
  house: House,
  attackers: Attackers | null,
  newWitness: () => Promise<ReturnType<typeof startWitness>>,
): Promise<Span[]> {
  await using server = await startServer(house.settings);
  const calls = createCalls(server.url);
  const tenants: Tenant[] = [];
  for (const seat of house.seats) tenants.push(await takeSeat(calls, server.url, seat));
  const honest = tenants.filter(({ name }) => name !== HOSTILE);
  const hostile = tenants.find(({ name }) => name === HOSTILE)!;
  house.desks = house.desks
    ? house.desks.map((desk, n) => ({ ...desk, tenant: honest[n]! }))
    : await Promise.all(honest.map(async (tenant) => setDesk(tenant, await newWitness())));
  if (attackers) {
    house.ambush ??= await setAmbush(hostile, attackers.accomplices);
  }
  let isMeasured = false;
  const spans: Span[] = [];
  const work = house.desks.map((desk) =>
    startWork(desk, (span) => void (isMeasured && spans.push(span)))
  );
  const { cookie, key } = hostile;
  const attack = attackers && house.ambush
    ? attackers.begin({ url: server.url, cookie, key, ambush: house.ambush })
    : null;
  await pause(WARM_UP_MS);
  isMeasured = true;
  await pause(SLICE_MS);
  // Unfinished work counts too, because otherwise starved work would not be seen.
  await Promise.all(work.map((shift) => shift.stop()));
  await attack?.stop();
  calls.hangUp();
  await server.stop("SIGTERM");
  return spans;
}

function waitsOf(spans: readonly Span[], kind: string): Waits {
  const times = spans.filter((span) => span.kind === kind).map(({ tookMs }) => tookMs);
  return { count: times.length, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
}
