import { PassThrough } from 'node:stream';
import { BackgroundJobs } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { isJsonObject } from '../input/request-params.ts';
import type { JsonObject } from '../input/tool-input.ts';
import type { Tool, ToolOutcome } from '../surface/tool.ts';
import { withTasks } from './modern/tasks/testing/connect-tasks.ts';
import { createPuppetTool } from './modern/tasks/testing/puppet-tool.ts';
import { serveStdio } from './stdio/serve-stdio.ts';
import { modernRequest } from './testing/modern-caller.ts';

const tool: Tool = {
  name: 'delete_branch',
  title: 'Delete a branch',
  description: 'Deletes a branch if the user agrees',
  input: z.strictObject({ branch: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  run: async (args, { ask, progress, signal }) => {
    const { branch } = z.object({ branch: z.string() }).parse(args);
    progress({ type: 'status', message: `Looking at ${branch}` });
    await new Promise(setImmediate);
    const choices = [
      { name: 'yes', label: 'Delete it' },
      { name: 'no', label: 'Keep it' },
    ];
    const outcome = await ask({ handle: 'delete', message: `Delete ${branch}?`, choices }, signal);
    const isAgreed = outcome.type === 'chosen' && outcome.choice === 'yes';
    return { text: isAgreed ? `Deleted ${branch}.` : `Kept ${branch}.`, isError: false };
  },
};

const call = { name: 'delete_branch', arguments: { branch: 'old' } };
const answer = { action: 'accept', content: { choice: 'yes' } };

type Wire = {
  /** The messages of both sides so far, one a line. */
  readonly lines: readonly string[];
  readonly send: (message: JsonObject) => void;
  /** The server's next message. */
  readonly receive: () => Promise<JsonObject>;
};

const clock = new FakeClock();
const jobs = new BackgroundJobs<ToolOutcome>({ clock, createHandle: () => '5f0c…', onError: () => undefined });
const puppet = createPuppetTool(jobs);

function connect(): Wire {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const surface = { tools: [tool, puppet.tool], prompts: [], resources: [] };
  const introduction = { name: 'gemini-mcp-server', title: 'Gemini', instructions: 'Lends you Gemini.' };
  const options = {
    version: '1.0.0',
    introduction,
    surface,
    clock,
    jobs: async () => jobs,
    log: () => undefined,
    ownerOf: () => 'alice',
  };
  void serveStdio({ stdin, stdout, server: options }, new AbortController().signal);
  const output = stdout.pipe(new PassThrough({ encoding: 'utf8' }))[Symbol.asyncIterator]();
  const lines: string[] = [];
  let text = '';
  return {
    lines,
    send: (message) => {
      lines.push(`→ ${JSON.stringify(message)}`);
      stdin.write(`${JSON.stringify(message)}\n`);
    },
    receive: async () => {
      while (!text.includes('\n')) {
        text += String((await output.next()).value);
      }
      const line = text.slice(0, text.indexOf('\n'));
      text = text.slice(line.length + 1);
      lines.push(`← ${line}`);
      const message: unknown = JSON.parse(line);
      return isJsonObject(message) ? message : {};
    },
  };
}

const rpc = (id: number, method: string, params: JsonObject): JsonObject => ({ jsonrpc: '2.0', id, method, params });

/** Replaces random parts. */
function stable(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'q1')
    .replace(/"requestState":"[^"]+"/g, '"requestState":"eyJydW5JZCI6…"');
}

async function legacyWire(): Promise<string> {
  const { lines, send, receive } = connect();
  const clientInfo = { name: 'example', version: '1.0' };
  send(rpc(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo }));
  await receive();
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  send(rpc(2, 'tools/call', { ...call, _meta: { progressToken: 2 } }));
  await receive();
  const { id } = await receive();
  send({ jsonrpc: '2.0', id, result: answer });
  await receive();
  return stable(lines);
}

async function modernWire(): Promise<string> {
  const { lines, send, receive } = connect();
  send(modernRequest(1, 'server/discover'));
  await receive();
  send(modernRequest(2, 'tools/call', call, { progressToken: 2 }));
  await receive();
  const { result } = await receive();
  const { inputRequests, requestState } = isJsonObject(result) ? result : {};
  const [id = ''] = Object.keys(isJsonObject(inputRequests) ? inputRequests : {});
  send(modernRequest(3, 'tools/call', { ...call, requestState, inputResponses: { [id]: answer } }));
  await receive();
  return stable(lines);
}

