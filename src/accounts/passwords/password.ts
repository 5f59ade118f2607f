/**
 * Checks passwords against rules (docs/decisions/identity.md), hashes passwords with scrypt, limits
 * simultaneous hashing, and makes random secrets for API keys and tokens.
 */
import { Failure, refuseFields } from "../../base/failure.ts";
import { codePoints, composed, isLongerThan } from "../../base/text.ts";
import { FairQueue } from "../../platform/event_loop.ts";
import type { Store } from "../../platform/store/kv.ts";
import { findWorkspace } from "../workspace.ts";
import { Buffer } from "node:buffer";
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

type Cost = Readonly<Record<"N" | "r" | "p", number>>;

/** Recommended by OWASP for scrypt. A hash takes 32 MiB of memory and 0.2 s of one core. */
const COST: Cost = { N: 2 ** 15, r: 8, p: 3 };

let newCost = COST;

/** Only tests set a lower cost, because a real hash takes 0.2 s. */
export function setHashCost(cost = COST): void {
  newCost = cost;
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** A hash for unknown users, so that the response time does not reveal whether a user exists. */
const nobody = () => encode(newCost, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/** Returns `scrypt$N$r$p$salt$hash`; salt and hash are in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return encode(newCost, salt, await derive(password, salt, newCost));
}

/** Returns false if `encoded` is null, but takes as long as for a stored hash. */
export async function matchesPassword(password: string, encoded: string | null): Promise<boolean> {
  const [, N, r, p, salt = "", hash = ""] = (encoded ?? nobody()).split("$");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, "base64url"), cost);
  return timingSafeEqual(derived, Buffer.from(hash, "base64url")) && encoded !== null;
}

const CHARACTERS_MIN = 10;
const CHARACTERS_MAX = 256;

/** Returns why a password is refused; null for a good password. */
export function passwordTrouble(password: string, words: readonly string[]): string | null {
  if (!password.isWellFormed()) return "Must be valid text";
  if (isLongerThan(password, CHARACTERS_MAX)) {
    return `Must have at most ${CHARACTERS_MAX} characters`;
  }
  if (codePoints(password) < CHARACTERS_MIN) {
    return `Must have at least ${CHARACTERS_MIN} characters`;
  }
  const plain = simplify(password);
  if (isCommon(plain)) return "Is a common password: choose another one";
  if (new Set(plain).size < 4 || /^(.{1,5})\1+.{0,4}$/su.test(plain)) {
    return "Must not repeat the same characters";
  }
  if (isSequence(plain)) return "Must not be a simple sequence of characters";
  return isMadeOf(plain, words.flatMap(partsOf))
    ? "Must not consist of your address or the name of the workspace"
    : null;
}

function simplify(password: string): string {
  return composed(password, "NFKC").toLowerCase().trim();
}

const LETTERS: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  "$": "s",
  "!": "i",
};

function isCommon(plain: string): boolean {
  const signs = [...plain];
  const isLetter = (sign: string) => /\p{L}/u.test(sign);
  const core = signs.slice(
    Math.max(0, signs.findIndex(isLetter)),
    signs.findLastIndex(isLetter) + 1,
  )
    .join("");
  const spelled = core.replace(/[^\p{L}]/gu, (sign) => LETTERS[sign] ?? sign);
  return [plain, core, spelled].some((text) => COMMON_PASSWORDS.has(text));
}

const ROWS = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890123456789",
  "qwertyuiop",
  "qwertzuiopü",
  "asdfghjklöä",
  "yxcvbnm",
  "zxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6zhn7ujm",
  "1qay2wsx3edc4rfv5tgb6yhn7ujm",
  "q1w2e3r4t5y6u7i8o9p0",
  "1q2w3e4r5t6z7u8i9o0p",
];

function isSequence(text: string): boolean {
  const rows = ROWS.flatMap((row) => [row, row.split("").reverse().join("")]);
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const run = Math.max(...rows.map((row) => runLength(rest, row)));
    if (run === 0) return rest.length <= 2;
    at += run;
  }
  return true;
}

