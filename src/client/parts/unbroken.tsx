/**
 * A text in which words with a digit and a hyphen, such as the model number `DV3853-001`, stay on
 * one line. Such a word is cut if it is too wide; its `title` then shows all of it.
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