async function taskWire(): Promise<string> {
  const { lines, send, receive } = connect();
  send(modernRequest(1, 'tools/call', { name: 'work', arguments: { background: true, ask: ['Sure'] } }, withTasks));
  const { result: created } = await receive();
  const { taskId } = Object(created);
  // One waits for the end of the job, one for the end of its question.
  await expect.poll(() => clock.sleeping).toBe(2);
  send(modernRequest(2, 'tasks/get', { taskId }, withTasks));
  const { result: asking } = await receive();
  const [id = ''] = Object.keys(Object(asking).inputRequests);
  send(modernRequest(3, 'tasks/update', { taskId, inputResponses: { [id]: answer } }, withTasks));
  await receive();
  await expect.poll(puppet.begun).toBe(1);
  puppet.finish();
  await expect.poll(() => jobs.report('alice', taskId)?.state).toBe('succeeded');
  send(modernRequest(4, 'tasks/get', { taskId }, withTasks));
  await receive();
  return stable(lines);
}

describe('docs/protocol.md', () => {
  it('shows the same call in both eras, as it goes over the wire', async () => {
    const page = `# The protocol, on the wire

This page shows one call in both eras of MCP. The server speaks both on the same pipe and the same address; each request says of which era it is.

| | Revisions to \`2025-11-25\` | \`2026-07-28\` |
|---|---|---|
| Opening | \`initialize\` | nothing; \`server/discover\` if the client wants to know |
| Each request names | nothing | revision, client and its capabilities, in \`_meta\` |
| A question to the user | a request of the server (\`elicitation/create\`) | the result \`input_required\`; the client sends the call again with the answer |
| Changed lists | notifications on the connection | \`subscriptions/listen\` |
| Cancelling over stdio | \`notifications/cancelled\` | the same |
| Cancelling over HTTP | \`notifications/cancelled\`, or closing the request | closing the request |
| Unknown method over HTTP | 200 with the error -32601 | 404 with the error -32601 |

A probe (\`server/discover\`) loads nothing, starts nothing and writes nothing. The first \`tools/list\` over stdio comes from a file of the build if no
setting changes the list.

## Until 2025-11-25

\`\`\`text
${await legacyWire()}
\`\`\`

## 2026-07-28

\`\`\`text
${await modernWire()}
\`\`\`

Over HTTP the headers \`MCP-Protocol-Version\`, \`Mcp-Method\` and, for a tool, a prompt or a resource, \`Mcp-Name\` repeat the body. The answer is JSON, or a
stream of events as soon as there is progress or 10 to 20 seconds have passed.

## A question and its answer

- The run waits in the server while the user thinks. It goes on with the answer, even if another connection brings it.
- \`requestState\` is signed. It is valid for an hour, for the same caller, the same tool and the same arguments, and once. Anything else gets -32602.
- After a restart the run is gone. The call then begins again, and finds the answers that its user has given: nothing is asked twice.
- If the client never comes back, the question expires after five minutes and the run goes on without an answer. Its result waits for ten minutes.

## A task

A client that names the extension \`io.modelcontextprotocol/tasks\` in the capabilities of a call gets a task in place of the handle of a
[job](long-calls.md), and asks for the rest with \`tasks/get\`:

\`\`\`text
${await taskWire()}
\`\`\`

- A task is a job: \`taskId\` is the handle that \`gemini_job\` takes. The same owner alone knows it, for an hour after its end, also after a restart. A forged id and
  another owner's get -32602.
- A failed call is a \`completed\` task whose result has \`isError\`. A task is \`failed\` only after a fault of the server.
- A question of a task is in \`inputRequests\` until \`tasks/update\` brings its answer or five minutes have passed. Questions come one at a time. An
  answer to no open question is ignored.
- \`tasks/cancel\` asks the job to end and does not wait for it. To close the request of the call afterwards ends nothing.
- \`subscriptions/listen\` with \`taskIds\` reports each change of the status and each question as \`notifications/tasks\`, and ends with the last of the tasks.
- A running task is known to its own server process alone. Over stdio, a client that starts another process finds it there once it has ended.
- A request of the extension from a client that does not name it gets -32021, over HTTP with 400. \`Mcp-Name\` repeats \`taskId\`.
- \`tasks/list\`, \`tasks/result\` and the parameter \`task\` of the experiment in 2025-11-25 do not exist here.

## Roots

The server asks clients of the older revisions for their roots if it has no root of its own. Revision 2026-07-28 deprecates roots, and no connection could remember them there: each
call would have to be sent twice. So the server does not ask; set \`GEMINI_CLI_WORKING_DIR\`.

Decisions: [0112](adr/0112-the-stateless-revision-by-hand.md), [0115](adr/0115-a-task-is-a-job.md), [0130](adr/0130-the-build-writes-the-first-list-of-tools.md).
`;
    await expect(page).toMatchFileSnapshot('../../../../docs/protocol.md');
  });
});
