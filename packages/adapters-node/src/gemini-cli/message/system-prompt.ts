/** Larger ones are refused. */
export const maxSystemPromptCharacters = 1_000_000;

/** Invisible, and no part of any placeholder. */
const wordJoiner = '\u2060';

/**
 * A system prompt as the file of GEMINI_SYSTEM_MD has to hold it, so that Gemini CLI 0.61.0 puts nothing of its own into
 * it. The CLI fills in four kinds of placeholders; in texts that happen to hold one, an invisible character keeps it from
 * being seen: nothing in such a file can make the CLI leave `${AvailableTools}` as it is.
 *
 * Not promised: blanks at both ends are trimmed by the CLI, and more than one empty line in a row becomes one.
 */
export function buildSystemFile(systemPrompt: string): string {
  if (systemPrompt.trim() === '') {
    // The API takes no empty instruction.
    return wordJoiner;
  }
  return systemPrompt.replace(/\$(?=\{(?:AgentSkills|SubAgents|AvailableTools|\w+_ToolName)\})/g, `$$${wordJoiner}`);
}
