import { existsSync } from 'node:fs';
import { describe } from 'vitest';
import { describeSizes } from '../sizes.ts';
import { webpack } from './webpack.ts';

const isInstalled = existsSync(new URL('./node_modules', import.meta.url));
const missing = isInstalled ? '' : ' (not run: `npm run install:nightly` has not been)';

describe.skipIf(!isInstalled && !process.env.CI)(
  `the bundler that is installed for this alone${missing}`,
  () => {
    describeSizes({ webpack });
  },
);
