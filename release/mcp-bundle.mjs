// The MCP bundle (.mcpb), which Claude Desktop and others install by a double click.
import { createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { rootDirectory } from '../scripts/run-step.mjs';
import { declaration } from './declaration.mjs';

const app = join(rootDirectory, 'apps/mcp-stdio');
const program = `dist/${declaration.name}.cjs`;

/** Of every file, so that the same server makes the same bundle. Owners alone may write. */
const attributes = { mtime: new Date('1985-10-26T08:15:00Z'), mode: 0o100644, compressionLevel: 9 };

/** A tenth of the whole, and a client with bundles has no setting for a shared store. */
const ofSharedStores = 'dist/valkey.cjs';

/** In manifests only: the client puts a user's value in place of it. A value that the user leaves empty stays as it is here. */
const filledIn = (option) => `\${user_config.${option}}`;

/** Builds the bundle from the built server into a directory. Resolves to its path. */
export async function buildBundle(directory) {
  const { files } = JSON.parse(await readFile(join(app, 'package.json'), 'utf8'));
  const bundle = new ZipFile();
  bundle.addBuffer(Buffer.from(`${JSON.stringify(bundleManifest, null, 2)}\n`), 'manifest.json', attributes);
  bundle.addBuffer(
    await readFile(join(rootDirectory, 'plugins/gemini', declaration.icon)),
    declaration.icon,
    attributes,
  );
  for (const file of files.filter((name) => name !== ofSharedStores)) {
    bundle.addBuffer(await readFile(join(app, file)), file, attributes);
  }
  bundle.end();
  await mkdir(directory, { recursive: true });
  const path = join(directory, `${declaration.name}-${declaration.version}.mcpb`);
  await pipeline(bundle.outputStream, createWriteStream(path));
  return path;
}

/** The manifest of the bundle, version 0.3. */
export const bundleManifest = {
  manifest_version: '0.3',
  name: declaration.name,
  display_name: declaration.title,
  version: declaration.version,
  description: declaration.sentence,
  long_description: `Your client passes names of files; the server reads them and sends them to Gemini. What you send is what Gemini gets, byte for byte, or you get a clear error.\n\n${declaration.privacy.text}`,
  author: declaration.author,
  repository: { type: 'git', url: `${declaration.repository}.git` },
  homepage: declaration.repository,
  documentation: `${declaration.repository}/blob/main/docs/guide.md`,
  support: `${declaration.repository}/issues`,
  icon: declaration.icon,
  license: declaration.license,
  keywords: declaration.keywords,
  privacy_policies: declaration.privacy.policies,
  server: {
    type: 'node',
    entry_point: program,
    mcp_config: {
      command: 'node',
      args: [`\${__dirname}/${program}`],
      env: {
        [declaration.key.variable]: filledIn('api_key'),
        GEMINI_CLI_WORKING_DIR: filledIn('project'),
        GEMINI_MCP_AGENT: filledIn('agent'),
      },
    },
  },
  tools: declaration.tools,
  /** Other MCP servers add theirs. */
  tools_generated: true,
  prompts_generated: true,
  user_config: {
    api_key: {
      type: 'string',
      title: declaration.key.title,
      description: declaration.key.description,
      sensitive: true,
      required: false,
    },
    project: {
      type: 'directory',
      title: 'Project',
      description: settingDescription('GEMINI_CLI_WORKING_DIR'),
      default: '${HOME}/Documents',
      required: true,
    },
    agent: {
      type: 'string',
      title: 'What gemini_agent may do',
      description: settingDescription('GEMINI_MCP_AGENT'),
      default: 'plan',
      required: false,
    },
  },
  compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: '>=20.19.0' } },
};

function settingDescription(variable) {
  return declaration.settings.find((setting) => setting.variable === variable).description;
}
