/** robots.txt files that are expensive to parse or match, each about as long as allowed. */
export function hostileRobots(): readonly (readonly [name: string, text: string])[] {
  const rules = (line: string) => `User-agent: *\n${line}`;
  const many = (count: number, line: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => line(n)).join("\n");
  const all = "User-agent: *\nDisallow: /";
  return [
    ["blanks within a value", rules(`Disallow: /a${" ".repeat(450_000)}b`)],
    ["tabs within a value", rules(`Disallow: /a${"\t".repeat(450_000)}b`)],
    ["blanks before a name", `${" ".repeat(450_000)}x\n${all}`],
    ["blanks behind a name", rules(`Disallow${" ".repeat(450_000)}`)],
    ["blanks in every line", rules(`Disallow: /a${" ".repeat(4_000)}b\n`.repeat(120))],
    ["a name without end", "a".repeat(480_000)],
    ["empty lines", "\r".repeat(480_000)],
    ["comments", "#".repeat(480_000)],
    ["agents without rules", many(35_000, (n) => `User-agent: ${n}`)],
    ["groups", many(12_000, (n) => `User-agent: *\nAllow: /${n}`)],
    ["rules", rules(many(35_000, (n) => `Disallow: /${n}`))],
    ["rules of stars", rules(many(300, (n) => `Disallow: /${"*a".repeat(800)}${n}$`))],
    ["one rule of stars", rules(`Disallow: /${"*a".repeat(230_000)}$`)],
    ["pieces that almost match", rules(many(400, (n) => `Disallow: /*b${"a".repeat(1_000)}${n}`))],
    [
      "pieces that match late",
      rules(many(400, (n) => `Disallow: /*${"a".repeat(500)}b*${"a".repeat(500)}${n}`)),
    ],
    ["index pages", rules(`Allow: ${"/index.htm".repeat(46_000)}`)],
    ["octets", rules(`Disallow: /${"%c3%a4".repeat(78_000)}`)],
    ["letters beyond ASCII", rules(many(20_000, () => "Disallow: /ä/ö/ü/"))],
    ["octets that are none", rules(`Disallow: /${"%".repeat(470_000)}`)],
    ["lone surrogates", rules(`Disallow: /${"\ud800".repeat(200_000)}`)],
  ];
}

/** Paths about as long as a link's URL may be. */
export const HOSTILE_PATHS: readonly string[] = [
  `/${"a".repeat(2_000)}`,
  `/${"ab".repeat(1_000)}`,
  `/index.htm${"/index.htm".repeat(190)}`,
  `/%C3%A4${"%c3%a4".repeat(300)}?q=${"%".repeat(100)}`,
];
