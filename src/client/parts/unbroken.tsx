/**
 * Keeps words with a digit and a hyphen, such as `DV3853-001`, on one line. A word that is too wide
 * is cut, and its `title` shows the whole word.
 */
export function Unbroken({ text }: { readonly text: string }) {
  const parts = text.split(" ").map((word) => ({
    word,
    isNumber: word.includes("-") && /\d/.test(word),
  }));
  if (!parts.some(({ isNumber }) => isNumber)) return <>{text}</>;
  return (
    <>
      {parts.map(({ word, isNumber }, at) => (
        <>
          {at > 0 && " "}
          {isNumber ? <span class="unbroken" title={word}>{word}</span> : word}
        </>
      ))}
    </>
  );
}