function runLength(text: string, row: string): number {
  for (let length = Math.min(text.length, row.length); length >= 4; length--) {
    if (row.includes(text.slice(0, length))) return length;
  }
  return 0;
}

function partsOf(words: string): string[] {
  const plain = simplify(words);
  return [plain, ...plain.split(/[^\p{L}\p{N}]+/u)]
    .filter((word) => codePoints(word) >= 4);
}

function isMadeOf(plain: string, words: readonly string[]): boolean {
  const rest = words.reduce((text, word) => text.replaceAll(word, ""), plain);
  return rest !== plain && rest.replace(/[^\p{L}\p{N}]/gu, "").length < CHARACTERS_MIN / 2;
}

function encode({ N, r, p }: Cost, salt: Buffer, hash: Buffer): string {
  return ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** Hashes the password in NFC, because keyboards may type the same letters in different forms. */
function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  const maxmem = 2 * 128 * cost.N * cost.r;
  return new Promise((resolve, reject) => {
    scrypt(composed(password), salt, HASH_BYTES, { ...cost, maxmem }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** Runs `work`; waits while two other hashings run. Throws `unavailable` if too many wait. */
export type PasswordPermit = <T>(work: () => Promise<T>) => Promise<T>;

const WAITING_MAX = 200;
/** Per range of IP addresses, so that one attacker cannot fill the queue. */
const WAITING_PER_PARTITION_MAX = 20;

export class PasswordPermits {
  readonly #permits = new FairQueue(2, { nowMs: () => 0 });

  of(partition: string): PasswordPermit {
    const permits = this.#permits;
    return async (work) => {
      const isCrowded = permits.waitingOf(partition) >= WAITING_PER_PARTITION_MAX;
      if (isCrowded || permits.waiting >= WAITING_MAX) {
        throw new Failure("unavailable", "Too many sign-ins at once: try again shortly");
      }
      return await permits.run(partition, work);
    };
  }
}

export function refuseEasyPassword(
  password: string,
  { field = "password", words }: { readonly field?: string; readonly words: readonly string[] },
): void {
  const message = passwordTrouble(password, words);
  if (message !== null) throw refuseFields([{ path: field, message }]);
}

export async function wordsOf(
  store: Store,
  { email, workspaceId }: { email: string; workspaceId: string },
): Promise<string[]> {
  const workspace = await findWorkspace(store, workspaceId);
  return [email, ...(workspace ? [workspace.name] : [])];
}

/** Common German and English passwords, which are refused. */
const WORDS = `
password passwort passw0rd kennwort geheimnis geheim secret topsecret login logmein signin
welcome willkommen hallo hello hallohallo hellohello letmein letmeinnow openup opensesame
sesame iloveyou iloveu ichliebedich liebe schatz schatzi mausi engel angel princess
prinzessin prinz sunshine sonnenschein sonne mond sterne star starwars startrek superman
batman spiderman pokemon dragon drache monkey affe tiger löwe panther master meister boss
chef admin administrator adminadmin administration root rootroot superuser superadmin
sysadmin system server user username benutzer benutzername gast guest guestguest test tester
testtest testing testpassword testpasswort testuser demo demodemo default changeme
changemenow changeit pleasechange aendermich ändermich temp temporary tempass temppassword
initial startpassword startpasswort start anfang internet computer rechner laptop windows
microsoft google facebook instagram youtube amazon apple samsung iphone android linux ubuntu
debian oracle database datenbank mysql postgres postgresql mongodb redis kubernetes docker
github gitlab bitcoin football fussball fußball soccer baseball basketball handball tennis
hockey bayern bayernmünchen bayernmuenchen fcbayern schalke schalke04 borussia dortmund
borussiadortmund hamburg hamburgersv werder werderbremen bremen leverkusen eintracht
frankfurt eintrachtfrankfurt stuttgart vfbstuttgart köln koeln fckoeln herthabsc berlin
münchen muenchen deutschland germany austria österreich oesterreich schweiz switzerland
europa europe america england london paris sommer summer winter frühling fruehling spring
herbst autumn januar februar märz maerz april juni juli august september oktober november
dezember january february march october december montag dienstag mittwoch donnerstag freitag
samstag sonntag monday tuesday wednesday thursday friday saturday sunday weihnachten
christmas ostern easter silvester geburtstag birthday happybirthday urlaub ferien holiday
vacation michael thomas andreas stefan stephan christian alexander daniel sebastian matthias
markus martin peter wolfgang jürgen juergen klaus uwe frank ralf bernd dieter manfred helmut
günter guenter sabine susanne petra monika claudia nicole stefanie stephanie melanie sandra
andrea angelika brigitte katharina christina christine julia jessica jennifer ashley amanda
joshua jordan robert william charlie george harley maximilian benjamin jonathan nicholas
elizabeth samantha victoria hannah sophie marie anna laura lena mercedes porsche volkswagen
bmw audi ferrari mustang corvette yamaha harleydavidson motorrad schokolade chocolate kaffee
coffee bananas banane cookie butterfly schmetterling flower blume blumen rose freedom
freiheit freunde friends friendship freundschaft family familie mama papa mutter vater
mother father baby babygirl babyboy lovely lover loveme lovelove forever forevermore fuckyou
fuckyou2 fuckoff asshole arschloch scheisse scheiße hurensohn ficken whatever nothing nichts
trustno1 trustnoone jesus jesuschrist jesuschristus godisgood blessed hallelujah matrix
shadow hunter killer ninja samurai warrior wizard merlin gandalf phoenix thunder lightning
liverpool arsenal chelsea manchester manchesterunited barcelona realmadrid juventus
metallica nirvana slipknot linkinpark rammstein eminem michaeljackson qwerty qwertz
qwertyuiop qwertzuiop qwerty123456 asdfgh asdfghjkl yxcvbnm zxcvbnm qazwsx qazwsxedc qaywsx
qaywsxedc 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc q1w2e3r4t5y6 zaq12wsx zaq1zaq1
zaq1xsw2cde3 1qazxsw23edc !qaz2wsx3edc qwer1234qwer asdf1234asdf abc123abc123 abcd1234abcd
a1b2c3d4e5 a1b2c3d4e5f6 aa12345678 1234qwerasdf 123qweasdzxc 123qwe123qwe qwe123qwe123
1password1 password1password passwordpassword passwortpasswort mypassword meinpasswort
meinkennwort deinpasswort yourpassword newpassword neuespasswort oldpassword nopassword
keinpasswort strongpassword sicherespasswort goodpassword securepassword secretpassword
geheimespasswort thepassword password1234 1234password passwort1234 1234passwort
dasistgeheim dasistmeinpasswort thisismypassword ihavenopassword correcthorsebatterystaple
correct-horse-battery-staple letmeinplease pleaseletmein abcdefghij abcdefghijk abcdefghijkl
0123456789 1234567890 12345678910 123456789a 123456789abc 987654321a 0987654321 1111111111
0000000000 1122334455 1212121212 1231231231 123123123123 112233445566 147258369 1472583690
741852963 7894561230 789456123 159753456852 159357456852 3141592653 31415926535 2718281828
unternehmen firma büro buero company business office manager verkauf vertrieb einkauf sales
marketing buchhaltung lager shop onlineshop webshop händler haendler retail preise price
prices pricing kurant
`;

const COMMON_PASSWORDS: ReadonlySet<string> = new Set([
  ...WORDS.trim().split(/\s+/),
  "correct horse battery staple",
]);

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Random bytes from 248 (4 · 62) on are skipped, so that all characters are equally likely. */
const FAIR_BELOW = 248;

export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < FAIR_BELOW && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}
