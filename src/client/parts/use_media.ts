import { useEffect, useState } from "preact/hooks";

export function useMedia(text: string): boolean {
  const [fits, setFits] = useState(() => matchMedia(text).matches);
  useEffect(() => {
    const query = matchMedia(text);
    const change = () => setFits(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, [text]);
  return fits;
}
