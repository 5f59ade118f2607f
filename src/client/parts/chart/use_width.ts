import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

const WIDTH_AT_FIRST_PX = 600;

/** How wide an element is, in pixels, also after the window has changed. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(WIDTH_AT_FIRST_PX);
  useLayoutEffect(() => {
    const box = element.current;
    if (box === null) return;
    const measure = () => setWidthPx(Math.max(1, box.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return widthPx;
}
