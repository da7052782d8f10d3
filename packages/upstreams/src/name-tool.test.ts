import { expect, it } from 'vitest';
import { nameTool } from './name-tool.ts';

it('adds a digest of both names to the name of a tool unless they are plain', () => {
  expect(nameTool({ server: 'github', tool: 'update_issue' }, 'client')).toBe('github__update_issue');
  expect(nameTool({ server: 'github', tool: 'update_issue' }, 'gemini')).toBe('github__updates_issue');
  expect(nameTool({ server: 'a b', tool: 'c' }, 'client')).toBe('a_b__c_7286faa1a2a3');
});
