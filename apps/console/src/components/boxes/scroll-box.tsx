import { type ReactNode, useLayoutEffect, useRef, useState } from "react";

interface ScrollBoxProps {
  label: string;
  /** Limits the height and sets `overflow`. */
  className: string | undefined;
  children: ReactNode;
}

/** A scrolling box. While its content overflows, it can take the focus, so that the keyboard scrolls it. */
export function ScrollBox({ label, className, children }: ScrollBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isScrollable, setScrollable] = useState(false);
  useLayoutEffect(() => {
    const { current: element } = box;
    if (element === null) return undefined;
    const measure = () =>
      setScrollable(element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} className={className} role="group" aria-label={label} {...(isScrollable ? { tabIndex: 0 } : {})}>
      {children}
    </div>
  );
}
