// The declaration that every manifest is written from.
import { readFileSync } from 'node:fs';
import { toolDeclarations } from '../packages/mcp/dist/declarations.js';
import { serverSettingList } from '../packages/server/dist/index.js';

const { version, license, keywords } = JSON.parse(
  readFileSync(new URL('../apps/mcp-stdio/package.json', import.meta.url), 'utf8'),
);

/** The account on GitHub that owns the repository. `OWNER` until somebody has taken the names: see docs/releasing.md. */
const owner = 'OWNER';

const repository = `https://github.com/${owner}/gemini-mcp-server`;

/** Settings that a channel may ask a user for, besides the key. */
const askedVariables = ['GEMINI_CLI_WORKING_DIR', 'GEMINI_MCP_ROOTS', 'GEMINI_MCP_MODELS', 'GEMINI_MCP_AGENT'];

export const declaration = {
  name: 'gemini-mcp-server',
  title: 'Gemini',
  /** At most 100 characters, because the MCP registry takes no more. */
  sentence: "Ask Google's Gemini about files, in conversations, about the web; have it work on a project",
  version,
  license,
  keywords,
  owner,
  author: { name: 'The gemini-mcp-server authors', url: repository },
  repository,
  /** The server's name in the MCP registry, which npm packages and images repeat as proof of who owns them. */
  registryName: `io.github.${owner}/gemini-mcp-server`,
  icon: 'icon.png',
  privacy: {
    text: 'The files, prompts and conversations of a call go to Google, to the Gemini API, Vertex AI or Code Assist, under your own account. The server has no telemetry, and keeps conversations, long answers and journals for undo in a private directory on your machine.',
    policies: [`${repository}/blob/main/docs/safety.md`, 'https://policies.google.com/privacy'],
  },
  key: {
    variable: 'GEMINI_API_KEY',
    title: 'Gemini API key',
    description:
      'From https://aistudio.google.com/apikey. Not needed for Vertex AI, or if the server has a key already.',
  },
  settings: askedVariables.map(settingOf),
  tools: toolDeclarations.map(({ name, title }) => ({ name, description: title })),
};

function settingOf(variable) {
  const { description } = serverSettingList.find((setting) => setting.variable === variable);
  return { variable, description: description.replaceAll('`', '') };
}
