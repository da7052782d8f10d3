import { isNumber, isRecord, isText, oneOf } from '../json/shape.ts';
import type { AnswerForm } from '../json-answer/answer-form.ts';
import { categories, confidences, type RawFinding, severities } from './finding.ts';

const text = { type: 'string' } as const;
const line = { type: 'integer' } as const;

/** The JSON Schema of Gemini's answer. Every member is required: Gemini leaves optional ones out. */
const schema = {
  type: 'object',
  properties: {
    summary: { ...text, description: 'What the change does and how sound it is, in one or two sentences.' },
    findings: {
      type: 'array',
      description: 'The worst first; empty if there is no defect.',
      items: {
        type: 'object',
        properties: {
          path: { ...text, description: 'Path of the file, as given.' },
          first_line: { ...line, description: 'Line number after the change.' },
          last_line: line,
          severity: { ...text, enum: severities },
          category: { ...text, enum: categories },
          confidence: { ...text, enum: confidences },
          title: { ...text, description: 'The defect, in one sentence.' },
          why: { ...text, description: 'The case that fails, and what then happens.' },
          evidence: {
            ...text,
            description: 'One to five lines copied from these lines of the file, without line numbers.',
          },
          old_text: {
            ...text,
            description: 'Text of the file, copied exactly, that the repair replaces; empty for no repair.',
          },
          new_text: { ...text, description: 'Its replacement.' },
        },
        required: [
          ...['path', 'first_line', 'last_line', 'severity', 'category', 'confidence', 'title', 'why', 'evidence'],
          ...['old_text', 'new_text'],
        ],
      },
    },
  },
  required: ['summary', 'findings'],
} as const;

/** The form of Gemini's answer to a review. */
export const findingsForm: AnswerForm = {
  schema,
  findProblem: (value) =>
    isRecord(value) && isText(value['summary']) && Array.isArray(value['findings'])
      ? null
      : '- the answer: must be an object with "summary", a text, and "findings", a list',
};

export type ReadFindings = {
  readonly summary: string;
  readonly findings: readonly RawFinding[];
  /** How many entries were no finding, or came after the limit. */
  readonly unusable: number;
};

/** No reader gets through more findings. */
const maxFindings = 200;

/** Reads an answer that `findingsForm` accepts. An entry in another form is counted and left out: one bad entry spoils no other. */
export function readFindings(value: unknown): ReadFindings {
  const { summary = '', findings: listed = [] } = isRecord(value) ? value : {};
  const entries: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const findings = entries.slice(0, maxFindings).flatMap((entry) => readFinding(entry) ?? []);
  return { summary: isText(summary) ? cut(summary, 'why') : '', findings, unusable: entries.length - findings.length };
}

const isSeverity = oneOf(...severities);
const isCategory = oneOf(...categories);
const isConfidence = oneOf(...confidences);

function readFinding(entry: unknown): RawFinding | null {
  if (!isRecord(entry)) {
    return null;
  }
  const { path, title, why, severity, category, confidence, first_line: first, last_line: last = first } = entry;
  if (!isText(path) || path === '' || !isText(title) || title.trim() === '' || !isText(why) || !isSeverity(severity)) {
    return null;
  }
  return {
    path: cut(path, 'path'),
    firstLine: isNumber(first) ? Math.trunc(first) : 0,
    lastLine: isNumber(last) ? Math.trunc(last) : 0,
    severity,
    category: isCategory(category) ? category : 'other',
    confidence: isConfidence(confidence) ? confidence : 'low',
    title: cut(title.replace(/\s+/g, ' ').trim(), 'title'),
    why: cut(why.trim(), 'why'),
    evidence: cut(textOf(entry['evidence']), 'evidence'),
    repair: repairOf(textOf(entry['old_text']), textOf(entry['new_text'])),
  };
}

/** A repair that is not whole would be another one: it is dropped, not cut. */
function repairOf(oldText: string, newText: string): RawFinding['repair'] {
  const isUsable = oldText !== '' && oldText !== newText && oldText.length + newText.length <= limits.repair;
  return isUsable ? { oldText, newText } : null;
}

const limits = { path: 1_000, title: 300, why: 4_000, evidence: 4_000, repair: 20_000 } as const;

function cut(value: string, limit: keyof typeof limits): string {
  return value.length <= limits[limit] ? value : `${value.slice(0, limits[limit] - 1)}\u2026`;
}

function textOf(value: unknown): string {
  return isText(value) ? value : '';
}
