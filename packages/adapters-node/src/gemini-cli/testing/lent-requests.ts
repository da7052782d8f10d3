import { functionAnswersIn, type Situation, type ToolSessionHooks, turnsUpToMessage } from '@gemini-mcp/port-contracts';
import { type RecordedRequest, recordsIn } from '@gemini-mcp/port-contracts/offline-api';
import { modelToolPrefix } from '../settings/lent-server.ts';

/** Whether a request of the CLI brings the results of lent tools. */
export function bringsResults(request: RecordedRequest): boolean {
  return modelToolNames(request).length > 0 && functionAnswersIn(request).length > 0;
}

/** The last text of the message that a request is about. */
export function lastTextOf({ contents }: RecordedRequest): string {
  const message = turnsUpToMessage(contents).at(-1);
  const texts = recordsIn(message?.parts ?? []).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return texts.at(-1) ?? '';
}

/** A situation whose calls go by the names of the CLI. */
export function withModelToolNames(situation: Situation): Situation {
  return situation.type === 'calls'
    ? {
        ...situation,
        rounds: situation.rounds.map((calls) =>
          calls.map((call) => ({ ...call, name: `${modelToolPrefix}${call.name}` })),
        ),
      }
    : situation;
}

/** What the model sees of lent tools in these requests. */
export function toolSessionIn(requests: () => readonly RecordedRequest[]): ToolSessionHooks {
  return {
    offered: () =>
      requests()
        .filter((request) => !bringsResults(request))
        .map(modelToolNames),
    results: () =>
      requests()
        .filter(bringsResults)
        .flatMap((request) =>
          functionAnswersIn(request)
            .slice(-1)
            .map((texts) => texts.map(unwrap)),
        ),
  };
}

function modelToolNames({ functionNames }: RecordedRequest): readonly string[] {
  return functionNames
    .filter((name) => name.startsWith(modelToolPrefix))
    .map((name) => name.slice(modelToolPrefix.length));
}

/** The CLI tells its model by these lines that a text comes from strangers. */
function unwrap(text: string): string {
  return /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/.exec(text)?.[1] ?? text;
}
