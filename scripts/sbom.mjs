// npm run sbom -- FILE: writes a CycloneDX document of everything that is shipped.
import { writeFileSync } from "node:fs";
import { PlainError, runMain } from "./lib/repository.mjs";
import { foreignComponents, readSbom } from "./lib/read-sbom.mjs";

await runMain(async () => {
  const [file] = process.argv.slice(2);
  if (file === undefined) throw new PlainError("Name the file: npm run sbom -- one-api.cdx.json");
  const sbom = readSbom();
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(`${file}: ${foreignComponents(sbom).length} packages`);
});
