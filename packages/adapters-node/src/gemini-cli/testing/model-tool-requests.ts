import { functionAnswersIn, type Situation, type ToolSessionHooks, turnsUpToMessage } from '@gemini-mcp/port-contracts';
import { type RecordedRequest, recordsIn } from '@gemini-mcp/port-contracts/offline-api';
import { modelToolPrefix } from '../settings/model-tools.ts';

/** Whether a request of the CLI carries results of model tools. */
export function bringsResults(request: RecordedRequest): boolean {
  return modelToolNames(request).length > 0 && functionAnswersIn(request).length > 0;
}

/** The last text of the message in a request. */
export function lastTextOf({ contents }: RecordedRequest): string {
  const message = turnsUpToMessage(contents).at(-1);
  const texts = recordsIn(message?.parts ?? []).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return texts.at(-1) ?? '';
}

/** A situation whose calls use the CLI's names of the tools. */
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

/** The model's view of its tools in these requests. */
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

/** Lines that mark a text as untrusted for the CLI's model. */
function unwrap(text: string): string {
  return /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/.exec(text)?.[1] ?? text;
}
