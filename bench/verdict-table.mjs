// Prints the verdicts of the most starred listings and of well-known ones, so that an expert can look for absurd pairs.
import { withServer } from './bench-server.mjs';
import { note } from './progress.mjs';

const MOST_STARRED = Number(process.env.MOST_STARRED ?? 50);

/** Repositories that an expert knows without looking them up, of all kinds and sizes. */
const WELL_KNOWN =
  `anthropics/claude-code anthropics/skills modelcontextprotocol/servers microsoft/playwright-mcp
langflow-ai/langflow upstash/context7 langchain-ai/langchain langchain-ai/langgraph crewAIInc/crewAI
microsoft/autogen microsoft/semantic-kernel google-gemini/gemini-cli cline/cline aider-ai/aider All-Hands-AI/OpenHands
openinterpreter/open-interpreter browser-use/browser-use n8n-io/n8n langgenius/dify FlowiseAI/Flowise run-llama/llama_index
pydantic/pydantic-ai openai/openai-agents-python mem0ai/mem0 letta-ai/letta huggingface/smolagents
stanfordnlp/dspy mastra-ai/mastra agno-agi/agno geekan/MetaGPT Significant-Gravitas/AutoGPT
continuedev/continue firecrawl/firecrawl docling-project/docling microsoft/markitdown awslabs/mcp
cloudflare/mcp-server-cloudflare stripe/agent-toolkit yoheinakajima/babyagi exa-labs/exa-mcp-server
qdrant/mcp-server-qdrant neo4j-contrib/mcp-neo4j GLips/Figma-Context-MCP ahujasid/blender-mcp
oraios/serena wonderwhy-er/DesktopCommanderMCP punkpeye/fastmcp PrefectHQ/fastmcp ComposioHQ/composio
obra/superpowers`.split(/\s+/);

async function read(url) {
  const answer = await fetch(url);
  return answer.ok ? answer.json() : null;
}

/** Reads the most starred listings, page by page. */
async function mostStarred(baseUrl) {
  const found = [];
  while (found.length < MOST_STARRED) {
    const limit = Math.min(50, MOST_STARRED - found.length);
    const { data } = await read(`${baseUrl}/api/agents?sort=stars&limit=${limit}&offset=${found.length}`);
    if (data.length === 0) break;
    found.push(...data);
  }
  return found;
}

async function wellKnown(baseUrl) {
  const found = [];
  for (const name of WELL_KNOWN) {
    const subject = await read(`${baseUrl}/api/subjects?subject=${encodeURIComponent(name)}`);
    const agent = subject?.agent_id && (await read(`${baseUrl}/api/agents/${subject.agent_id}`));
    if (agent) found.push(agent);
    else note(`${name} is not listed`);
  }
  return found;
}

/** Draws agents as a table, highest trust first. */
function tableOf(title, agents) {
  const rows = [...agents]
    .sort((one, other) => (other.trustScore ?? -1) - (one.trustScore ?? -1))
    .map(({ repositoryUrl, repoHost, trustScore, confidence, verdict, container }) => {
      const name = new URL(repositoryUrl).pathname.slice(1);
      const stars = repoHost?.stars ?? '–';
      const words = `${verdict?.state ?? 'no score'}: ${verdict?.sentence ?? ''}`;
      return `| ${name}${container ? ' (container)' : ''} | ${stars} | ${trustScore ?? '–'} | ${confidence ?? '–'} | ${words} |`;
    });
  return [
    `## ${title}`,
    '',
    '| listing | stars | trust | confidence | verdict |',
    '|---|---:|---:|---:|---|',
    ...rows,
  ];
}

async function print(baseUrl) {
  const starred = await mostStarred(baseUrl);
  const known = await wellKnown(baseUrl);
  const lines = [
    ...tableOf(`The ${starred.length} listings with most stars`, starred),
    '',
    ...tableOf(`${known.length} well-known listings`, known),
  ];
  console.log(lines.join('\n'));
}

const { BASE_URL } = process.env;
if (BASE_URL) await print(BASE_URL);
else await withServer({}, ({ baseUrl }) => print(baseUrl));
