// npm run new:provider <name> <type>: a provider with an API of its own, with everything that others expect of one; what it does is still to be written.
import { parseArgs } from "node:util";
import { addProvider } from "./lib/add-provider.mjs";
import { PlainError, repositoryRoot, runMain } from "./lib/repository.mjs";

await runMain(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [name = "", type = "", ...rest] = positionals;
  if (rest.length > 0 || !/^[1-9]\d*$/.test(type))
    throw new PlainError("Use: npm run new:provider <name> <type number>");
  for (const file of addProvider(repositoryRoot, name, Number(type))) console.log(file);
  console.log(`
Next: npm run format; write what says "is not written yet" (npm test -- --suite database provider-matrix names it); say in the table of
provider-matrix.test.ts what the API lacks; give the type its label, logo and address in channel-type-list.ts and its models in
packages/providers/src/models/model-sources.ts; and let npm run providers-page write what the tests have shown.`);
});
