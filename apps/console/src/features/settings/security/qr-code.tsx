import { generate } from "lean-qr";
import classes from "./security.module.css";

/** Modules around the code that stay empty (ISO 18004, 6.3.8). */
const QUIET_ZONE = 4;

/** A text as a QR code, dark on white in either scheme, which is what cameras read. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const code = generate(text);
  const side = code.size + 2 * QUIET_ZONE;
  const places = Array.from({ length: code.size }, (_, place) => place);
  const dark = places.flatMap((y) => places.filter((x) => code.get(x, y)).map((x) => `M${x} ${y}h1v1h-1z`));
  return (
    <svg
      className={classes.qr ?? ""}
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET_ZONE} y={-QUIET_ZONE} width={side} height={side} fill="#fff" />
      <path d={dark.join("")} fill="#000" />
    </svg>
  );
}
