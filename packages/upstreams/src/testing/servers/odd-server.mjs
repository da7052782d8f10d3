// An MCP server on standard streams that misbehaves in one way, named by its first argument. Everything else it does right.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [oddity = 'none', file = ''] = process.argv.slice(2);
const tool = (name) => ({ name, description: `Does ${name}`, inputSchema: { type: 'object' } });
let tools = ['echo', 'repeat', 'wait', 'crash', 'count'].map(tool);
let changes = 0;

// Writes to the flooded stream: written another way, a message would land in the middle of a flooded line, or nowhere in a full pipe.
const say = (message, then) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`, then);
const note = (line) => file !== '' && appendFileSync(file, `${line}\n`);
const text = (id, words, then) => say({ id, result: { content: [{ type: 'text', text: words }] } }, then);

/** Writes endlessly, as fast as the client reads. */
function flood(line) {
  const block = Buffer.from(line.repeat(Math.ceil(65_536 / line.length)));
  const pour = () => process.stdout.write(block, () => setImmediate(pour));
  pour();
}

const starts = {
  'exits at once': () => process.exit(3),
  'says why and exits': () => {
    process.stderr.write('No \u001b[31mkey\u001b[0m was given\n');
    process.exit(1);
  },
  'comes up the third time': () => {
    const times = existsSync(file) ? Number(readFileSync(file, 'utf8')) + 1 : 1;
    writeFileSync(file, String(times));
    if (times < 3) {
      process.exit(1);
    }
  },
  'prints a banner': () => process.stdout.write('Welcome to the server!\n\n  {not json}\n[1]\n"x"\n'),
  'prints and never answers': () => process.stdout.write('Listening on \u001b[1mport\u001b[0m 8080\n'),
  'prints garbage without end': () => flood(`${'garbage '.repeat(10)}\n`),
  'prints one line without end': () => flood('x'),
  'floods with notifications': () =>
    flood('{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"flood"}}\n'),
  'floods standard error': () => {
    const block = Buffer.alloc(65_536, 'e');
    const pour = () => process.stderr.write(block, () => setImmediate(pour));
    pour();
  },
  'double-forks': () =>
    spawn('sh', ['-c', `setsid sh -c 'trap "" TERM HUP; while :; do sleep 1; done' ${file} &`], { stdio: 'ignore' }),
};

const calls = {
  repeat: (id, args) => {
    note(`calls ${id}`);
    text(id, String(args.text));
  },
  echo: (id, args) => {
    note(`calls ${id}`);
    text(id, JSON.stringify(args));
  },
  // Logs the cancellation, and never answers.
  wait: (id, _, token) => {
    note(`waits ${id}`);
    if (token !== undefined) {
      say({
        method: 'notifications/progress',
        params: { progressToken: token, progress: 1, total: 4, message: 'a step' },
      });
    }
  },
  crash: () => process.exit(9),
  count: (id) => {
    counted += 1;
    text(id, String(counted));
  },
  // Returns the result in its argument.
  answer: (id, args) => say({ id, result: args.result }),
  // Sends every kind of request, ten thousand times, without waiting for answers.
  beg: (id) => {
    for (let times = 0; times < 10_000; times += 1) {
      const method = ['elicitation/create', 'sampling/createMessage', 'roots/list', 'ping', 'x'][times % 5];
      const params = {
        message: 'Again?',
        requestedSchema: { type: 'object', properties: {} },
        messages: [],
        maxTokens: 1,
      };
      say({ id: `beg-${times}`, method, params });
    }
    text(id, 'begged');
  },
  large: (id) => text(id, 'x'.repeat(50_000_000)),
  ask: (id) => {
    asked.set('q1', id);
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    say({ id: 'q1', method: 'elicitation/create', params: { message: 'Your\u202e name?', requestedSchema } });
  },
  sample: (id, args) => {
    asked.set('s1', id);
    say({ id: 's1', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1, ...args } });
  },
  roots: (id) => {
    asked.set('r1', id);
    say({ id: 'r1', method: 'roots/list' });
  },
  change: (id) => {
    changes += 1;
    tools = [...tools, tool(`new-${changes}`)];
    for (let times = 0; times < 1_000; times += 1) {
      say({ method: 'notifications/tools/list_changed' });
    }
    text(id, 'changed');
  },
  log: (id) => {
    for (let times = 0; times < 200; times += 1) {
      say({ method: 'notifications/message', params: { level: 'error', data: `\u001b[2Jline ${times}` } });
    }
    text(id, 'logged');
  },
};
let counted = 0;
const asked = new Map();

const oddAnswers = {
  'answers twice': (message) => {
    text(message.id, 'first');
    text(message.id, 'second');
  },
  'answers unsent requests': (message) => {
    for (const id of [null, 0, '0', 9_999, [message.id], { id: message.id }, true, `${message.id} `]) {
      say({ id, result: { content: [{ type: 'text', text: 'forged' }] } });
    }
    text(message.id, 'real');
  },
  'exits after each call': (message) => text(message.id, 'last words', () => process.exit(0)),
  'answers with its metadata': (message) => text(message.id, JSON.stringify(message.params._meta ?? null)),
  'answers with no message': (message) => say({ id: message.id, error: 'no' }),
  'answers with an error': (message) =>
    say({ id: message.id, error: { code: -32_602, message: 'Bad \u001b[31margument' } }),
};

function list(cursor) {
  note('lists');
  switch (oddity) {
    case 'pages for ever':
      return { tools: [tool(`tool-${cursor ?? 0}`)], nextCursor: String(Number(cursor ?? 0) + 1) };
    case 'pages in a circle':
      return { tools: [tool(`tool-${cursor ?? 0}`)], nextCursor: cursor === '1' ? '0' : '1' };
    case 'lists 10,000 tools':
      return { tools: Array.from({ length: 10_000 }, (_, index) => tool(`tool-${index}`)) };
    case 'lists invalid tools':
      return {
        tools: [
          ...[null, 1, 'x', [], {}, { name: '' }, { name: 5 }, { name: 'x'.repeat(2_000) }],
          { name: 'large', description: 'x'.repeat(1_000_000) },
          { name: 'plain' },
          { ...tool('__proto__'), inputSchema: true, annotations: 'readOnly' },
        ],
      };
    case 'lists an odd argument':
      return { tools: [{ ...tool('echo'), inputSchema: { type: 'object', properties: { 'per-page': {} } } }] };
    case 'lists all that it can':
      return { tools: [...Object.keys(calls).map(tool), ...tools.slice(5)] };
    case 'lists what its file says':
      return { tools: JSON.parse(readFileSync(`${file}.tools`, 'utf8')) };
    case 'has odd tools':
      return { tools: ['echo', 'answer', 'beg', 'large'].map(tool) };
    case 'lists no list':
      return { tools: 'none' };
    default:
      return { tools };
  }
}

const requests = {
  initialize: ({ id }) => {
    note('initialize');
    if (oddity === 'refuses the greeting') {
      say({ id, error: { code: -32_000, message: 'Set NOTES_KEY first' } });
      return;
    }
    const completions = oddity === 'completes' ? { completions: {} } : {};
    const capabilities = { tools: { listChanged: true }, logging: {}, ...completions };
    if (!['never answers', 'prints and never answers'].includes(oddity)) {
      say({ id, result: { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'odd', version: '1' } } });
    }
  },
  'tools/list': ({ id, params }) => oddity === 'never lists' || say({ id, result: list(params?.cursor) }),
  // Suggests the text that it received.
  'completion/complete': ({ id, params }) => {
    note('completes');
    const { _meta, ...rest } = params;
    say({ id, result: { completion: { values: [JSON.stringify(rest)] } } });
  },
  'tools/call': (message) => {
    const { id, params } = message;
    const act = oddAnswers[oddity] ?? (() => calls[params.name](id, params.arguments, params._meta?.progressToken));
    act(message);
  },
};

function answer(message) {
  const { id, method } = message;
  if (method === 'notifications/cancelled') {
    note(`cancelled ${message.params.requestId}`);
  }
  if (method === 'notifications/roots/list_changed') {
    note('roots changed');
  }
  if (method === undefined && !asked.has(id)) {
    return;
  }
  if (method === undefined) {
    text(asked.get(id), JSON.stringify(message.result ?? message.error));
  } else if (Object.hasOwn(requests, method)) {
    requests[method](message);
  } else if (id !== undefined) {
    say({ id, error: { code: -32_601, message: 'Method not found' } });
  }
}

starts[oddity]?.();
createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)));
