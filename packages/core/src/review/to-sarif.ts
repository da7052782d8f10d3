import { escapeControls } from '../text/escape-controls.ts';
import type { Finding, Severity } from './finding.ts';
import type { Review } from './review.ts';

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
};

/** By which GitHub sorts alerts of security. */
const securitySeverities: Readonly<Record<Severity, string>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.0',
};

/** The key of our fingerprint in `partialFingerprints`. */
export const fingerprintName = 'geminiReview/v2';

/** The placed findings of a review as a log in SARIF 2.1.0; those without a place are notifications of the run. */
export function toSarif(review: Review, version: string | null): object {
  const placed = review.findings.filter(({ lines }) => lines !== null);
  const unplaced = review.findings.filter(({ lines }) => lines === null);
  const rules = [...new Set(placed.map(({ category }) => category))];
  const left = review.notReviewed.map(({ path, reason }) => notification(`Not reviewed: ${path}: ${reason}`));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'gemini-mcp-server',
            ...(version !== null && { version }),
            rules: rules.map((id) => ({ id, shortDescription: { text: `Review finding: ${id}` } })),
          },
        },
        results: placed.map((finding) => resultOf(finding, rules)),
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: [
              ...unplaced.map(({ title }) => notification(`Without a place: ${title}`)),
              ...left,
            ],
          },
        ],
      },
    ],
  };
}

function notification(text: string): object {
  return { level: 'note', message: { text: escapeControls(text) } };
}

function resultOf(
  { path, lines, category, severity, confidence, isVerified, title, why, fingerprint, reports }: Finding,
  rules: readonly string[],
): object {
  return {
    ruleId: category,
    ruleIndex: rules.indexOf(category),
    level: levels[severity],
    message: { text: escapeControls(`${title}\n\n${why}`) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: path.split('/').map(encodeName).join('/') },
          region: { startLine: lines?.first ?? 1, endLine: lines?.last ?? 1 },
        },
      },
    ],
    partialFingerprints: { [fingerprintName]: escapeControls(fingerprint) },
    properties: {
      confidence,
      verified: isVerified,
      'security-severity': securitySeverities[severity],
      ...(reports !== undefined && { reportedBy: reports.map(({ opinion }) => opinion) }),
    },
  };
}

/** As in an address; half of a surrogate pair, which no address can hold, becomes U+FFFD. */
function encodeName(name: string): string {
  return encodeURIComponent(name.replace(/\p{Cs}/gu, '\uFFFD'));
}
