import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { Email } from "../../src/accounts/users/user.ts";

Deno.test("Email accepts addresses of any script, and stores them trimmed, composed and in lower case", () => {
  const cases = [
    ["anna@shop.example", "anna@shop.example"],
    [" Anna.Müller+test@Shop.Example\n", "anna.müller+test@shop.example"],
    ["JÜRGEN@münchen.example".normalize("NFD"), "jürgen@münchen.example"],
    ["o'neil_2@sub.xn--mnchen-3ya.example", "o'neil_2@sub.xn--mnchen-3ya.example"],
  ] as const;
  for (const [text, expected] of cases) assertEquals(Email.parse(text), expected);
});

Deno.test("Email refuses texts that are no address, quickly even if long", () => {
  const refused = ["", "anna", "anna@", "@shop.example", "anna@localhost", "a b@shop.example"]
    .concat([
      "a@b@shop.example",
      "anna@-shop.example",
      "anna@shop..example",
      "a\u0000@shop.example",
    ])
    .concat(['"a"@shop.example', `${"a".repeat(65)}@shop.example`, `a@${"a.".repeat(200)}example`])
    .concat([`a@${"a-".repeat(300_000)}`]);
  assertEquals(refused.filter((text) => Email.safeParse(text).success), []);
});
