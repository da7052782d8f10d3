import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSystemFile } from './system-prompt.ts';

/** What Gemini CLI 0.61.0 fills in. */
const placeholder = /\$\{(?:AgentSkills|SubAgents|AvailableTools|\b\w+_ToolName\b)\}/;

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these tests are about placeholders.
describe('buildSystemFile', () => {
  it.each(['You are terse.', '$HOME ${HOME} $& $1 ${tools}', 'Café\r\n日本 😀'])('leaves %j as it is', (text) => {
    expect(buildSystemFile(text)).toBe(text);
  });

  it.each(['', ' \n'])('is never empty, not even for %j', (text) => {
    expect(buildSystemFile(text).trim()).not.toBe('');
  });

  it('no placeholder is left, and nothing but an invisible character is added', () => {
    const parts = fc.constantFrom(
      ...['$', '{', '}', '${', 'AvailableTools', 'SubAgents', 'AgentSkills', 'read_file', '_ToolName'],
      ...['${AvailableTools}', '${read_file_ToolName}', ' '],
    );
    fc.assert(
      fc.property(fc.array(parts), (words) => {
        const text = words.join('');
        const file = buildSystemFile(text);
        expect(file).not.toMatch(placeholder);
        expect(file.replaceAll('\u2060', '')).toBe(text.trim() === '' ? '' : text);
      }),
    );
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above.
