import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { record } from './samples.ts';

/** Advisory of a vulnerability that affects `mcp-remote` below version 0.1.16. */
const ADVISORY = {
  id: 'CVE-2025-6514',
  aliases: ['GHSA-6xpm-ggf7-wc3p'],
  summary: 'mcp-remote is exposed to OS command injection',
  category: 'vulnerability',
  severity: 'critical',
  cvss: null,
  disputed: false,
  withdrawn: false,
  affected: ['>=0.0.5 <0.1.16'],
  source: 'CVE',
  url: 'https://nvd.nist.gov/vuln/detail/CVE-2025-6514',
  modified: '2026-06-17T10:02:03.283000Z',
};

type Answer = (subject: string) => { status: string; record?: object; package?: object; message?: string };

/**
 * Answers that no subject of this name is listed. The answer for a package contains its advisories: one for `mcp-remote`,
 * unless the version is 0.1.16, and none for all other packages.
 */
export const unknownPackages: Answer = (subject) => {
  const [, name, version] = /^((?:npm|pypi):.[^@=]*)(?:@|==)?(.*)$/.exec(subject) ?? [];
  const isAffected = name === 'npm:mcp-remote' && version !== '0.1.16';
  const standing = isAffected ? 'affected' : 'not_affected';
  const advisories = isAffected ? [ADVISORY] : [];
  const report = {
    package: name,
    version: version || null,
    standing,
    advisories,
    listing: null,
    as_of: null,
  };
  return { status: 'not_found', message: 'No subject matches.', ...(name && { package: report }) };
};

/** Returns an answer with a record of these members. */
export const listed = (members: object = {}) => ({
  status: 'found',
  record: {
    ...record,
    verified: false,
    verdict: { state: 'well_evidenced', sentence: 'Used.', reasons: [] },
    ...members,
  },
});

/**
 * Starts a service that answers look-ups of many subjects by `answer`, and reads of changes with `pages`, until the
 * test ends. Returns its URL, all subjects that clients sent, and the bodies in which they sent them.
 */
export async function lookupService(
  answer: Answer,
  pages: readonly object[] = [],
): Promise<{ url: string; sent: string[]; bodies: string[] }> {
  const sent: string[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method === 'GET') {
      const cursor = new URL(request.url ?? '', 'http://localhost').searchParams.get('cursor');
      response.setHeader('content-type', 'application/json').end(JSON.stringify(pages[Number(cursor ?? 0)]));
      return;
    }
    bodies.push(body);
    const { subjects } = JSON.parse(body) as { subjects: { subject: string }[] };
    sent.push(...subjects.map(({ subject }) => subject));
    const data = subjects.map(({ subject }) => ({
      subject,
      record: null,
      package: null,
      ...answer(subject),
    }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, bodies };
}
