// Writes the package's version as a TypeScript module, so that programs don't load package.json.
import { readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
writeFileSync(
  process.argv[2],
  `/** Version of this package. */\nexport const VERSION: string = '${version}';\n`,
);
