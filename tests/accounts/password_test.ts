import { deepStrictEqual as assertEquals } from "node:assert/strict";
import {
  hashPassword,
  matchesPassword,
  passwordTrouble,
} from "../../src/accounts/passwords/password.ts";
import { realHashes } from "../light_hashes.ts";

const words = ["anna.mueller@example.org", "Müller Shop"];

Deno.test("passwordTrouble() refuses short, long, common and repetitive texts, keyboard runs and one's own name", () => {
  const refused = [
    "kurzkurz1",
    "x".repeat(257),
    "Passwort2024!",
    "P@ssw0rd123",
    "Sommer2025??",
    "iloveyou1234",
    "correct horse battery staple",
    "aaaaaaaaaa",
    "abababababab",
    "1234567890",
    "qwer1234asdf",
    "zyxwvutsrq",
    "anna.mueller1",
    "Müllershop99",
    "lone \ud800 surrogate",
  ];
  assertEquals(refused.filter((password) => passwordTrouble(password, words) === null), []);
});

Deno.test("passwordTrouble() accepts ten code points and more, of any script", () => {
  const taken = [
    "Xk7!pq9Lm2",
    "nebel-kutsche-91",
    "grüner Hund im Regen",
    "📦🚀🐳🎈🍋🌵🎻🧊🪁🧶",
    "mueller-likes-42-lamps",
    `${"laterne ".repeat(3)}im Wald`.repeat(8).slice(0, 256),
  ];
  assertEquals(taken.map((password) => passwordTrouble(password, words)), taken.map(() => null));
});

Deno.test("hashPassword() salts, names its parameters and accepts either Unicode form of a password", async () => {
  using _hashes = realHashes();
  const [one, two] = await Promise.all([hashPassword("übergrün-17"), hashPassword("übergrün-17")]);
  assertEquals(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/.test(one), true);
  assertEquals(one === two, false);
  assertEquals(await matchesPassword("übergrün-17".normalize("NFD"), one), true);
  assertEquals(await matchesPassword("uebergrün-17", one), false);
});
