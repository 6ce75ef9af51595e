// Writes the package's version to where the sources find it, so that no program has to load package.json.
import { readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
writeFileSync(
  process.argv[2],
  `/** Version of this package. */\nexport const VERSION: string = '${version}';\n`,
);
