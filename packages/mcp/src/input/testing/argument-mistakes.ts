import type { JsonObject } from '../tool-input.ts';

export type ArgumentMistake = {
  /** The group of the documentation's table. */
  readonly kind: string;
  readonly tool: string;
  /** The arguments as a model wrote them. */
  readonly written: JsonObject;
  /** The arguments as they are read; null if the call is refused. */
  readonly read: JsonObject | null;
};

const id = '5f0e2c1a-7c1d-4d0e-9a53-0c6f3f6f7a10';

type Row = readonly [tool: string, written: JsonObject, read: JsonObject | null];

const rows: Readonly<Record<string, readonly Row[]>> = {
  '`null` and blanks for nothing': [
    ['gemini_query', { prompt: 'x', files: null, glob_patterns: null, directories: null }, { prompt: 'x' }],
    ['gemini_query', { prompt: 'x', model: null, timeout: null, schema: null, background: null }, { prompt: 'x' }],
    ['chat-reply', { prompt: 'x', sessionId: null }, { prompt: 'x' }],
    ['gemini_read', { handle: 'a1', offset: null, lines: '1-9', search: null }, { handle: 'a1', lines: '1-9' }],
    ['gemini_job', { handle: null, action: null, timeout: null }, {}],
    ['gemini_query', { prompt: 'x', files: '' }, { prompt: 'x' }],
    ['gemini_query', { prompt: 'x', model: '' }, { prompt: 'x' }],
    ['chat', { prompt: 'x', cwd: '' }, { prompt: 'x' }],
    ['gemini_read', { handle: 'a1', lines: '', search: 'y' }, { handle: 'a1', search: 'y' }],
    ['gemini_query', { prompt: 'x', timeout: 'None' }, { prompt: 'x' }],
    ['gemini_query', { prompt: 'x', background: 'null' }, { prompt: 'x' }],
    ['gemini_query', { prompt: null }, null],
    ['gemini_query', { prompt: '' }, null],
    ['chat', { prompt: 'x', systemPrompt: '' }, null],
    ['chat-reply', { prompt: 'x', sessionId: '' }, null],
    ['googleSearch', { query: 'x', apiKey: '' }, null],
    ['geminiChat', { prompt: 'x', yolo: 'true' }, null],
    ['gemini_query', { prompt: 'x', files: [null] }, null],
    ['gemini_query', { prompt: 'x', model: 'none' }, null],
  ],
  'One text for a list': [
    ['gemini_query', { prompt: 'x', files: 'src/a.ts' }, { prompt: 'x', files: ['src/a.ts'] }],
    ['gemini_query', { prompt: 'x', files: 'src/a b.ts' }, { prompt: 'x', files: ['src/a b.ts'] }],
    ['gemini_query', { prompt: 'x', directories: '.' }, { prompt: 'x', directories: ['.'] }],
    ['gemini_query', { prompt: 'x', glob_patterns: '**/*.{ts,js}' }, { prompt: 'x', glob_patterns: ['**/*.{ts,js}'] }],
    ['gemini_query', { prompt: 'x', files: 'app/[id].ts' }, { prompt: 'x', files: ['app/[id].ts'] }],
    ['gemini_query', { prompt: 'x', urls: 'https://a.example/' }, { prompt: 'x', urls: ['https://a.example/'] }],
    ['gemini_agent', { task: 'x', servers: 'memory' }, { task: 'x', servers: ['memory'] }],
    ['gemini_query', { prompt: 'x', files: 'a.ts, b.ts' }, null],
    ['gemini_query', { prompt: 'x', files: 'a.ts\nb.ts' }, null],
    ['gemini_query', { prompt: 'x', files: { path: 'a.ts' } }, null],
    ['gemini_query', { prompt: 'x', files: [{ path: 'a.ts' }] }, null],
    ['gemini_query', { prompt: 'x', files: [['a.ts']] }, null],
  ],
  'JSON in a text': [
    ['gemini_query', { prompt: 'x', files: '["a.ts", "b.ts"]' }, { prompt: 'x', files: ['a.ts', 'b.ts'] }],
    ['gemini_query', { prompt: 'x', directories: ' ["src"] ' }, { prompt: 'x', directories: ['src'] }],
    ['gemini_query', { prompt: 'x', files: '[]' }, { prompt: 'x', files: [] }],
    ['gemini_query', { prompt: 'x', schema: '{"type":"array"}' }, { prompt: 'x', schema: { type: 'array' } }],
    ['gemini_query', { arguments: { prompt: 'x' } }, { prompt: 'x' }],
    ['gemini_query', { args: '{"prompt":"x"}' }, { prompt: 'x' }],
    ['chat', { input: { message: 'x' } }, { prompt: 'x' }],
    ['gemini_query', { prompt: 'x', files: '[1, 2]' }, null],
    ['gemini_query', { prompt: 'x', schema: '{type: "array"}' }, null],
    ['gemini_query', { prompt: 'x', schema: '[]' }, null],
    ['gemini_query', { arguments: { prompt: 'x' }, files: [] }, null],
  ],
  'Texts for numbers, booleans and words': [
    ['gemini_query', { prompt: 'x', timeout: '60' }, { prompt: 'x', timeout: 60 }],
    ['gemini_query', { prompt: 'x', timeout: '60.0' }, { prompt: 'x', timeout: 60 }],
    ['gemini_read', { handle: 'a1', offset: ' 40000 ' }, { handle: 'a1', offset: 40_000 }],
    ['googleSearch', { query: 'x', limit: '3' }, { query: 'x', limit: 3 }],
    ['gemini_query', { prompt: 'x', background: 'true' }, { prompt: 'x', background: true }],
    ['googleSearch', { query: 'x', raw: 'False' }, { query: 'x', raw: false }],
    ['googleSearch', { query: 'x', raw: 1 }, { query: 'x', raw: true }],
    ['gemini_context', { files: ['a'], count: 'yes' }, { files: ['a'], count: true }],
    ['gemini_job', { handle: 'a1', action: 'WAIT' }, { handle: 'a1', action: 'wait' }],
    ['gemini_agent', { task: 'x', mode: ' Edit' }, { task: 'x', mode: 'edit' }],
    ['gemini_query', { prompt: 'x', timeout: '60s' }, null],
    ['gemini_query', { prompt: 'x', timeout: '1,000' }, null],
    ['gemini_query', { prompt: 'x', timeout: 60.5 }, null],
    ['gemini_query', { prompt: 'x', timeout: 120_000 }, null],
    ['gemini_query', { prompt: 'x', background: 2 }, null],
    ['gemini_query', { prompt: 'x', background: 'later' }, null],
    ['gemini_job', { handle: 'a1', action: 'get' }, null],
    ['gemini_agent', { task: 'x', mode: 'read-only' }, null],
  ],
  'Other values for a text': [
    ['gemini_read', { handle: 'a1', lines: 10 }, { handle: 'a1', lines: '10' }],
    ['gemini_read', { handle: 123_456 }, { handle: '123456' }],
    ['gemini_query', { prompt: ['Explain this.'] }, { prompt: 'Explain this.' }],
    ['gemini_query', { prompt: 'x', model: 'models/gemini-3.8-flash' }, { prompt: 'x', model: 'gemini-3.8-flash' }],
    ['gemini_query', { prompt: 'x', model: 'Gemini 3.8 Flash' }, { prompt: 'x', model: 'gemini-3.8-flash' }],
    ['gemini_query', { prompt: ['Explain', 'this.'] }, null],
    ['gemini_query', { prompt: { text: 'x' } }, null],
    ['gemini_read', { handle: 'a1', lines: [10, 40] }, null],
    ['gemini_query', { prompt: 'x', model: 'flash' }, null],
    ['gemini_query', { prompt: 'x', model: 'auto' }, null],
  ],
  'Other names': [
    ['gemini_query', { query: 'x' }, { prompt: 'x' }],
    ['gemini_query', { question: 'x', path: 'src/a.ts' }, { prompt: 'x', files: ['src/a.ts'] }],
    ['gemini_query', { prompt: 'x', path: 'src/' }, { prompt: 'x', directories: ['src/'] }],
    ['gemini_query', { prompt: 'x', file_paths: ['a.ts'] }, { prompt: 'x', files: ['a.ts'] }],
    ['gemini_query', { prompt: 'x', globPatterns: ['*.ts'] }, { prompt: 'x', glob_patterns: ['*.ts'] }],
    ['gemini_query', { prompt: 'x', directory: 'src' }, { prompt: 'x', directories: ['src'] }],
    ['gemini_query', { prompt: 'x', timeout_ms: 90_500 }, { prompt: 'x', timeout: 91 }],
    ['gemini_query', { prompt: 'x', run_in_background: true }, { prompt: 'x', background: true }],
    ['gemini_query', { prompt: 'x', query: 'x' }, { prompt: 'x' }],
    ['gemini_query', { prompt: null, message: 'x' }, { prompt: 'x' }],
    ['chat', { message: 'x' }, { prompt: 'x' }],
    ['chat', { prompt: 'x', workingDirectory: 'src' }, { prompt: 'x', cwd: 'src' }],
    ['chat', { prompt: 'x', path: 'src' }, { prompt: 'x', cwd: 'src' }],
    ['chat-reply', { prompt: 'x', session_id: id }, { prompt: 'x', sessionId: id }],
    ['chat-reply', { message: 'x', conversation_id: id }, { prompt: 'x', sessionId: id }],
    ['geminiChat', { prompt: 'x', cwd: 'src' }, { prompt: 'x', workingDirectory: 'src' }],
    ['gemini_agent', { prompt: 'x', cwd: 'src' }, { task: 'x', workingDirectory: 'src' }],
    ['googleSearch', { q: 'x', max_results: 3 }, { query: 'x', limit: 3 }],
    ['gemini_read', { id: 'a1', query: 'y' }, { handle: 'a1', search: 'y' }],
    ['gemini_job', { job_id: 'a1', action: 'wait' }, { handle: 'a1', action: 'wait' }],
    ['gemini_undo', { run_id: 'a1' }, { run: 'a1' }],
    ['gemini_query', { prompt: 'x', query: 'y' }, null],
    ['gemini_query', { message: 'x', question: 'y' }, null],
    ['gemini_query', { prompt: 'x', path: 'src' }, null],
    ['gemini_query', { prompt: 'x', cwd: 'src' }, null],
    ['gemini_query', { promt: 'x' }, null],
    ['chat', { prompt: 'x', instructions: 'y' }, null],
    ['chat', { prompt: 'x', path: 'src/a.ts' }, null],
    ['gemini_agent', { task: 'x', directory: 'src' }, null],
    ['gemini_query', { prompt: 'x', temperature: 0.2 }, null],
  ],
};

/** Arguments as models were seen to write them, and as they are read. */
export const argumentMistakes: readonly ArgumentMistake[] = Object.entries(rows).flatMap(([kind, ofKind]) =>
  ofKind.map(([tool, written, read]) => ({ kind, tool, written, read })),
);
