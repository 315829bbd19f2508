import classes from "./provider-name.module.css";

/** Path of a logo's file, and its address in the build. */
export type LogoFiles = Readonly<Record<string, string>>;

/** Addresses by the file's name, without its folder and ending. */
export function logosByName(files: LogoFiles): LogoFiles {
  return Object.fromEntries(
    Object.entries(files).map(([path, url]) => [path.slice(path.lastIndexOf("/") + 1, -".svg".length), url]),
  );
}

interface BrandLogoProps {
  name: string;
  url: string;
  size: number;
}

/** A logo in its own colours, or in that of the text. Decorative: the name stands beside it. */
export function BrandLogo({ name, url, size }: BrandLogoProps) {
  if (name.endsWith("-color"))
    return <img className={classes.logo} src={url} width={size} height={size} alt="" loading="lazy" />;
  return (
    <span
      className={classes.mono}
      style={{ width: size, height: size, maskImage: `url("${url}")` }}
      aria-hidden="true"
    />
  );
}
