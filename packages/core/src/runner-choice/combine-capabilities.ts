import type { RunnerCapabilities } from '../ports/gemini-runner.ts';

/**
 * What at least one of several runners can carry, under a name of its own. Not all of it together: a request that no single one can
 * carry is refused. What comes without being asked for, such as usage, is promised only where all of them give it. The
 * models are those of the first.
 */
export function combineCapabilities(name: string, all: readonly RunnerCapabilities[]): RunnerCapabilities {
  const [{ models } = {}] = all;
  return {
    name,
    maxInputBytes: Math.max(...all.map(({ maxInputBytes }) => maxInputBytes)),
    maxInputCharacters: Math.max(...all.map(({ maxInputCharacters }) => maxInputCharacters)),
    resume: all.some(({ resume }) => resume),
    tools: [...new Set(all.flatMap(({ tools }) => tools))],
    sandbox: all.some(({ sandbox }) => sandbox),
    systemPrompt: all.some(({ systemPrompt }) => systemPrompt),
    mediaTypes: [...new Set(all.flatMap(({ mediaTypes }) => mediaTypes))],
    maxMediaBytes: Math.max(...all.map(({ maxMediaBytes }) => maxMediaBytes)),
    warmStart: all.some(({ warmStart }) => warmStart),
    streaming: all.every(({ streaming }) => streaming),
    usage: all.every(({ usage }) => usage),
    direct: all.every(({ direct }) => direct === true),
    keyOfCall: all.some(({ keyOfCall }) => keyOfCall),
    needsKeyOfCall: all.every(({ needsKeyOfCall }) => needsKeyOfCall === true),
    answerSchema: all.some(({ answerSchema }) => answerSchema === true),
    thinking: all.some(({ thinking }) => thinking === true),
    urls: all.some(({ urls }) => urls === true),
    grounding: all.every(({ grounding }) => grounding === true),
    lendsTools: all.some(({ lendsTools }) => lendsTools === true),
    tokenCount: all.some(({ tokenCount }) => tokenCount === true),
    ...(models !== undefined && { models }),
  };
}
