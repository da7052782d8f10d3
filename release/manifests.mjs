// The manifests that clients and registries read in the repository itself. `npm run manifests` writes them.
import { readFileSync } from 'node:fs';
import { declaration } from './declaration.mjs';

const { name, title, sentence, version, license, keywords, owner, author, repository, key } = declaration;

/** The plugin's name in every client, and the directory of its files. */
const plugin = 'gemini';
const pluginDirectory = `plugins/${plugin}`;

/** Starts outside of projects only: npm obeys settings of the directory that it is started in. */
const npx = { command: 'npx', args: ['-y', `${name}@${version}`] };

const pluginFields = {
  name: plugin,
  version,
  description: sentence,
  author,
  homepage: repository,
  repository,
  license,
  keywords,
};

/** The text of each manifest by its path in the repository. */
export const manifests = new Map([...jsonManifests(), ['Dockerfile', dockerfile()]]);

function jsonManifests() {
  return Object.entries({
    'server.json': serverJson([]),
    'gemini-extension.json': geminiExtension(),
    '.claude-plugin/marketplace.json': claudeMarketplace(),
    '.agents/plugins/marketplace.json': codexMarketplace(),
    '.cursor-plugin/marketplace.json': pluginMarketplace(),
    '.github/plugin/marketplace.json': pluginMarketplace(),
    [`${pluginDirectory}/.claude-plugin/plugin.json`]: pluginFields,
    [`${pluginDirectory}/.mcp.json`]: claudeServers(),
    [`${pluginDirectory}/.codex-plugin/plugin.json`]: codexPlugin(),
    [`${pluginDirectory}/codex.mcp.json`]: codexServers(),
    [`${pluginDirectory}/.cursor-plugin/plugin.json`]: { ...pluginFields, mcpServers: './mcp.json' },
    [`${pluginDirectory}/plugin.json`]: agentPlugin(),
    [`${pluginDirectory}/mcp.json`]: agentPluginServers(),
  }).map(([path, manifest]) => [path, `${JSON.stringify(manifest, null, 2)}\n`]);
}

/** The file as it is, with the labels of now. The MCP registry reads the first as proof of who owns the image. */
function dockerfile() {
  const labels = {
    'io.modelcontextprotocol.server.name': declaration.registryName,
    'org.opencontainers.image.title': name,
    'org.opencontainers.image.description': sentence,
    'org.opencontainers.image.source': repository,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': license,
  };
  const lines = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  const text = readFileSync(new URL('../Dockerfile', import.meta.url), 'utf8');
  return text.replace(
    /^(# Labels: .*\n)(?:LABEL (?:.*\\\n)*.*\n)?/m,
    (_, mark) => `${mark}LABEL ${lines.join(' \\\n  ')}\n`,
  );
}

/** The entry of the MCP registry. `bundles` are packages that exist only once a release is built. */
export function serverJson(bundles) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: declaration.registryName,
    title,
    description: sentence,
    version,
    websiteUrl: repository,
    repository: { url: repository, source: 'github', subfolder: 'apps/mcp-stdio' },
    icons: [
      {
        src: `https://raw.githubusercontent.com/${owner}/${name}/v${version}/${pluginDirectory}/${declaration.icon}`,
        mimeType: 'image/png',
        sizes: ['512x512'],
      },
    ],
    packages: [npmPackage(), ...bundles, imagePackage()],
  };
}

function npmPackage() {
  return {
    registryType: 'npm',
    identifier: name,
    version,
    runtimeHint: 'npx',
    transport: { type: 'stdio' },
    environmentVariables: [keyVariable(), ...declaration.settings.map(plainVariable)],
  };
}

function imagePackage() {
  const project = { description: 'The absolute path of your project', format: 'filepath', isRequired: true };
  return {
    registryType: 'oci',
    identifier: `ghcr.io/${owner.toLowerCase()}/${name}:${version}`,
    runtimeHint: 'docker',
    transport: { type: 'stdio' },
    runtimeArguments: [
      {
        type: 'named',
        name: '--mount',
        description: 'The project, which Gemini may read',
        value: 'type=bind,src={project},dst=/project,ro',
        isRequired: true,
        variables: { project },
      },
    ],
    environmentVariables: [{ ...keyVariable(), isRequired: true }],
  };
}

function keyVariable() {
  return { name: key.variable, description: key.description, format: 'string', isRequired: false, isSecret: true };
}

function plainVariable({ variable, description }) {
  return { name: variable, description, format: 'string', isRequired: false };
}

function geminiExtension() {
  return {
    name,
    version,
    description: sentence,
    mcpServers: { second: { ...npx, cwd: '${extensionPath}', env: { [key.variable]: `$${key.variable}` } } },
    settings: [{ name: key.title, description: key.description, envVar: key.variable, sensitive: true }],
  };
}

/** Claude Code takes the plugin from npm, so that it starts the bundle of that package and never npx. */
function claudeMarketplace() {
  const source = { source: 'npm', package: name, version };
  return {
    name,
    owner: author,
    metadata: { description: sentence },
    plugins: [{ ...pluginFields, source, category: 'ai' }],
  };
}

function claudeServers() {
  return servers({ command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/dist/gemini-mcp-server.cjs'] });
}

function codexMarketplace() {
  const policy = { installation: 'AVAILABLE', authentication: 'ON_USE' };
  const source = { source: 'local', path: `./${pluginDirectory}` };
  return {
    name,
    interface: { displayName: title },
    plugins: [{ name: plugin, source, policy, category: 'Productivity' }],
  };
}

function codexPlugin() {
  const [privacyPolicyURL] = declaration.privacy.policies;
  return {
    ...pluginFields,
    skills: './skills/',
    mcpServers: './codex.mcp.json',
    interface: {
      displayName: title,
      shortDescription: sentence,
      longDescription: declaration.privacy.text,
      developerName: author.name,
      category: 'Productivity',
      websiteURL: repository,
      privacyPolicyURL,
    },
  };
}

/** Codex expands no variables in it, and would start npx in the project: so the server has to be installed. */
function codexServers() {
  return servers({ command: name, args: [], env_vars: [key.variable], tool_timeout_sec: 600 });
}

function pluginMarketplace() {
  return {
    name,
    owner: author,
    metadata: { description: sentence },
    plugins: [{ ...pluginFields, source: `./${pluginDirectory}` }],
  };
}

function agentPlugin() {
  return { $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json', ...pluginFields };
}

/** Its clients start it in the directory of the plugin. */
function agentPluginServers() {
  return {
    $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json',
    ...servers({ type: 'stdio', ...npx }),
  };
}

function servers(server) {
  return { mcpServers: { [plugin]: server } };
}
