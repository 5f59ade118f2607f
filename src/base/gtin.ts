/** True for 8, 12, 13 or 14 ASCII digits with the check digit of the GS1 General Specifications. */
export function isGtin(text: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(text)) return false;
  const sum = text.split("").reduce((total, digit, position) => {
    const weight = (text.length - position) % 2 === 0 ? 3 : 1;
    return total + weight * Number(digit);
  }, 0);
  return sum % 10 === 0;
}
