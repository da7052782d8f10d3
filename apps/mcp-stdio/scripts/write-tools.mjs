import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Writes the tools as the server lists them without settings: the answer of the server that has just been built. */
export async function writeTools(dist) {
  const tools = join(dist, 'tools.json');
  const home = await mkdtemp(join(tmpdir(), 'list-tools-'));
  // An old list would be the answer.
  await rm(tools, { force: true });
  try {
    await writeFile(tools, JSON.stringify(await listTools(join(dist, 'gemini-mcp-server.cjs'), home)));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function listTools(program, home) {
  const environment = { HOME: home, USERPROFILE: home, GEMINI_MCP_STATE_DIR: join(home, 'state') };
  const server = spawn(process.execPath, [program], { cwd: home, env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(server, 'close');
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } })}\n`);
  const [line] = await once(createInterface({ input: server.stdout }), 'line', { signal: AbortSignal.timeout(60_000) });
  server.stdin.end();
  await ended;
  return JSON.parse(line).result.tools;
}
