// Runs Lighthouse on one page at a time, in a separate process; Chromium ends with it.
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const chrome = await launch({
  chromeFlags: FLAGS,
  chromePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
  handleSIGINT: false,
});
process.once('exit', () => chrome.kill());
for (const end of ['SIGTERM', 'disconnect']) process.once(end, () => process.exit());

/** Judges a page: scores out of 100 by category, the layout shift while loading, and the audits that cost points. */
async function judge(url) {
  const run = await lighthouse(url, { port: chrome.port, logLevel: 'error', onlyCategories: CATEGORIES });
  const { categories, audits } = run.lhr;
  const counted = CATEGORIES.flatMap((id) => categories[id].auditRefs).filter(({ weight }) => weight > 0);
  return {
    scores: CATEGORIES.map((id) => Math.round(100 * (categories[id].score ?? 0))),
    shift: audits['cumulative-layout-shift'].numericValue ?? 0,
    faults: counted.map(({ id }) => id).filter((id) => (audits[id].score ?? 1) < 0.9),
  };
}

process.on('message', ({ url }) => {
  judge(url).then(
    (judged) => process.send(judged),
    (error) => process.send({ error: error.stack }),
  );
});
