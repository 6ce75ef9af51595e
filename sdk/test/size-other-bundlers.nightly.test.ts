import { BUNDLERS } from './bundles.ts';
import { describeSizes } from './sizes.ts';

const { esbuild: _esbuild, ...others } = BUNDLERS;

describeSizes(others);
