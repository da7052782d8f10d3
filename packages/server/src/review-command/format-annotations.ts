import type { Finding, Review, Severity } from '@gemini-mcp/core';
import { escapeControls } from '@gemini-mcp/core/internal';

const commands: Readonly<Record<Severity, string>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'notice',
};

/** Workflow commands of GitHub Actions, which show each finding at its lines. */
export function formatAnnotations({ findings }: Review): string {
  return findings.map((finding) => `${annotate(finding)}\n`).join('');
}

function annotate({ path, lines, severity, category, title, why, isVerified }: Finding): string {
  const place = lines === null ? [] : [`file=${property(path)}`, `line=${lines.first}`, `endLine=${lines.last}`];
  const name = `title=${property(`Gemini: ${severity} ${category}${isVerified ? '' : ', not verified'}`)}`;
  const text = lines === null ? `${path}: ${title}` : title;
  return `::${commands[severity]} ${[...place, name].join(',')}::${message(`${text}\n${why}`)}`;
}

function message(text: string): string {
  return escapeControls(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
