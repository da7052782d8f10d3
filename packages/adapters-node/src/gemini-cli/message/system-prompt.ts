/** Larger ones are refused. */
export const maxSystemPromptCharacters = 1_000_000;

/** Invisible, and no part of any placeholder. */
const wordJoiner = '\u2060';

/**
 * A system prompt as the file of GEMINI_SYSTEM_MD has to hold it. Gemini CLI 0.61.0 fills in four kinds of placeholders; in texts that
 * hold one, an invisible character keeps the CLI from seeing it. The CLI trims the ends and makes one empty line of several.
 */
export function buildSystemFile(systemPrompt: string): string {
  if (systemPrompt.trim() === '') {
    // The API takes no empty instruction.
    return wordJoiner;
  }
  return systemPrompt.replace(/\$(?=\{(?:AgentSkills|SubAgents|AvailableTools|\w+_ToolName)\})/g, `$$${wordJoiner}`);
}
