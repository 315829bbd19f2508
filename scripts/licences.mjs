// npm run licences: lists the licences of everything that is shipped. Exit code 1 if one of them is not allowed.
import { PlainError, runMain } from "./lib/repository.mjs";
import { foreignComponents, readSbom } from "./lib/read-sbom.mjs";
import { isAllowed, licenceOf } from "./lib/licences.mjs";

await runMain(async () => {
  const components = foreignComponents(readSbom());
  for (const licence of new Set(components.map(licenceOf))) {
    const names = components.filter((component) => licenceOf(component) === licence).map(({ name }) => name);
    console.log(`${licence || "none"} (${names.length}): ${[...new Set(names)].sort().join(", ")}`);
  }
  const refused = components.filter((component) => !isAllowed(licenceOf(component)));
  if (refused.length === 0) return;
  const lines = refused.map((one) => `${one.name} ${one.version}: ${licenceOf(one) || "no licence"}`);
  throw new PlainError(
    `These licences are not allowed. Replace the package, or allow its licence in scripts/lib/licences.mjs:\n${lines.join("\n")}`,
  );
});
