// Prints Lighthouse's scores of ten public pages of a server with the sample; exits with 1 if one is too low.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fillFolder, withFolder, withServerOn } from './bench-server.mjs';
import { startChild } from './child.mjs';
import { note, tell } from './progress.mjs';

const INSTALL = fileURLToPath(new URL('../.ci/install', import.meta.url));
const JUDGE = fileURLToPath(new URL('./lighthouse/judge.mjs', import.meta.url));
const LEAST = 98;
const MOST_SHIFT = 0.02;

async function readJson(url) {
  return (await fetch(url)).json();
}

/**
 * Returns one page of each kind that search engines may index: those of the agent and the skill with the most stars, and
 * related ones.
 */
async function pathsOn(baseUrl) {
  const best = async (type) =>
    (await readJson(`${baseUrl}/api/agents?type=${type}&sort=stars&limit=1`)).data[0];
  const [agent, skill] = [await best('agent'), await best('skill')];
  const pathOf = async ({ id }) => (await readJson(`${baseUrl}/api/subjects?subject=${id}`)).public_path;
  return [
    '/',
    '/agents',
    await pathOf(agent),
    await pathOf(skill),
    `/c/${agent.creator.handle}`,
    '/compare',
    '/method',
    '/pricing',
    '/docs',
    '/docs/runOperation',
  ];
}

async function judgePages(baseUrl) {
  tell('installing Lighthouse, where it is not yet');
  await promisify(execFile)(INSTALL, ['bench/lighthouse']);
  const child = startChild(JUDGE, { execArgv: [] });
  const rows = [];
  for (const path of await pathsOn(baseUrl)) {
    tell(path);
    rows.push({ path, ...(await child.tell({ url: `${baseUrl}${path}` })) });
  }
  await child.stop();
  return rows;
}

function isGood({ scores, shift }) {
  return scores.every((score) => score >= LEAST) && shift < MOST_SHIFT;
}

await withFolder(async (folder) => {
  tell('filling a directory with the sample');
  await fillFolder(folder);
  await withServerOn(folder, {}, async ({ baseUrl }) => {
    const rows = await judgePages(baseUrl);
    note('');
    console.log('| page | performance | accessibility | best practices | SEO | layout shift | took points |');
    console.log('|---|---:|---:|---:|---:|---:|---|');
    for (const { path, scores, shift, faults } of rows)
      console.log(`| ${path} | ${scores.join(' | ')} | ${shift.toFixed(3)} | ${faults.join(', ')} |`);
    if (!rows.every(isGood)) process.exitCode = 1;
  });
});
