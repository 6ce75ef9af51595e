import { expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { type ContainerReason, containerReason, ownDescription } from './container-repository.ts';

/** Repository, kind, number of parts and description, as lists state them, with what shows that it is a container. */
const ROWS: readonly (readonly [string, string, number, string, ContainerReason | null])[] = [
  [
    'modelcontextprotocol/servers',
    'mcp-server',
    83,
    'A Model Context Protocol server that provides time.',
    'name',
  ],
  ['anthropics/skills', 'skill', 19, 'Public repository for Agent Skills', 'name'],
  ['google/skills', 'skill', 19, '', 'name'],
  ['remotion-dev/skills', 'skill', 1, 'Agent Skills', 'name'],
  ['coreyhaines31/marketingskills', 'skill', 31, '', 'name'],
  ['ComposioHQ/awesome-claude-skills', 'skill', 91, 'A curated list of awesome Claude Skills', 'name'],
  [
    'hesreallyhim/awesome-claude-code',
    'agent',
    0,
    'Large community-curated index of Claude Code skills',
    'name',
  ],
  ['littleben/awesomeAgentskills', 'skill', 5, '', 'name'],
  ['obra/superpowers-marketplace', 'plugin', 0, 'Curated Claude Code plugin marketplace', 'name'],
  [
    'aiskillstore/marketplace',
    'skill',
    135,
    'Security-audited skills for Claude, Codex & Claude Code.',
    'name',
  ],
  ['wshobson/agents', 'skill', 217, 'Multi-harness agentic plugin marketplace for Claude Code', 'name'],
  [
    'majiayu000/claude-skill-registry',
    'skill',
    1067,
    'The most comprehensive Claude Code skills registry',
    'name',
  ],
  ['davepoon/claude-code-subagents-collection', 'mcp-server', 0, 'Claude Code Subagents & Commands', 'name'],
  [
    'anthropics/claude-plugins-official',
    'skill',
    54,
    'Official, Anthropic-managed directory of high quality Claude Code Plugins.',
    'description',
  ],
  ['MadAppGang/claude-code', 'skill', 22, 'claude code plugins marketplace', 'description'],
  [
    'waldzellai/waldzell-mcp',
    'mcp-server',
    4,
    "Waldzell AI's monorepo of MCP servers. Use in Claude Desktop, Cline, Roo Code, and more!",
    'description',
  ],
  [
    'awslabs/mcp',
    'mcp-server',
    56,
    'AWS MCP servers for seamless integration with AWS services and resources.',
    'parts',
  ],
  [
    'davila7/claude-code-templates',
    'skill',
    195,
    'CLI tool for configuring and monitoring Claude Code',
    'parts',
  ],

  ['n8n-io/n8n', 'agent', 9, 'General-purpose visual workflow automation', null],
  ['langchain-ai/langchain', 'agent', 5, "LangChain's collection of retrievers and document loaders", null],
  ['langchain-ai/deepagents', 'agent', 3, 'Deep Agents is an open-source agent harness', null],
  ['cloudflare/agents', 'agent', 0, 'Cloudflare Agents is a framework for building stateful AI agents', null],
  ['livekit/agents', 'agent', 0, 'Build real-time multimodal AI agents with voice, video, and data.', null],
  ['obra/superpowers', 'skill', 16, 'Superpowers teaches Claude brainstorming and code review', null],
  ['googleworkspace/cli', 'agent', 88, 'gws is a command-line tool', null],
  ['bh-rat/context-awesome', 'mcp-server', 0, 'MCP server for querying 8,500+ curated awesome lists', null],
  ['microsoft/playwright-mcp', 'mcp-server', 2, 'Playwright MCP server', null],
  [
    'cyanheads/github-mcp-server',
    'mcp-server',
    0,
    'A TypeScript-based MCP server that integrates with GitHub',
    null,
  ],
];

it('a container is recognised by its name, its description or the number of its parts', async () => {
  await expectEveryRow(
    ROWS,
    ([repository]) => repository,
    ([repository, kind, parts, description, because]) =>
      expect(containerReason({ repository, kind, parts, description })).toBe(because),
  );
});

/** Containers with the descriptions that lists give them, and whether the description is that of a part. */
const DESCRIPTIONS: readonly (readonly [string, number, string, 'own' | 'of a part'])[] = [
  [
    'modelcontextprotocol/servers',
    83,
    "A Model Context Protocol server that provides time and timezone conversion capabilities. It automatically detects the system's timezone.",
    'of a part',
  ],
  [
    'rajvirtual/MCP-Servers',
    2,
    'A Model Context Protocol (MCP) server that provides AI assistants with access to Microsoft OneNote.',
    'of a part',
  ],
  [
    'vercel-labs/claude-skills',
    0,
    'Deploy applications and websites to Vercel. Use this skill when the user requests deployment actions.',
    'of a part',
  ],
  [
    'cameronfreer/lean4-skills',
    0,
    'This skill should be used when working on Lean 4 formalization projects.',
    'of a part',
  ],
  ['anthropics/skills', 19, 'Public repository for Agent Skills', 'own'],
  ['charIesding/mcp-servers', 0, 'mcp server implementations', 'own'],
  [
    'expo/skills',
    20,
    'A collection of AI agent skills for working with Expo projects and Expo Application Services',
    'own',
  ],
  ['IvanMurzak/Unity-MCP', 80, 'MCP Server for Unity Editor and for a game made with Unity', 'own'],
  [
    'microsoft/playwright-mcp',
    2,
    'A server that provides browser automation. Use when pages must be read.',
    'own',
  ],
];

it('a container is described by its own description, never by that of a part', async () => {
  await expectEveryRow(
    DESCRIPTIONS,
    ([repository]) => repository,
    ([repository, parts, description, whose]) => {
      const facts = { repository, kind: 'mcp-server', parts, description };
      expect(ownDescription(facts)).toBe(whose === 'own' ? description : '');
    },
  );
});
